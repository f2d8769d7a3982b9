//! A tiny PNG made by hand (stored, not compressed), for fixtures with a texture.

/// A square checkerboard of `n_cells` × `n_cells` pixels in two colours, 8-bit RGB.
#[must_use]
pub fn checker_png(n_cells: u32, even_rgb: [u8; 3], odd_rgb: [u8; 3]) -> Vec<u8> {
    let mut rows = Vec::new();
    for y in 0..n_cells {
        rows.push(0); // no filter
        for x in 0..n_cells {
            rows.extend_from_slice(if (x + y) % 2 == 0 { &even_rgb } else { &odd_rgb });
        }
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    header.extend_from_slice(&n_cells.to_be_bytes());
    header.extend_from_slice(&n_cells.to_be_bytes());
    header.extend_from_slice(&[8, 2, 0, 0, 0]);
    push_chunk(&mut png, *b"IHDR", &header);
    push_chunk(&mut png, *b"IDAT", &zlib_stored(&rows));
    push_chunk(&mut png, *b"IEND", &[]);
    png
}

fn push_chunk(png: &mut Vec<u8>, kind: [u8; 4], body: &[u8]) {
    png.extend_from_slice(&(body.len() as u32).to_be_bytes());
    let start = png.len();
    png.extend_from_slice(&kind);
    png.extend_from_slice(body);
    let crc = crc32(&png[start..]);
    png.extend_from_slice(&crc.to_be_bytes());
}

/// A zlib stream of stored blocks.
fn zlib_stored(data: &[u8]) -> Vec<u8> {
    let mut stream = vec![0x78, 0x01];
    let n_blocks = data.len().div_ceil(0xFFFF);
    for (block_idx, block) in data.chunks(0xFFFF).enumerate() {
        stream.push(u8::from(block_idx + 1 == n_blocks));
        stream.extend_from_slice(&(block.len() as u16).to_le_bytes());
        stream.extend_from_slice(&(!(block.len() as u16)).to_le_bytes());
        stream.extend_from_slice(block);
    }
    let (mut a, mut b) = (1u32, 0u32);
    for &byte in data {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    stream.extend_from_slice(&((b << 16) | a).to_be_bytes());
    stream
}

fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn the_checksum_matches_the_standard_check_value() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }
}
