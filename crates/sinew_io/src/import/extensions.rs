//! The version, and extensions a file cannot be read without.

use crate::error::OpenError;
use crate::import::label;
use crate::json::Json;
use crate::meshopt;
use crate::warning::ImportWarning;

const DRACO: &str = "KHR_draco_mesh_compression";

/// Extensions that change how vertices are read, and that are not supported.
const CHANGE_GEOMETRY: &[&str] = &[
    "MPEG_accessor_timed",
    "MPEG_buffer_circular",
    "WEB3D_quantized_attributes",
    "EXT_primitive_voxels",
    "KHR_gaussian_splatting",
    "KHR_gaussian_splatting_compression_spz",
    "KHR_gaussian_splatting_compression_spz_2",
];

/// Extensions that vertices, skins and nodes can be read without, or that are supported.
const HARMLESS: &[&str] = &[
    "KHR_mesh_quantization",
    "KHR_animation_pointer",
    "KHR_lights_punctual",
    "KHR_node_visibility",
    "KHR_node_selectability",
    "KHR_node_hoverability",
    "KHR_texture_basisu",
    "KHR_texture_transform",
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "KHR_audio_emitter",
    "EXT_lights_ies",
    "EXT_lights_image_based",
    "EXT_mesh_features",
    "EXT_mesh_gpu_instancing",
    "EXT_structural_metadata",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "FB_ngon_encoding",
    "MSFT_lod",
    "MSFT_texture_dds",
    "VRM",
];

/// Beginnings of names of extensions that are harmless as well.
const HARMLESS_FAMILIES: &[&str] = &["KHR_materials_", "VRMC_", "ADOBE_materials_", "EXT_materials_"];

/// Refuses everything but glTF 2.
pub(super) fn check_version(root: Json<'_>) -> Result<(), OpenError> {
    let Some(asset) = root.get("asset") else { return Ok(()) };
    let version = asset.text("version")?.unwrap_or("2.0");
    let needed = asset.text("minVersion")?.unwrap_or("2.0");
    for found in [version, needed] {
        if found.split('.').next() != Some("2") {
            return Err(OpenError::Version { found: found.to_owned() });
        }
    }
    if needed != "2.0" {
        return Err(OpenError::Version { found: needed.to_owned() });
    }
    Ok(())
}

/// Refuses Draco (B15) and what else changes how geometry is read; warns of required extensions that are not known.
pub(super) fn check(root: Json<'_>, warnings: &mut Vec<ImportWarning>) -> Result<(), OpenError> {
    for (m, mesh) in root.list("meshes")?.enumerate() {
        for primitive in mesh.list("primitives")? {
            if primitive.extension(DRACO).is_some() {
                return Err(OpenError::Draco { mesh: label(mesh.text("name")?, m) });
            }
        }
    }
    for entry in root.list("extensionsRequired")? {
        let name = entry.value().as_str().ok_or_else(|| entry.wrong("a string"))?;
        if CHANGE_GEOMETRY.contains(&name) {
            return Err(OpenError::Extension { name: name.to_owned() });
        }
        let known = name == DRACO || meshopt::EXTENSIONS.contains(&name) || HARMLESS.contains(&name);
        if !known && !HARMLESS_FAMILIES.iter().any(|family| name.starts_with(family)) {
            warnings.push(ImportWarning::UnknownExtension { name: name.to_owned() });
        }
    }
    Ok(())
}
