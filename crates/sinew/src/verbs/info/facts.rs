//! The facts about a file, as `--json` prints them. Members are only ever added.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::anyhow;
use serde::Serialize;
use serde_json::Value;
use sinew_edit::Editor;
use sinew_io::{BufferOrigin, Component, ContainerKind, GltfSource, Imported, PoolMap};
use sinew_model::{Document, ImageFormat, Mesh, MeshIndex, SceneIndex, SceneInfo, WeightCensus};

/// What engines take without being asked for more.
const USUAL_BUDGET: usize = 4;

/// All that `sinew info` says.
#[derive(Serialize)]
pub struct Facts {
    pub file: FileFacts,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub n_nodes: usize,
    pub n_materials: usize,
    pub budget: Option<usize>,
    pub scenes: Vec<SceneFacts>,
    pub skins: Vec<SkinFacts>,
    pub meshes: Vec<MeshFacts>,
    pub clips: Vec<ClipFacts>,
    pub images: Vec<ImageFacts>,
    pub warnings: Vec<String>,
}

#[derive(Serialize)]
pub struct FileFacts {
    pub path: String,
    pub container: &'static str,
    pub n_bytes: usize,
    pub version: Option<String>,
    pub generator: Option<String>,
    pub buffers: Vec<BufferFacts>,
}

#[derive(Serialize)]
pub struct BufferFacts {
    pub from: &'static str,
    pub uri: Option<String>,
    pub n_bytes: usize,
}

#[derive(Serialize)]
pub struct SceneFacts {
    pub scene: usize,
    pub name: Option<String>,
    pub roots: Vec<u32>,
    pub is_default: bool,
    pub meshes: Vec<u32>,
}

#[derive(Serialize)]
pub struct SkinFacts {
    pub skin: usize,
    pub name: Option<String>,
    pub nodes: Vec<u32>,
    pub joints: Vec<JointFacts>,
}

#[derive(Serialize)]
pub struct JointFacts {
    pub node: u32,
    pub name: Option<String>,
}

#[derive(Serialize)]
pub struct MeshFacts {
    pub mesh: usize,
    pub name: Option<String>,
    pub nodes: Vec<u32>,
    pub n_nodes: usize,
    pub skins: Vec<u32>,
    pub paintable: bool,
    pub n_vertices: usize,
    pub n_triangles: usize,
    pub primitives: Vec<PrimitiveFacts>,
    pub pools: Vec<PoolFacts>,
    pub morph_targets: Vec<Option<String>>,
    pub max_influences: usize,
    pub unweighted: usize,
    pub off_sum: usize,
    pub worst_off_sum: f32,
    pub over_budget: usize,
    pub over_4: usize,
    pub seams: usize,
    pub torn: usize,
}

#[derive(Serialize)]
pub struct PrimitiveFacts {
    pub primitive: usize,
    pub pool: usize,
    pub n_triangles: usize,
    pub material: Option<u32>,
}

#[derive(Serialize)]
pub struct PoolFacts {
    pub pool: usize,
    pub first_vertex: u32,
    pub n_vertices: u32,
    pub normals: bool,
    pub sets: Vec<SetFacts>,
}

#[derive(Serialize)]
pub struct SetFacts {
    pub set: u32,
    pub joints: &'static str,
    pub weights: &'static str,
}

#[derive(Serialize)]
pub struct ClipFacts {
    pub clip: usize,
    pub name: Option<String>,
    pub duration_s: f32,
    pub n_channels: usize,
}

#[derive(Serialize)]
pub struct ImageFacts {
    pub image: usize,
    pub name: String,
    pub format: &'static str,
    pub n_bytes: usize,
}

impl Facts {
    /// Gathers them.
    pub fn of(path: &Path, imported: Imported) -> anyhow::Result<Self> {
        let Imported { document, source, warnings } = imported;
        let budget = document.budget().max_influences();
        let mut editor = Editor::new(document);
        let all_meshes = (0..editor.document().meshes().len()).map(MeshIndex::from_idx);
        let meshes = all_meshes.map(|mesh| MeshFacts::of(&mut editor, &source, mesh)).collect::<Result<_, _>>()?;
        let document = editor.document();
        Ok(Self {
            file: FileFacts::of(path, &source),
            extensions_used: texts(&source.json["extensionsUsed"]),
            extensions_required: texts(&source.json["extensionsRequired"]),
            n_nodes: document.nodes().len(),
            n_materials: document.materials().len(),
            budget: (budget < usize::MAX).then_some(budget),
            scenes: scenes(document),
            skins: (0..document.skins().len()).map(|skin| SkinFacts::of(document, skin)).collect(),
            meshes,
            clips: clips(document),
            images: images(document),
            warnings: warnings.iter().map(ToString::to_string).collect(),
        })
    }
}

impl FileFacts {
    fn of(path: &Path, source: &GltfSource) -> Self {
        let asset = |key: &str| source.json["asset"][key].as_str().map(str::to_owned);
        let buffers = source.buffers.iter().map(|buffer| {
            let (from, uri) = match &buffer.origin {
                BufferOrigin::BinChunk => ("bin_chunk", None),
                BufferOrigin::DataUri => ("data_uri", None),
                BufferOrigin::External { uri, .. } => ("file", Some(uri.clone())),
                BufferOrigin::Missing => ("missing", None),
            };
            BufferFacts { from, uri, n_bytes: buffer.bytes.len() }
        });
        Self {
            path: path.display().to_string(),
            container: match source.kind() {
                ContainerKind::Glb => "glb",
                ContainerKind::Gltf => "gltf",
            },
            n_bytes: source.original.len(),
            version: asset("version"),
            generator: asset("generator"),
            buffers: buffers.collect(),
        }
    }
}

fn scenes(document: &Document) -> Vec<SceneFacts> {
    let one = |(s, model): (usize, &SceneInfo)| {
        let scene = SceneIndex::from_idx(s);
        let is_in = document.nodes_in(scene);
        let shown = document.instances().iter().filter(|instance| is_in[instance.node.idx()]);
        let meshes: BTreeSet<u32> = shown.map(|instance| instance.mesh.0).collect();
        SceneFacts {
            scene: s,
            name: model.name.clone(),
            roots: model.roots.iter().map(|root| root.0).collect(),
            is_default: document.default_scene() == Some(scene),
            meshes: meshes.into_iter().collect(),
        }
    };
    document.scenes().iter().enumerate().map(one).collect()
}

impl SkinFacts {
    fn of(document: &Document, skin: usize) -> Self {
        let model = &document.skins()[skin];
        let uses = document.instances().iter().filter(|i| i.skin.is_some_and(|of| of.idx() == skin));
        Self {
            skin,
            name: model.name.clone(),
            nodes: uses.map(|instance| instance.node.0).collect(),
            joints: model
                .joints()
                .iter()
                .map(|&joint| JointFacts { node: joint.0, name: document.nodes().node(joint).name.clone() })
                .collect(),
        }
    }
}

impl MeshFacts {
    fn of(editor: &mut Editor, source: &GltfSource, mesh: MeshIndex) -> anyhow::Result<Self> {
        let census = editor.census(mesh);
        let surface = editor.surface(mesh);
        let document = editor.document();
        let model = document.mesh(mesh);
        let nodes = document.nodes_of(mesh);
        Ok(Self {
            mesh: mesh.idx(),
            name: model.name.clone(),
            n_nodes: nodes.len(),
            nodes: nodes.into_iter().map(|node| node.0).collect(),
            skins: document.skins_of(mesh).iter().map(|skin| skin.0).collect(),
            paintable: document.skinned_meshes().contains(&mesh),
            n_vertices: model.n_vertices(),
            n_triangles: model.triangles().count(),
            primitives: primitives(model),
            pools: pools(model, source, mesh)?,
            morph_targets: model.morph_targets.iter().map(|target| target.name.clone()).collect(),
            max_influences: census.max_influences,
            unweighted: census.unweighted.len(),
            off_sum: census.off_sum.len(),
            worst_off_sum: census.worst_off_sum,
            over_budget: census.over_budget.len(),
            over_4: WeightCensus::of(model, USUAL_BUDGET, 0.0).over_budget.len(),
            seams: surface.n_seams,
            torn: surface.torn.len(),
        })
    }
}

fn primitives(mesh: &Mesh) -> Vec<PrimitiveFacts> {
    let one = |(primitive, model): (usize, &sinew_model::Primitive)| PrimitiveFacts {
        primitive,
        pool: model.pool,
        n_triangles: model.triangles.len(),
        material: model.material.map(|material| material.0),
    };
    mesh.primitives.iter().enumerate().map(one).collect()
}

fn pools(mesh: &Mesh, source: &GltfSource, index: MeshIndex) -> anyhow::Result<Vec<PoolFacts>> {
    let maps = source.meshes.get(index.idx()).map(|map| map.pools.as_slice()).unwrap_or_default();
    let one = |(pool, (model, map)): (usize, (&sinew_model::VertexPool, &PoolMap))| {
        Ok(PoolFacts {
            pool,
            first_vertex: model.first,
            n_vertices: model.count,
            normals: model.has_normals,
            sets: sets(source, map)?,
        })
    };
    mesh.pools.iter().zip(maps).enumerate().map(one).collect()
}

fn sets(source: &GltfSource, map: &PoolMap) -> anyhow::Result<Vec<SetFacts>> {
    let accessors = source.accessors().map_err(|error| anyhow!("cannot read the accessors: {error}"))?;
    let component = |accessor: u32| -> anyhow::Result<&'static str> {
        Ok(name_of(accessors.layout(accessor).map_err(|error| anyhow!("accessors/{accessor}: {error}"))?.component))
    };
    let one = |set: &sinew_io::WeightSet| {
        Ok(SetFacts { set: set.set, joints: component(set.joints)?, weights: component(set.weights)? })
    };
    map.sets.iter().map(one).collect()
}

fn name_of(component: Component) -> &'static str {
    match component {
        Component::I8 => "i8",
        Component::U8 => "u8",
        Component::I16 => "i16",
        Component::U16 => "u16",
        Component::U32 => "u32",
        Component::F32 => "f32",
    }
}

fn clips(document: &Document) -> Vec<ClipFacts> {
    let one = |(clip, model): (usize, &sinew_model::Clip)| ClipFacts {
        clip,
        name: model.name.clone(),
        duration_s: model.duration_s(),
        n_channels: model.channels.len(),
    };
    document.clips().iter().enumerate().map(one).collect()
}

fn images(document: &Document) -> Vec<ImageFacts> {
    let one = |(image, model): (usize, &sinew_model::Image)| ImageFacts {
        image,
        name: model.name.clone(),
        format: match model.format {
            ImageFormat::Png => "png",
            ImageFormat::Jpeg => "jpeg",
            ImageFormat::Other => "other",
        },
        n_bytes: model.encoded.len(),
    };
    document.images().iter().enumerate().map(one).collect()
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}
