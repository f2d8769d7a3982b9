//! Images and materials: what the viewport shows of them. Whatever is not right is left out with a warning.

use std::collections::HashMap;
use std::sync::Arc;

use sinew_model::{AlphaMode, Image, ImageFormat, ImageIndex, Material, TextureUse, TextureWrap};

use crate::accessor::Accessors;
use crate::error::OpenError;
use crate::json::{Json, JsonError};
use crate::source::read_first;
use crate::uri::{Resolver, Uri};
use crate::warning::ImportWarning;

/// Extensions that give a texture another image than `source`.
const TEXTURE_SOURCES: [&str; 4] = ["KHR_texture_basisu", "EXT_texture_webp", "EXT_texture_avif", "MSFT_texture_dds"];

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
    let mut or_default = |found: Result<_, JsonError>| {
        found.unwrap_or_else(|error| {
            let reason = format!("expected {}, found {}", error.expected, error.found);
            warnings.push(ImportWarning::LeftOut { path: error.path, reason });
            None
        })
    };
    let tables =
        Tables { textures: root.list("textures")?.collect(), samplers: root.list("samplers")?.collect(), n_images };
    let mut materials = Vec::new();
    for json in root.list("materials")? {
        let texture = or_default(tables.read_texture_use(json));
        let look = read_material(json).unwrap_or_else(|error| {
            or_default(Err(error));
            plain_material(json)
        });
        materials.push(Material { base_color_texture: texture, ..look });
    }
    Ok(materials)
}

/// The specification's defaults.
fn plain_material(json: Json<'_>) -> Material {
    Material {
        name: json.text("name").ok().flatten().map(str::to_owned),
        base_color: [1.0; 4],
        base_color_texture: None,
        alpha_mode: AlphaMode::Opaque,
        double_sided: false,
        unlit: false,
    }
}

fn read_material(json: Json<'_>) -> Result<Material, JsonError> {
    let plain = plain_material(json);
    let color = json.get("pbrMetallicRoughness").map(|pbr| pbr.numbers::<4>("baseColorFactor")).transpose()?.flatten();
    let alpha_mode = match json.text("alphaMode")? {
        None | Some("OPAQUE") => AlphaMode::Opaque,
        Some("MASK") => AlphaMode::Mask { cutoff: json.number("alphaCutoff")?.unwrap_or(0.5) as f32 },
        Some("BLEND") => AlphaMode::Blend,
        Some(_) => return Err(json.need("alphaMode", "")?.wrong("OPAQUE, MASK or BLEND")),
    };
    Ok(Material {
        base_color: color.map_or(plain.base_color, |color| color.map(|c| c as f32)),
        alpha_mode,
        double_sided: json.flag("doubleSided")?,
        unlit: json.extension("KHR_materials_unlit").is_some(),
        ..plain
    })
}

/// What materials refer to.
struct Tables<'a> {
    textures: Vec<Json<'a>>,
    samplers: Vec<Json<'a>>,
    n_images: usize,
}

impl Tables<'_> {
    /// The base colour texture of a material.
    fn read_texture_use(&self, material: Json<'_>) -> Result<Option<TextureUse>, JsonError> {
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
        let sampler = texture.index("sampler", self.samplers.len())?.map(|sampler| self.samplers[sampler as usize]);
        let wrap = |key| sampler.map_or(Ok(TextureWrap::Repeat), |sampler| read_wrap(sampler, key));
        let transform = info.extension("KHR_texture_transform");
        let pair = |key, default: [f64; 2]| -> Result<[f32; 2], JsonError> {
            let found = transform.map(|transform| transform.numbers::<2>(key)).transpose()?.flatten();
            Ok(found.unwrap_or(default).map(|number| number as f32))
        };
        let rotation = transform.map(|transform| transform.number("rotation")).transpose()?.flatten().unwrap_or(0.0);
        let moved_set = transform.map(|transform| transform.whole("texCoord")).transpose()?.flatten();
        let set = moved_set.or(info.whole("texCoord")?).unwrap_or(0);
        Ok(Some(TextureUse {
            image,
            texcoord_set: u32::try_from(set).unwrap_or(u32::MAX),
            wrap: [wrap("wrapS")?, wrap("wrapT")?],
            offset: pair("offset", [0.0; 2])?,
            rotation_rad: rotation as f32,
            scale: pair("scale", [1.0; 2])?,
        }))
    }
}

fn read_wrap(sampler: Json<'_>, key: &'static str) -> Result<TextureWrap, JsonError> {
    match sampler.whole(key)? {
        None | Some(10497) => Ok(TextureWrap::Repeat),
        Some(33648) => Ok(TextureWrap::MirroredRepeat),
        Some(33071) => Ok(TextureWrap::ClampToEdge),
        Some(_) => Err(sampler.need(key, "")?.wrong("10497, 33648 or 33071")),
    }
}
