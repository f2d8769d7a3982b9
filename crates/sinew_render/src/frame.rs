//! The camera and lights of one picture, and bind group 0 that every shader sees.

use glam::{Mat4, Vec2, Vec3, Vec4};

/// Camera, pixel density and lights of one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// Projection with reversed depth: near is 1, far (or infinity) is 0. Perspective or orthographic.
    pub clip_from_view: Mat4,
    /// The camera's place: rigid, x right, y up, looking along −z.
    pub scene_from_view: Mat4,
    /// Physical pixels in one logical point.
    pub pixels_per_point: f32,
    /// Where light comes from.
    pub lights: Lights,
}

/// Three soft lights that move with the camera. Directions are in view space and point towards the light;
/// they need not be unit vectors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lights {
    /// The main light and its strength.
    pub key: (Vec3, f32),
    /// Opens the shadows.
    pub fill: (Vec3, f32),
    /// From behind; draws the silhouette.
    pub rim: (Vec3, f32),
}

impl Default for Lights {
    /// A calm studio: key high on the left, fill low on the right, rim from behind.
    fn default() -> Self {
        Self {
            key: (Vec3::new(-0.50, 0.90, 0.52), 0.86),
            fill: (Vec3::new(0.85, 0.0, 0.60), 0.20),
            rim: (Vec3::new(0.35, 0.65, -0.70), 0.40),
        }
    }
}

impl Frame {
    /// A frame with the studio lights.
    pub fn new(clip_from_view: Mat4, scene_from_view: Mat4, pixels_per_point: f32) -> Self {
        Self { clip_from_view, scene_from_view, pixels_per_point, lights: Lights::default() }
    }

    /// From scene space to clip space.
    pub fn clip_from_scene(&self) -> Mat4 {
        self.clip_from_view * self.scene_from_view.inverse()
    }

    /// True if the projection has no vanishing point.
    pub fn is_orthographic(&self) -> bool {
        self.clip_from_view.row(3) == Vec4::W
    }

    pub(crate) fn uniform(&self, viewport_px: [u32; 2], must_encode: bool) -> FrameUniform {
        let light = |(direction, strength): (Vec3, f32)| {
            self.scene_from_view.transform_vector3(direction).normalize_or_zero().extend(strength)
        };
        let viewer = if self.is_orthographic() {
            self.scene_from_view.z_axis.truncate().extend(0.0)
        } else {
            self.scene_from_view.w_axis.truncate().extend(1.0)
        };
        FrameUniform {
            clip_from_scene: self.clip_from_scene(),
            viewer,
            up: self.scene_from_view.y_axis,
            key: light(self.lights.key),
            fill: light(self.lights.fill),
            rim: light(self.lights.rim),
            viewport_px: Vec2::new(viewport_px[0].max(1) as f32, viewport_px[1].max(1) as f32),
            pixels_per_point: self.pixels_per_point.max(1e-3),
            must_encode: u32::from(must_encode),
        }
    }
}

/// What every shader sees as `frame`.
#[repr(C)]
#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
pub struct FrameUniform {
    /// From scene space to clip space.
    pub clip_from_scene: Mat4,
    /// Eye position and 1, or the direction towards the viewer and 0 (orthographic), in scene space.
    pub viewer: Vec4,
    /// The camera's up, in scene space; w is 0.
    pub up: Vec4,
    /// Unit direction towards the key light in scene space; w is its strength.
    pub key: Vec4,
    /// As `key`, for the fill light.
    pub fill: Vec4,
    /// As `key`, for the rim light.
    pub rim: Vec4,
    /// Size of the target in physical pixels.
    pub viewport_px: Vec2,
    /// Physical pixels in one logical point.
    pub pixels_per_point: f32,
    /// 1 if shaders must encode to sRGB because the target does not.
    pub must_encode: u32,
}

/// The WGSL of bind group 0, put before every drawing shader.
pub(crate) const FRAME_WGSL: &str = include_str!("../shader/frame.wgsl");
