//! The file's materials on the GPU, as far as the view shows them.

use std::sync::Arc;

use glam::{Affine2, Vec2};
use sinew_io::Rgba;
use sinew_model::{AlphaMode, TextureUse};
use sinew_render::{Material, MaterialData, RenderError, Renderer};

/// Uploads a material with the base colour's picture, if it has one.
pub fn upload(
    renderer: &Renderer,
    material: &sinew_model::Material,
    images: &[Option<Arc<Rgba>>],
) -> Result<Material, RenderError> {
    let image = material.base_color_texture.and_then(|texture| images.get(texture.image.idx())?.as_ref());
    Material::new(
        renderer,
        MaterialData {
            base_color: material.base_color.into(),
            texture: image.map(|image| (&image.pixels[..], [image.width, image.height])),
            alpha_cutoff: match material.alpha_mode {
                AlphaMode::Opaque => 0.0,
                AlphaMode::Mask { cutoff } => cutoff,
                // There is no sorting: hair cards and lashes are cut where they are mostly clear.
                AlphaMode::Blend => 0.3,
            },
        },
    )
}

/// KHR_texture_transform, if it moves anything.
pub fn uv_transform(texture: TextureUse) -> Option<Affine2> {
    let (offset, scale) = (Vec2::from(texture.offset), Vec2::from(texture.scale));
    if offset == Vec2::ZERO && scale == Vec2::ONE && texture.rotation_rad == 0.0 {
        return None;
    }
    // The extension turns counter-clockwise in a space whose v points down.
    Some(Affine2::from_scale_angle_translation(scale, -texture.rotation_rad, offset))
}
