//! A Rust struct and its WGSL twin cannot drift apart, and every shader is valid.

use std::mem::offset_of;

use naga::valid::{Capabilities, ValidationFlags, Validator};
use sinew_render::frame::FrameUniform;
use sinew_render::primitives::background::BackgroundUniform;
use sinew_render::primitives::grid::GridUniform;
use sinew_render::primitives::mesh::MeshUniform;
use sinew_render::primitives::skinned_mesh::{PaletteJoint, SkinningUniform};
use sinew_render::primitives::vertex_dots::VertexDotsUniform;
use sinew_render::primitives::wire::WireUniform;
use sinew_render::{Bone, Disc, Influence, Line, shader_sources};

#[track_caller]
fn check_layout(shader: &str, name: &str, size: usize, fields: &[(&str, usize)]) {
    let sources = shader_sources();
    let (_, source) = sources.iter().find(|(n, _)| *n == shader).expect("the shader exists");
    let module = naga::front::wgsl::parse_str(source).expect("WGSL parses");
    let (_, ty) =
        module.types.iter().find(|(_, t)| t.name.as_deref() == Some(name)).expect("the struct is in the WGSL");
    let naga::TypeInner::Struct { members, span } = &ty.inner else { panic!("{name} is not a struct") };
    let found: Vec<_> = members.iter().map(|m| (m.name.as_deref().unwrap_or("_"), m.offset as usize)).collect();
    assert_eq!(found, fields, "{name}: field names and byte offsets");
    assert_eq!(*span as usize, size, "{name}: size in bytes");
}

macro_rules! check_layout {
    ($shader:literal, $name:ident { $($field:ident),* $(,)? }) => {
        check_layout($shader, stringify!($name), size_of::<$name>(), &[$((stringify!($field), offset_of!($name, $field))),*]);
    };
}

#[test]
fn gpu_structs_match_their_wgsl_twins() {
    check_layout!(
        "lines",
        FrameUniform { clip_from_scene, viewer, up, key, fill, rim, viewport_px, pixels_per_point, must_encode }
    );
    check_layout!("background", BackgroundUniform { top, bottom });
    check_layout!("grid", GridUniform { center, u, v, color });
    check_layout!("wire", WireUniform { color });
    check_layout!(
        "mesh",
        MeshUniform {
            base_color,
            clay,
            mode,
            n_contours,
            alpha_cutoff,
            zero_below,
            one_from,
            ramp_row,
            opacity,
            tint_opacity,
            is_textured_under,
            marks_zero,
            has_stripes,
            padding,
        }
    );
    check_layout!(
        "vertex_dots",
        VertexDotsUniform { radius_points, pull, ramp_row, zero_below, gap_points, padding_0, padding_1, padding_2 }
    );
    check_layout!("lines", Line { start, width_points, end, color, cap, pull, padding });
    check_layout!("discs", Disc { center, radius_points, color, outline_color, outline_points, pull });
    check_layout!("bones", Bone { head, half_width_points, tail, fill, outline, outline_points, padding });
    check_layout!(
        "skinning",
        SkinningUniform { n_vertices, n_per_vertex, n_joints, method, n_along_x, padding_0, padding_1, padding_2 }
    );
    check_layout!("skinning", Influence { joint, weight });
    check_layout!("skinning", PaletteJoint { rows, rotation, stretch });
}

#[test]
fn every_shader_validates() {
    let mut failures = Vec::new();
    for (name, source) in shader_sources() {
        match naga::front::wgsl::parse_str(&source) {
            Ok(module) => {
                if let Err(e) = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(&module) {
                    failures.push(format!("{name}: {}", e.emit_to_string(&source)));
                }
            }
            Err(e) => failures.push(format!("{name}: {}", e.emit_to_string(&source))),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
