//! Writing a picture as PNG: all of it, or nothing.

use std::io::Cursor;
use std::path::Path;

use anyhow::anyhow;
use sinew_io::atomic::{Disk, Pending};
use sinew_render::readback::Picture;

/// Writes the picture; a file that is there is replaced only when the new one is complete.
pub fn write(picture: Picture, path: &Path) -> anyhow::Result<()> {
    let mut png = Cursor::new(Vec::new());
    image::RgbaImage::from_raw(picture.width, picture.height, picture.rgba)
        .ok_or_else(|| anyhow!("the picture has fewer pixels than its size says"))?
        .write_to(&mut png, image::ImageFormat::Png)
        .map_err(|error| anyhow!("cannot encode the picture: {error}"))?;
    Pending::write(path, &png.into_inner(), &Disk::default())?.place()?;
    Ok(())
}
