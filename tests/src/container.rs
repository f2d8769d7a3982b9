//! The two outer forms of a glTF file: the GLB container and the data URI.

use base64::Engine as _;

const JSON_CHUNK: u32 = 0x4E4F_534A;
const BIN_CHUNK: u32 = 0x004E_4942;

/// A GLB of this JSON text and binary buffer: version 2, chunks padded to four bytes (JSON with spaces, binary with zeros).
/// An empty buffer gives no binary chunk. Nothing is checked: a test may want a broken file.
#[must_use]
pub fn glb_bytes(json_text: &[u8], bin: &[u8]) -> Vec<u8> {
    let mut chunks = Vec::with_capacity(json_text.len() + bin.len() + 24);
    push_chunk(&mut chunks, JSON_CHUNK, json_text, b' ');
    if !bin.is_empty() {
        push_chunk(&mut chunks, BIN_CHUNK, bin, 0);
    }
    let mut file = Vec::with_capacity(chunks.len() + 12);
    file.extend_from_slice(b"glTF");
    file.extend_from_slice(&2u32.to_le_bytes());
    file.extend_from_slice(&((chunks.len() + 12) as u32).to_le_bytes());
    file.extend_from_slice(&chunks);
    file
}

fn push_chunk(chunks: &mut Vec<u8>, kind: u32, body: &[u8], padding: u8) {
    let padded_len = body.len().next_multiple_of(4);
    chunks.extend_from_slice(&(padded_len as u32).to_le_bytes());
    chunks.extend_from_slice(&kind.to_le_bytes());
    chunks.extend_from_slice(body);
    chunks.resize(chunks.len() + padded_len - body.len(), padding);
}

/// A data URI with base64 content; for a buffer the type is `application/octet-stream`.
#[must_use]
pub fn data_uri(mime_type: &str, bytes: &[u8]) -> String {
    format!("data:{mime_type};base64,{}", base64::engine::general_purpose::STANDARD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::glb_bytes;

    #[test]
    fn chunks_are_padded_and_lengths_are_right() {
        for n in 1..=8 {
            let json = "x".repeat(n);
            let file = glb_bytes(json.as_bytes(), &[7; 5]);
            let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
            assert_eq!(word(8), file.len());
            assert_eq!(word(12) % 4, 0);
            assert!(file[20 + n..20 + word(12)].iter().all(|&b| b == b' '));
            assert_eq!(word(20 + word(12)), 8, "5 bytes are padded to 8");
            assert_eq!(&file[28 + word(12)..], [7, 7, 7, 7, 7, 0, 0, 0]);
        }
    }
}
