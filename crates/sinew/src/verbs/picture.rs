//! Pictures: the device that draws them, and writing them as PNG.

use std::io::Cursor;
use std::path::Path;

use anyhow::anyhow;
use sinew_io::atomic::{Disk, Pending};
use sinew_render::readback::Picture;
use sinew_render::{DeviceError, HeadlessDevice};

use crate::stdout::printable;

/// The device to draw with. Where it is this machine's processor, that is said on stderr: it is slow (B75).
pub fn device() -> Result<HeadlessDevice, DeviceError> {
    let gpu = HeadlessDevice::new()?;
    if gpu.is_cpu() {
        eprintln!("note: {} draws in software, which is slow", printable(&gpu.info.name));
    }
    Ok(gpu)
}

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
