//! Images and materials: what the viewport shows of them. Whatever is not right is left out with a warning.
//!
//! Materials, textures and samplers are read by the `gltf` crate, from a cleaned copy of them and nothing else. The
//! crate refuses a whole file for one wrong member, for a required extension it does not know and for a texture
//! without `source`, cuts indices to 32 bits, and has to parse all accessors first. The copy holds only what is shown;
//! every material in it has a texture, sampler and image of its own, so that any number of materials can be read
//! apart from the others. Which image a texture shows, and the bytes of images, are found here.

use std::collections::HashMap;
use std::sync::Arc;

use gltf::texture::WrappingMode;
use serde_json::{Value, json};
use sinew_model::{AlphaMode, Image, ImageFormat, ImageIndex, Material, TextureUse, TextureWrap};

use crate::accessor::Accessors;
use crate::error::OpenError;
use crate::json::{Json, JsonError, JsonPath};
use crate::source::read_first;
use crate::uri::{Resolver, Uri};
use crate::warning::ImportWarning;

/// Extensions that give a texture another image than `source`.
const TEXTURE_SOURCES: [&str; 4] = ["KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds"];

/// How many materials are read from one copy. The crate's form of a material is large, and one that it refuses costs a
/// second reading of those read with it.
const LOT: usize = 64;

/// The longest reason in a warning, in characters: the crate repeats what it found.
const MAX_REASON: usize = 200;

/// Reads all images, encoded as they are. Images from the same view share their bytes.
pub(super) fn read_images(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    resolver: &dyn Resolver,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Vec<Image>, OpenError> {
    let mut from_view: HashMap<u32, Arc<[u8]>> = HashMap::new();
    let mut from_uri: HashMap<&str, Arc<[u8]>> = HashMap::new();
    let mut images = Vec::new();
    for (i, json) in root.list("images")?.enumerate() {
        let encoded = read_image(json, accessors, resolver, &mut from_view, &mut from_uri);
        let encoded = encoded.unwrap_or_else(|reason| {
            warnings.push(ImportWarning::Image { path: json.path.to_string(), reason });
            Arc::from([])
        });
        let name = json.text("name").ok().flatten().filter(|name| !name.is_empty());
        let uri = json.text("uri").ok().flatten().filter(|uri| !uri.starts_with("data:"));
        let name = name.or(uri).map_or_else(|| format!("#{i}"), str::to_owned);
        images.push(Image { name, format: format_of(&encoded), encoded });
    }
    Ok(images)
}

fn read_image<'a>(
    json: Json<'a>,
    accessors: &Accessors<'_>,
    resolver: &dyn Resolver,
    from_view: &mut HashMap<u32, Arc<[u8]>>,
    from_uri: &mut HashMap<&'a str, Arc<[u8]>>,
) -> Result<Arc<[u8]>, String> {
    let text = |error: JsonError| error.to_string();
    if let Some(view) = json.get("bufferView") {
        let view = view.as_index(u32::MAX as usize).map_err(text)?;
        if let Some(bytes) = from_view.get(&view) {
            return Ok(Arc::clone(bytes));
        }
        let bytes = accessors.view_bytes(view).map_err(|error| error.to_string())?;
        accessors.budget.charge(bytes.len() as u64, || json.path.to_string()).map_err(|error| error.to_string())?;
        return Ok(Arc::clone(from_view.entry(view).or_insert_with(|| Arc::from(&*bytes))));
    }
    let Some(uri) = json.text("uri").map_err(text)? else {
        return Err("it has neither uri nor bufferView".to_owned());
    };
    if let Some(bytes) = from_uri.get(uri) {
        return Ok(Arc::clone(bytes));
    }
    let bytes: Arc<[u8]> = match Uri::parse(uri).map_err(|error| error.to_string())? {
        Uri::Data { bytes, .. } => bytes.into(),
        Uri::File(names) => {
            let (_, bytes) = read_first(&names, resolver).map_err(|error| error.to_string())?;
            let place = || json.path.to_string();
            accessors.budget.charge(bytes.len() as u64, place).map_err(|error| error.to_string())?;
            bytes.into_shared()
        }
    };
    Ok(Arc::clone(from_uri.entry(uri).or_insert(bytes)))
}

/// The format by the first bytes: media types in files are often wrong.
fn format_of(encoded: &[u8]) -> ImageFormat {
    if encoded.starts_with(b"\x89PNG\r\n\x1a\n") {
        ImageFormat::Png
    } else if encoded.starts_with(b"\xff\xd8\xff") {
        ImageFormat::Jpeg
    } else {
        ImageFormat::Other
    }
}

/// Reads all materials.
pub(super) fn read_materials(
    root: Json<'_>,
    n_images: usize,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Vec<Material>, OpenError> {
    let tables =
        Tables { textures: root.list("textures")?.collect(), samplers: root.list("samplers")?.collect(), n_images };
    let list: Vec<Json<'_>> = root.list("materials")?.collect();
    let mut materials = Vec::new();
    for lot in list.chunks(LOT) {
        let mut copies = Vec::new();
        for json in lot {
            let texture = tables.copy_texture(*json).unwrap_or_else(|error| {
                let reason = format!("expected {}, found {}", error.expected, error.found);
                warnings.push(ImportWarning::LeftOut { path: error.path, reason });
                None
            });
            copies.push(MaterialCopy { look: copy_look(*json), texture });
        }
        match read_copies(&copies) {
            Ok(read) => materials.extend(read),
            Err(_) => materials.extend(lot.iter().zip(copies).map(|(json, copy)| read_alone(*json, copy, warnings))),
        }
    }
    Ok(materials)
}

/// What the copy holds of one material.
struct MaterialCopy {
    /// The material without its texture.
    look: Value,
    texture: Option<TextureCopy>,
}

/// What the copy holds of the base colour texture of one material.
struct TextureCopy {
    image: ImageIndex,
    /// The reference from the material, without `index`.
    info: Value,
    sampler: Value,
}

/// Reads a material by its two parts, so that what is wrong with one does not cost the other.
fn read_alone(json: Json<'_>, copy: MaterialCopy, warnings: &mut Vec<ImportWarning>) -> Material {
    let mut read = |look, texture, path: JsonPath<'_>| {
        read_copies(&[MaterialCopy { look, texture }]).map_or_else(
            |reason| {
                warnings.push(ImportWarning::LeftOut { path: path.to_string(), reason });
                None
            },
            |mut materials| materials.pop(),
        )
    };
    let texture_path = json.path.key("pbrMetallicRoughness").key("baseColorTexture");
    let texture = read(json!({}), copy.texture, texture_path).and_then(|material| material.base_color_texture);
    // The specification's defaults.
    let plain = Material {
        name: json.text("name").ok().flatten().map(str::to_owned),
        base_color: [1.0; 4],
        base_color_texture: None,
        alpha_mode: AlphaMode::Opaque,
        double_sided: false,
        unlit: false,
    };
    Material { base_color_texture: texture, ..read(copy.look, None, json.path).unwrap_or(plain) }
}

/// Has the crate read materials; the error is what it says of the first ones that are wrong.
fn read_copies(copies: &[MaterialCopy]) -> Result<Vec<Material>, String> {
    let (mut materials, mut textures, mut samplers, mut images) = (vec![], vec![], vec![], vec![]);
    for MaterialCopy { look, texture } in copies {
        let mut material = look.clone();
        if let Some(texture) = texture {
            let own = textures.len();
            let mut info = texture.info.clone();
            info["index"] = own.into();
            material["pbrMetallicRoughness"]["baseColorTexture"] = info;
            textures.push(json!({ "source": own, "sampler": own }));
            samplers.push(texture.sampler.clone());
            images.push(texture.image);
        }
        materials.push(material);
    }
    let copy = json!({
        "asset": { "version": "2.0" },
        "materials": materials,
        "textures": textures,
        "samplers": samplers,
        "images": vec![json!({}); images.len()],
    });
    let read = gltf::Gltf::from_slice(copy.to_string().as_bytes()).map_err(|error| reason(&error, &copy))?;
    Ok(read.materials().map(|material| material_from(&material, &images)).collect())
}

/// Why the crate refuses a copy. Places in the copy are nobody's business, except for the member's name.
fn reason(error: &gltf::Error, copy: &Value) -> String {
    let text = match error {
        gltf::Error::Validation(faults) => {
            let texts = faults.iter().map(|(path, fault)| {
                let pointer = format!("/{}", path.as_str().replace(['[', '.'], "/").replace(']', ""));
                let member = pointer.rsplit('/').next().unwrap_or_default();
                copy.pointer(&pointer)
                    .map_or_else(|| format!("{member}: {fault}"), |found| format!("{member}: {fault}: {found}"))
            });
            texts.collect::<Vec<_>>().join("; ")
        }
        error => {
            let text = error.to_string();
            text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).to_owned()
        }
    };
    text.chars().take(MAX_REASON).collect()
}

fn material_from(material: &gltf::Material<'_>, images: &[ImageIndex]) -> Material {
    use gltf::material::AlphaMode as Mode;
    let pbr = material.pbr_metallic_roughness();
    Material {
        name: material.name().map(str::to_owned),
        base_color: pbr.base_color_factor(),
        base_color_texture: pbr.base_color_texture().and_then(|info| texture_from(&info, images)),
        alpha_mode: match material.alpha_mode() {
            Mode::Opaque => AlphaMode::Opaque,
            Mode::Mask => AlphaMode::Mask { cutoff: material.alpha_cutoff().unwrap_or(0.5) },
            Mode::Blend => AlphaMode::Blend,
        },
        double_sided: material.double_sided(),
        unlit: material.unlit(),
    }
}

fn texture_from(info: &gltf::texture::Info<'_>, images: &[ImageIndex]) -> Option<TextureUse> {
    let wrap = |mode| match mode {
        WrappingMode::Repeat => TextureWrap::Repeat,
        WrappingMode::MirroredRepeat => TextureWrap::MirroredRepeat,
        WrappingMode::ClampToEdge => TextureWrap::ClampToEdge,
    };
    let (sampler, transform) = (info.texture().sampler(), info.texture_transform());
    let moved_set = transform.as_ref().and_then(gltf::texture::TextureTransform::tex_coord);
    Some(TextureUse {
        image: *images.get(info.texture().source().index())?,
        texcoord_set: moved_set.unwrap_or(info.tex_coord()),
        wrap: [wrap(sampler.wrap_s()), wrap(sampler.wrap_t())],
        offset: transform.as_ref().map_or([0.0; 2], gltf::texture::TextureTransform::offset),
        rotation_rad: transform.as_ref().map_or(0.0, gltf::texture::TextureTransform::rotation),
        scale: transform.as_ref().map_or([1.0; 2], gltf::texture::TextureTransform::scale),
    })
}

/// The members of a material that are shown, without the texture.
fn copy_look(json: Json<'_>) -> Value {
    let masked = json.text("alphaMode").is_ok_and(|mode| mode == Some("MASK"));
    let cutoff = masked.then_some("alphaCutoff");
    let keys = ["alphaMode", "doubleSided"].into_iter().chain(cutoff);
    let mut look = copy_members(Some(json), keys);
    // A name that is none is no reason to leave out the colour.
    if let Some(name) = json.text("name").ok().flatten() {
        look["name"] = name.into();
    }
    look["pbrMetallicRoughness"] = copy_members(json.get("pbrMetallicRoughness"), ["baseColorFactor"]);
    if json.extension("KHR_materials_unlit").is_some() {
        look["extensions"] = json!({ "KHR_materials_unlit": {} });
    }
    look
}

/// An object of some members of another; those that are null are absent.
fn copy_members(from: Option<Json<'_>>, keys: impl IntoIterator<Item = &'static str>) -> Value {
    let found = keys.into_iter().filter_map(|key| Some((key.to_owned(), from?.get(key)?.value().clone())));
    Value::Object(found.collect())
}

/// Copies a whole number. The crate knows only 32 bits of it, and no fractions; larger ones mean nothing in looks.
fn copy_whole(from: Json<'_>, key: &'static str, to: &mut Value) -> Result<(), JsonError> {
    if let Some(number) = from.whole(key)? {
        to[key] = number.min(u32::MAX.into()).into();
    }
    Ok(())
}

/// What materials refer to.
struct Tables<'a> {
    textures: Vec<Json<'a>>,
    samplers: Vec<Json<'a>>,
    n_images: usize,
}

impl Tables<'_> {
    /// The base colour texture of a material; `None` too if the texture has no image.
    fn copy_texture(&self, material: Json<'_>) -> Result<Option<TextureCopy>, JsonError> {
        let Some(info) = material.get("pbrMetallicRoughness").and_then(|pbr| pbr.get("baseColorTexture")) else {
            return Ok(None);
        };
        let texture = self.textures[info.need("index", "a texture")?.as_index(self.textures.len())? as usize];
        let holders = [Some(texture)].into_iter().chain(TEXTURE_SOURCES.iter().map(|name| texture.extension(name)));
        let mut image = None;
        for holder in holders.flatten() {
            image = image.or(holder.index("source", self.n_images)?);
        }
        let Some(image) = image.map(ImageIndex) else { return Ok(None) };
        let mut copy = TextureCopy { image, info: json!({}), sampler: json!({}) };
        copy_whole(info, "texCoord", &mut copy.info)?;
        if let Some(transform) = info.extension("KHR_texture_transform") {
            let mut members = copy_members(Some(transform), ["offset", "rotation", "scale"]);
            copy_whole(transform, "texCoord", &mut members)?;
            copy.info["extensions"] = json!({ "KHR_texture_transform": members });
        }
        if let Some(sampler) = texture.index("sampler", self.samplers.len())? {
            copy_whole(self.samplers[sampler as usize], "wrapS", &mut copy.sampler)?;
            copy_whole(self.samplers[sampler as usize], "wrapT", &mut copy.sampler)?;
        }
        Ok(Some(copy))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(value: &Value, n_images: usize) -> (Vec<Material>, Vec<String>) {
        let mut warnings = Vec::new();
        let materials = read_materials(Json::root(value), n_images, &mut warnings).expect("lists");
        (materials, warnings.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn one_wrong_material_among_many_costs_only_what_is_wrong_with_it() {
        let texture =
            |scale: Value| json!({ "index": 0, "extensions": { "KHR_texture_transform": { "scale": scale } } });
        let mut list = vec![
            json!({
                "name": "good",
                "doubleSided": true,
                "pbrMetallicRoughness": { "baseColorFactor": [0.5, 0.25, 1, 1], "baseColorTexture": texture(json!([2, 3])) }
            });
            2 * LOT
        ];
        list[5]["alphaMode"] = json!("SEE_THROUGH");
        list[LOT + 1]["pbrMetallicRoughness"]["baseColorTexture"] = texture(json!([2, "x"]));
        let (materials, warnings) = read(&json!({ "materials": list, "textures": [{ "source": 1 }] }), 2);
        let good = &materials[0];
        assert_eq!((good.base_color, good.double_sided), ([0.5, 0.25, 1.0, 1.0], true));
        assert!(good.base_color_texture.is_some_and(|texture| (texture.image.0, texture.scale) == (1, [2.0, 3.0])));
        for (m, material) in materials.iter().enumerate().filter(|(m, _)| ![5, LOT + 1].contains(m)) {
            assert_eq!(material, good, "material {m}");
        }
        let plain = Material { base_color: [1.0; 4], double_sided: false, ..good.clone() };
        assert_eq!(materials[5], plain);
        assert_eq!(materials[LOT + 1], Material { base_color_texture: None, ..good.clone() });
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert_eq!(warnings[0], "materials/5 is left out of the view: alphaMode: Invalid value: \"SEE_THROUGH\"");
        assert!(warnings[1].contains("materials/65/pbrMetallicRoughness/baseColorTexture"), "{}", warnings[1]);
    }

    #[test]
    fn a_texture_without_a_source_of_its_own_shows_what_its_extension_names_or_nothing() {
        let material = |index: usize| json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": index } } });
        let file = json!({
            "extensionsRequired": ["KHR_texture_basisu"],
            "textures": [{}, { "extensions": { "KHR_texture_basisu": { "source": 1 } } }, { "source": 0 }],
            "materials": [material(0), material(1), material(2)],
        });
        let (materials, warnings) = read(&file, 2);
        let image = |m: usize| materials[m].base_color_texture.map(|texture| texture.image.0);
        assert_eq!([image(0), image(1), image(2)], [None, Some(1), Some(0)]);
        assert_eq!(warnings, Vec::<String>::new());
    }

    #[test]
    fn numbers_that_the_crate_would_cut_to_32_bits_are_refused() {
        let index = 1_u64 << 32;
        let file = json!({
            "textures": [{ "source": 0, "sampler": 0 }],
            "samplers": [{ "wrapS": index + 10497 }],
            "materials": [
                { "pbrMetallicRoughness": { "baseColorTexture": { "index": index } } },
                { "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } },
            ],
        });
        let (materials, warnings) = read(&file, 1);
        assert!(materials.iter().all(|material| material.base_color_texture.is_none()));
        assert_eq!(warnings.len(), 2, "{warnings:?}");
    }

    #[test]
    fn members_that_are_not_shown_are_never_wrong() {
        let file = json!({
            "samplers": [{ "magFilter": 0, "wrapT": 33071.0 }],
            "textures": [{ "source": 0, "sampler": 0.0, "name": 7 }],
            "materials": [{
                "name": 7, "normalTexture": { "index": 99 }, "alphaCutoff": "x", "emissiveFactor": null,
                "pbrMetallicRoughness": {
                    "metallicFactor": "x", "baseColorFactor": null, "baseColorTexture": { "index": 0, "texCoord": null }
                },
                "extensions": { "KHR_materials_unlit": { "x": 1 }, "KHR_materials_volume": 3 },
            }],
        });
        let (materials, warnings) = read(&file, 1);
        assert_eq!(warnings, Vec::<String>::new());
        assert!(materials[0].unlit && materials[0].name.is_none());
        let texture = materials[0].base_color_texture.expect("a texture");
        assert_eq!((texture.wrap, texture.texcoord_set), ([TextureWrap::Repeat, TextureWrap::ClampToEdge], 0));
    }
}
