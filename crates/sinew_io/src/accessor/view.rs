//! Buffer views: where they lie, and how they are compressed.

use crate::error::OpenError;
use crate::json::Json;
use crate::meshopt::Compression;
use crate::source::Buffer;

/// A buffer view, as the JSON says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    /// Its number.
    pub(crate) index: u32,
    /// The buffer.
    pub(crate) buffer: u32,
    /// First byte, in the buffer.
    pub(crate) offset: u64,
    /// How many bytes.
    pub(crate) length: u64,
    /// Bytes from one element to the next, if the file gives them.
    pub(crate) stride: Option<usize>,
    /// How it is compressed; then buffer, offset and length speak of a copy that may not be there.
    pub(crate) compression: Option<Compression>,
}

impl View {
    pub(super) fn read(index: u32, json: Json<'_>, n_buffers: usize) -> Result<Self, OpenError> {
        json.object()?;
        let buffer = json.need("buffer", "a buffer")?.as_index(n_buffers)?;
        let length = json.need("byteLength", "a length")?.as_whole()?;
        let stride = match json.get("byteStride") {
            None => None,
            Some(member) => match member.as_whole()? {
                // Some writers spell "packed" as 0.
                0 => None,
                stride @ 1..=65535 => Some(stride as usize),
                _ => return Err(member.wrong("at most 252").into()),
            },
        };
        let compression = Compression::read(json, n_buffers)?;
        let offset = json.whole("byteOffset")?.unwrap_or(0);
        Ok(Self { index, buffer, offset, length, stride, compression })
    }

    /// A piece of a buffer, checked.
    pub(super) fn cut<'b>(
        &self,
        buffer: u32,
        offset: u64,
        length: u64,
        buffers: &'b [Buffer],
    ) -> Result<&'b [u8], OpenError> {
        let bytes: &[u8] = buffers.get(buffer as usize).map_or(&[], |buffer| &buffer.bytes);
        let end = offset.checked_add(length);
        match end {
            Some(end) if end <= bytes.len() as u64 => Ok(&bytes[offset as usize..end as usize]),
            _ => Err(OpenError::PastEnd {
                path: format!("bufferViews/{}", self.index),
                needs: end.unwrap_or(u64::MAX),
                whose: format!("buffers/{buffer}"),
                has: bytes.len() as u64,
            }),
        }
    }
}
