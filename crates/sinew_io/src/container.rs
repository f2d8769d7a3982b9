//! The outside of a file: GLB chunks, or the plain text of a `.gltf`.
//!
//! Boundary: finds where things lie and checks lengths. What the JSON says is not looked at here.

use std::ops::Range;

/// How the JSON and the first buffer are packed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContainerKind {
    /// Binary glTF (`.glb`, `.vrm`).
    Glb,
    /// JSON text (`.gltf`).
    Gltf,
}

/// Where a file's parts lie. All ranges are of the original bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Container {
    /// The packing.
    pub kind: ContainerKind,
    /// The JSON text, without byte order mark and without padding.
    pub json: Range<usize>,
    /// All chunks of a GLB in their order, JSON and BIN included; empty for a `.gltf`.
    pub chunks: Vec<Chunk>,
    /// Bytes after the length that a GLB header states; kept out of everything.
    pub trailing: Range<usize>,
}

/// A chunk of a GLB.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// The type, as the file's little-endian number: [`Chunk::JSON`], [`Chunk::BIN`] or anything else.
    pub kind: u32,
    /// The chunk's data with its padding, without its 8-byte header.
    pub data: Range<usize>,
}

/// Why bytes are no glTF container.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ContainerError {
    /// No bytes at all.
    #[error("the file is empty; expected glTF 2.0")]
    Empty,
    /// Neither a GLB nor JSON text.
    #[error("the file begins with {found:?}; expected \"glTF\" (GLB) or \"{{\" (JSON)")]
    NotGltf {
        /// What the file begins with.
        found: String,
    },
    /// A GLB of another version.
    #[error("GLB version {found}; expected 2")]
    Version {
        /// The version found.
        found: u32,
    },
    /// The file is shorter than its header or a chunk says.
    #[error("{what} ends at byte {expected}; the file has {found} bytes")]
    Truncated {
        /// What does not fit.
        what: String,
        /// Where it would end.
        expected: u64,
        /// How long the file is.
        found: usize,
    },
    /// The first chunk of a GLB is not JSON.
    #[error("the first chunk has type {found:#010x}; expected JSON ({:#010x})", Chunk::JSON)]
    NoJson {
        /// The type found.
        found: u32,
    },
    /// The JSON is not UTF-8.
    #[error("the JSON is not UTF-8 at byte {at} of the file")]
    NotUtf8 {
        /// Where.
        at: usize,
    },
}

impl Chunk {
    /// The type of the JSON chunk.
    pub const JSON: u32 = u32::from_le_bytes(*b"JSON");
    /// The type of the BIN chunk.
    pub const BIN: u32 = u32::from_le_bytes(*b"BIN\0");
}

const MAGIC: &[u8] = b"glTF";
const GLB_HEADER: usize = 12;
const CHUNK_HEADER: usize = 8;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

impl Container {
    /// Finds the parts of a file.
    pub fn parse(bytes: &[u8]) -> Result<Self, ContainerError> {
        if bytes.is_empty() {
            return Err(ContainerError::Empty);
        }
        if bytes.starts_with(MAGIC) {
            return parse_glb(bytes);
        }
        let start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let json = json_range(bytes, start..bytes.len())?;
        if bytes.get(json.start) != Some(&b'{') {
            let found = String::from_utf8_lossy(&bytes[..bytes.len().min(8)]).into_owned();
            return Err(ContainerError::NotGltf { found });
        }
        let end = bytes.len();
        Ok(Self { kind: ContainerKind::Gltf, json, chunks: Vec::new(), trailing: end..end })
    }

    /// The data of the BIN chunk (glTF 2.0 §4.4.3.3: the second chunk, if it is there).
    pub fn bin(&self) -> Option<Range<usize>> {
        self.chunks.iter().skip(1).find(|chunk| chunk.kind == Chunk::BIN).map(|chunk| chunk.data.clone())
    }
}

fn parse_glb(bytes: &[u8]) -> Result<Container, ContainerError> {
    let truncated =
        |what: &str, expected: u64| ContainerError::Truncated { what: what.to_owned(), expected, found: bytes.len() };
    let word = |at: usize| {
        let word: Option<[u8; 4]> = bytes.get(at..at + 4).and_then(|word| word.try_into().ok());
        word.map(u32::from_le_bytes)
    };
    let (Some(version), Some(length)) = (word(4), word(8)) else {
        return Err(truncated("the GLB header", GLB_HEADER as u64));
    };
    if version != 2 {
        return Err(ContainerError::Version { found: version });
    }
    let length = length as usize;
    if length > bytes.len() {
        return Err(truncated("the GLB", length as u64));
    }
    let mut chunks = Vec::new();
    let mut at = GLB_HEADER;
    // Fewer bytes than a chunk header are padding that some writers forget to count.
    while length.saturating_sub(at) >= CHUNK_HEADER {
        let (Some(size), Some(kind)) = (word(at), word(at + 4)) else { break };
        let start = at + CHUNK_HEADER;
        let end = start as u64 + u64::from(size);
        if end > length as u64 {
            return Err(truncated(&format!("chunk {} of the GLB", chunks.len()), end));
        }
        let end = end as usize;
        chunks.push(Chunk { kind, data: start..end });
        // Writers that give the unpadded length (B13) still start the next chunk at a multiple of 4.
        at = end.next_multiple_of(4);
    }
    let Some(first) = chunks.first() else {
        return Err(truncated("the JSON chunk", (GLB_HEADER + CHUNK_HEADER) as u64));
    };
    if first.kind != Chunk::JSON {
        return Err(ContainerError::NoJson { found: first.kind });
    }
    let json = json_range(bytes, first.data.clone())?;
    Ok(Container { kind: ContainerKind::Glb, json, chunks, trailing: length..bytes.len() })
}

/// The text in `range` without white space and zeros around it, which is how chunks are padded (B13).
fn json_range(bytes: &[u8], range: Range<usize>) -> Result<Range<usize>, ContainerError> {
    let text = &bytes[range.clone()];
    if let Err(error) = std::str::from_utf8(text) {
        return Err(ContainerError::NotUtf8 { at: range.start + error.valid_up_to() });
    }
    let padding = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let before = text.iter().take_while(|byte| padding(byte)).count();
    let after = text[before..].iter().rev().take_while(|byte| padding(byte)).count();
    Ok(range.start + before..range.end - after)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: u32, data: &[u8]) -> Vec<u8> {
        let mut bytes = (data.len() as u32).to_le_bytes().to_vec();
        bytes.extend(kind.to_le_bytes());
        bytes.extend(data);
        bytes
    }

    fn glb(chunks: &[Vec<u8>]) -> Vec<u8> {
        let chunks = chunks.concat();
        let mut bytes = b"glTF\x02\0\0\0".to_vec();
        bytes.extend((12 + chunks.len() as u32).to_le_bytes());
        bytes.extend(chunks);
        bytes
    }

    #[test]
    fn unknown_chunks_are_listed_in_their_order() {
        let bytes = glb(&[chunk(Chunk::JSON, b"{}  "), chunk(7, b"abcd"), chunk(Chunk::BIN, &[1, 2, 3, 4])]);
        let container = Container::parse(&bytes).expect("a GLB");
        assert_eq!(container.chunks.iter().map(|chunk| chunk.kind).collect::<Vec<_>>(), [Chunk::JSON, 7, Chunk::BIN]);
        assert_eq!(&bytes[container.json.clone()], b"{}");
        assert_eq!(&bytes[container.bin().expect("a BIN chunk")], [1, 2, 3, 4]);
    }

    #[test]
    fn json_padded_with_zeros_or_not_at_all_is_read() {
        // B13
        for json in [&b"{}\0\0"[..], b"{} \n", b"{}"] {
            let bytes = glb(&[chunk(Chunk::JSON, json)]);
            assert_eq!(Container::parse(&bytes).map(|container| bytes[container.json].to_vec()), Ok(b"{}".to_vec()));
        }
    }

    #[test]
    fn a_byte_order_mark_before_json_text_is_no_problem() {
        let container = Container::parse(b"\xEF\xBB\xBF\n{}").expect("text");
        assert_eq!((container.kind, container.json), (ContainerKind::Gltf, 4..6));
    }

    #[test]
    fn lengths_past_the_end_are_named() {
        let mut bytes = glb(&[chunk(Chunk::JSON, b"{}  "), chunk(Chunk::BIN, &[0; 8])]);
        bytes[24] = 200;
        assert!(matches!(Container::parse(&bytes), Err(ContainerError::Truncated { .. })));
        let bytes = glb(&[chunk(Chunk::JSON, b"{}  ")]);
        for len in 1..bytes.len() {
            assert!(Container::parse(&bytes[..len]).is_err(), "{len} bytes");
        }
        assert_eq!(Container::parse(b""), Err(ContainerError::Empty));
        assert_eq!(Container::parse(b"{\"a\": \"\xFF\"}"), Err(ContainerError::NotUtf8 { at: 7 }));
        assert!(matches!(Container::parse(b"solid cube"), Err(ContainerError::NotGltf { .. })));
    }
}
