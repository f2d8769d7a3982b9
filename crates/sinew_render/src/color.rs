//! Colours as people write them (sRGB bytes, straight alpha) and the sRGB transfer curve.

/// An sRGB colour with straight alpha, one byte a channel; goes to the GPU as it is.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Color(pub [u8; 4]);

impl Color {
    /// Nothing to see.
    pub const TRANSPARENT: Self = Self([0, 0, 0, 0]);

    /// An opaque colour from `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Self {
        Self([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8, 255])
    }

    /// The same colour with this opacity in 0..=1.
    #[must_use]
    pub fn with_alpha(self, alpha: f32) -> Self {
        let [r, g, b, _] = self.0;
        Self([r, g, b, (alpha.clamp(0.0, 1.0) * 255.0).round() as u8])
    }

    /// Linear light and alpha, each 0..=1.
    pub fn to_linear(self) -> [f32; 4] {
        let [r, g, b, a] = self.0.map(|c| f32::from(c) / 255.0);
        [linear_from_srgb(r), linear_from_srgb(g), linear_from_srgb(b), a]
    }

    /// sRGB-encoded channels and alpha, each 0..=1.
    pub fn to_srgb(self) -> [f32; 4] {
        self.0.map(|c| f32::from(c) / 255.0)
    }
}

/// Linear light of an sRGB-encoded channel, both 0..=1 (IEC 61966-2-1).
pub fn linear_from_srgb(encoded: f32) -> f32 {
    if encoded <= 0.04045 { encoded / 12.92 } else { ((encoded + 0.055) / 1.055).powf(2.4) }
}

/// sRGB encoding of a linear channel, both 0..=1 (IEC 61966-2-1).
pub fn srgb_from_linear(linear: f32) -> f32 {
    if linear <= 0.003_130_8 { linear * 12.92 } else { 1.055 * linear.powf(1.0 / 2.4) - 0.055 }
}

/// Relative luminance of a linear colour (Rec. 709 primaries).
pub fn luminance(linear: [f32; 3]) -> f32 {
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}
