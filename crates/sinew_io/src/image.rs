//! Images decoded, when somebody wants to see them.

use std::io::Cursor;

use image::{ImageReader, Limits};
use sinew_model::{Image, ImageFormat};

/// The longest side of an image.
const MAX_SIDE: u32 = 16384;

/// The most memory that decoding may take.
const MAX_BYTES: u64 = 1 << 30;

/// A decoded image: sRGB colours and straight alpha, a byte each, rows from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rgba {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The pixels. `[width * height * 4]`
    pub pixels: Vec<u8>,
}

/// Why an image cannot be shown.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ImageError {
    /// The file did not have it.
    #[error("image {name:?} was not found")]
    Missing {
        /// The image.
        name: String,
    },
    /// Neither PNG nor JPEG.
    #[error("image {name:?} is neither PNG nor JPEG")]
    Format {
        /// The image.
        name: String,
    },
    /// Damaged, or larger than 16384 pixels a side or 1 GiB.
    #[error("image {name:?} cannot be decoded: {reason}")]
    Decode {
        /// The image.
        name: String,
        /// Why.
        reason: String,
    },
}

/// Decodes an image of a document.
pub fn decode_image(image: &Image) -> Result<Rgba, ImageError> {
    let name = || image.name.clone();
    let format = match image.format {
        _ if image.encoded.is_empty() => return Err(ImageError::Missing { name: name() }),
        ImageFormat::Png => image::ImageFormat::Png,
        ImageFormat::Jpeg => image::ImageFormat::Jpeg,
        ImageFormat::Other => return Err(ImageError::Format { name: name() }),
    };
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(&image.encoded[..]), format);
    reader.limits(limits);
    let decoded = reader.decode().map_err(|error| ImageError::Decode { name: name(), reason: error.to_string() })?;
    let pixels = decoded.into_rgba8();
    Ok(Rgba { width: pixels.width(), height: pixels.height(), pixels: pixels.into_raw() })
}
