//! Buffer views compressed with EXT_meshopt_compression (or KHR_meshopt_compression, which stores them alike).
//!
//! Boundary: sizes are checked here before the decoder sees anything; the decoder itself is the `meshopt` crate.

use ::meshopt as codec;

use crate::error::OpenError;
use crate::json::{Json, JsonError};

/// The names of the extension.
pub(crate) const EXTENSIONS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// How a buffer view is compressed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Compression {
    /// The buffer that holds the compressed bytes.
    pub(crate) buffer: u32,
    /// First byte, in the buffer.
    pub(crate) offset: u64,
    /// How many bytes.
    pub(crate) length: u64,
    stride: usize,
    count: usize,
    mode: Mode,
    filter: Filter,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Attributes,
    Triangles,
    Indices,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Filter {
    None,
    Octahedral,
    Quaternion,
    Exponential,
    Color,
}

impl Compression {
    /// The compression of a buffer view, `None` if it has none.
    pub(crate) fn read(view: Json<'_>, n_buffers: usize) -> Result<Option<Self>, OpenError> {
        let Some(json) = EXTENSIONS.iter().find_map(|name| view.extension(name)) else { return Ok(None) };
        let buffer = json.need("buffer", "a buffer")?.as_index(n_buffers)?;
        let offset = json.whole("byteOffset")?.unwrap_or(0);
        let length = json.need("byteLength", "a length")?.as_whole()?;
        let mode = match json.text("mode")? {
            Some("ATTRIBUTES") => Mode::Attributes,
            Some("TRIANGLES") => Mode::Triangles,
            Some("INDICES") => Mode::Indices,
            _ => return Err(json.need("mode", "a mode")?.wrong("ATTRIBUTES, TRIANGLES or INDICES").into()),
        };
        let filter = match json.text("filter")? {
            None | Some("NONE") => Filter::None,
            Some("OCTAHEDRAL") => Filter::Octahedral,
            Some("QUATERNION") => Filter::Quaternion,
            Some("EXPONENTIAL") => Filter::Exponential,
            Some("COLOR") => Filter::Color,
            Some(_) => {
                return Err(json.need("filter", "a filter")?.wrong("OCTAHEDRAL, QUATERNION or EXPONENTIAL").into());
            }
        };
        let stride = json.need("byteStride", "a stride")?;
        let stride_bytes = stride.as_whole()?;
        let count = json.need("count", "a count")?;
        let n = count.as_whole()?;
        let wrong: Option<JsonError> = match (mode, filter) {
            (Mode::Attributes, _) if !(stride_bytes % 4 == 0 && (4..=256).contains(&stride_bytes)) => {
                Some(stride.wrong("a multiple of 4, at most 256"))
            }
            (Mode::Triangles | Mode::Indices, _) if !matches!(stride_bytes, 2 | 4) => Some(stride.wrong("2 or 4")),
            (Mode::Triangles, _) if n % 3 != 0 => Some(count.wrong("a multiple of 3")),
            (_, Filter::Octahedral | Filter::Color) if !matches!(stride_bytes, 4 | 8) => Some(stride.wrong("4 or 8")),
            (_, Filter::Quaternion) if stride_bytes != 8 => Some(stride.wrong("8")),
            (Mode::Triangles | Mode::Indices, filter) if filter != Filter::None => {
                Some(json.wrong("no filter on indices"))
            }
            _ if n > u64::from(u32::MAX) => Some(count.wrong("a count below 2^32")),
            _ => None,
        };
        if let Some(wrong) = wrong {
            return Err(wrong.into());
        }
        Ok(Some(Self { buffer, offset, length, stride: stride_bytes as usize, count: n as usize, mode, filter }))
    }

    /// Bytes after decoding.
    pub(crate) fn decoded_len(&self) -> u64 {
        self.count as u64 * self.stride as u64
    }
}

/// Decodes a view whose [`Compression`] has been read; the caller has made sure that the result may be allocated.
pub(crate) fn decode(encoded: &[u8], compression: &Compression) -> Result<Vec<u8>, String> {
    let Compression { stride, count, mode, filter, .. } = *compression;
    let failed = |error: codec::Error| format!("the compressed data cannot be decoded ({error})");
    let mut decoded = match (mode, stride) {
        (Mode::Attributes, _) => decode_attributes(encoded, stride, count).map_err(failed)?,
        (Mode::Triangles, 2) => {
            to_bytes(&codec::decode_index_buffer::<u16>(encoded, count).map_err(failed)?, u16::to_le_bytes)
        }
        (Mode::Triangles, _) => {
            to_bytes(&codec::decode_index_buffer::<u32>(encoded, count).map_err(failed)?, u32::to_le_bytes)
        }
        (Mode::Indices, 2) => {
            to_bytes(&codec::decode_index_sequence::<u16>(encoded, count).map_err(failed)?, u16::to_le_bytes)
        }
        (Mode::Indices, _) => {
            to_bytes(&codec::decode_index_sequence::<u32>(encoded, count).map_err(failed)?, u32::to_le_bytes)
        }
    };
    match (filter, stride) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => filtered(&mut decoded, i8::from_le_bytes, i8::to_le_bytes, codec::decode_filter_oct),
        (Filter::Octahedral, _) => {
            filtered(&mut decoded, i16::from_le_bytes, i16::to_le_bytes, codec::decode_filter_oct);
        }
        (Filter::Quaternion, _) => {
            filtered(&mut decoded, i16::from_le_bytes, i16::to_le_bytes, codec::decode_filter_quat);
        }
        (Filter::Exponential, _) => {
            filtered(&mut decoded, u32::from_le_bytes, u32::to_le_bytes, codec::decode_filter_exp::<1>);
        }
        (Filter::Color, 4) => filtered(&mut decoded, u8::from_le_bytes, u8::to_le_bytes, codec::decode_filter_color),
        (Filter::Color, _) => filtered(&mut decoded, u16::from_le_bytes, u16::to_le_bytes, codec::decode_filter_color),
    }
    Ok(decoded)
}

fn to_bytes<T: Copy, const SIZE: usize>(numbers: &[T], bytes_of: fn(T) -> [u8; SIZE]) -> Vec<u8> {
    numbers.iter().flat_map(|&number| bytes_of(number)).collect()
}

/// Applies a filter that works on groups of `N` numbers.
fn filtered<T: Copy + Default, const SIZE: usize, const N: usize>(
    bytes: &mut [u8],
    from_bytes: fn([u8; SIZE]) -> T,
    bytes_of: fn(T) -> [u8; SIZE],
    filter: impl Fn(&mut [[T; N]]),
) {
    let number = |chunk: &[u8]| {
        let mut number = [0; SIZE];
        number.copy_from_slice(chunk);
        from_bytes(number)
    };
    let mut groups: Vec<[T; N]> = bytes
        .chunks_exact(SIZE * N)
        .map(|group| std::array::from_fn(|i| number(&group[i * SIZE..(i + 1) * SIZE])))
        .collect();
    filter(&mut groups);
    for (chunk, number) in bytes.chunks_exact_mut(SIZE).zip(groups.iter().flatten()) {
        chunk.copy_from_slice(&bytes_of(*number));
    }
}

/// A vertex of `WORDS` times four bytes: the decoder takes the stride from the type.
#[derive(Clone)]
struct Vertex<const WORDS: usize>([[u8; 4]; WORDS]);

impl<const WORDS: usize> Default for Vertex<WORDS> {
    fn default() -> Self {
        Self([[0; 4]; WORDS])
    }
}

fn decode_attributes(encoded: &[u8], stride: usize, count: usize) -> codec::Result<Vec<u8>> {
    fn decode<const WORDS: usize>(encoded: &[u8], count: usize) -> codec::Result<Vec<u8>> {
        let vertices: Vec<Vertex<WORDS>> = codec::decode_vertex_buffer(encoded, count)?;
        Ok(vertices.iter().flat_map(|vertex| vertex.0.as_flattened()).copied().collect())
    }
    macro_rules! by_words {
        ($($words:literal)*) => {
            match stride / 4 {
                $($words => decode::<$words>(encoded, count),)*
                // `Compression::read` lets nothing else through.
                _ => Ok(Vec::new()),
            }
        };
    }
    by_words! {
        1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
        33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
    }
}
