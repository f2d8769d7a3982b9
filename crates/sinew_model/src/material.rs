//! How a surface looks: only what the viewport shows. Everything else in the file's materials stays in the file.

use std::sync::Arc;

use crate::ids::ImageIndex;

/// A material of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Material {
    /// Name, if the file gives one.
    pub name: Option<String>,
    /// Base colour factor, linear RGBA.
    pub base_color: [f32; 4],
    /// Base colour texture.
    pub base_color_texture: Option<TextureUse>,
    /// What alpha means.
    pub alpha_mode: AlphaMode,
    /// Whether back faces are part of the surface.
    pub double_sided: bool,
    /// KHR_materials_unlit.
    pub unlit: bool,
}

/// A texture as one material uses it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TextureUse {
    /// The image.
    pub image: ImageIndex,
    /// Which TEXCOORD set it reads.
    pub texcoord_set: u32,
    /// Wrapping along u and v.
    pub wrap: [TextureWrap; 2],
    /// KHR_texture_transform: offset.
    pub offset: [f32; 2],
    /// KHR_texture_transform: rotation, radians.
    pub rotation_rad: f32,
    /// KHR_texture_transform: scale.
    pub scale: [f32; 2],
}

/// What happens outside 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TextureWrap {
    /// Starts again.
    #[default]
    Repeat,
    /// Starts again mirrored.
    MirroredRepeat,
    /// Stays at the edge.
    ClampToEdge,
}

/// What the alpha of the base colour means.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum AlphaMode {
    /// Nothing.
    #[default]
    Opaque,
    /// Below the cutoff there is no surface.
    Mask {
        /// The cutoff.
        cutoff: f32,
    },
    /// Coverage.
    Blend,
}

/// An image of the file, as encoded there; `sinew_io` decodes it when somebody wants to see it.
#[derive(Clone, PartialEq, Debug)]
pub struct Image {
    /// Name or file name, for messages.
    pub name: String,
    /// How it is encoded.
    pub format: ImageFormat,
    /// The encoded bytes; empty if the file could not be found (an import warning says so).
    pub encoded: Arc<[u8]>,
}

/// How an image is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageFormat {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// Anything else (KTX2, WebP …): kept, not shown.
    Other,
}
