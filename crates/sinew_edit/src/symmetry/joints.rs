//! Which joints are each other's mirror image: said by hand, else by name, else by place.

use std::collections::{BTreeMap, HashMap};

use glam::{DAffine3, Vec3};
use sinew_geometry::{MirrorPlane, MirrorPoint, mirror_twins};
use sinew_model::{Document, NodeIndex};

use super::names::mirrored;

/// How a joint's mirror image was found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PairedBy {
    /// A person said so.
    Hand,
    /// By their names.
    Name,
    /// By where they were bound; a joint on the plane is its own image.
    Place,
    /// It was not: the joint stands for itself.
    Nobody,
}

/// A joint and its mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JointPair {
    /// The joint.
    pub joint: NodeIndex,
    /// Its mirror image; itself on the plane and where none was found.
    pub twin: NodeIndex,
    /// How it was found.
    pub by: PairedBy,
}

impl PairedBy {
    /// For a person.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Hand => "by hand",
            Self::Name => "by name",
            Self::Place => "by place",
            Self::Nobody => "none found",
        }
    }
}

pub(super) type Pairs = BTreeMap<NodeIndex, (NodeIndex, PairedBy)>;

/// Where every joint stood when it was bound, scene space.
pub(super) fn places(document: &Document, rest: &[DAffine3]) -> BTreeMap<NodeIndex, Vec3> {
    document.joints().iter().map(|&joint| (joint, super::bound_place(document, joint, rest))).collect()
}

/// How deep in the tree every joint is.
pub(super) fn depths(document: &Document) -> BTreeMap<NodeIndex, u32> {
    let depth =
        |joint| std::iter::successors(document.nodes().parent(joint), |&up| document.nodes().parent(up)).count();
    document.joints().iter().map(|&joint| (joint, depth(joint) as u32)).collect()
}

/// The pairs made by hand, and those that names tell.
pub(super) fn said_or_named(document: &Document) -> Pairs {
    let mut pairs = Pairs::new();
    for &joint in document.joints() {
        if let Some(twin) = document.joint_pairs().twin(joint).filter(|&twin| document.is_joint(twin)) {
            pairs.insert(joint, (twin, PairedBy::Hand));
        }
    }
    let mut by_name: HashMap<String, Vec<NodeIndex>> = HashMap::new();
    for &joint in document.joints() {
        if let Some(name) = document.nodes().node(joint).name.as_deref() {
            by_name.entry(name.to_lowercase()).or_default().push(joint);
        }
    }
    let share_a_skin = |a: NodeIndex, b: NodeIndex| {
        document.skins().iter().any(|skin| skin.slot(a).is_some() && skin.slot(b).is_some())
    };
    for &joint in document.joints() {
        if pairs.contains_key(&joint) {
            continue;
        }
        let name = document.nodes().node(joint).name.as_deref().unwrap_or_default();
        let twin = mirrored(name).into_iter().find_map(|name| {
            let mut found = by_name.get(&name)?.clone();
            found.retain(|other| *other != joint && !pairs.contains_key(other));
            if found.len() > 1 {
                // Two characters in one file have the same names.
                found.retain(|&other| share_a_skin(joint, other));
            }
            if let [twin] = found[..] { Some(twin) } else { None }
        });
        if let Some(twin) = twin {
            pairs.insert(joint, (twin, PairedBy::Name));
            pairs.insert(twin, (joint, PairedBy::Name));
        }
    }
    pairs
}

/// Where the plane cuts the axis: the median of the pairs' middles, which one sword in one hand does not move; 0 without
/// pairs.
pub(super) fn middle(pairs: &Pairs, places: &BTreeMap<NodeIndex, Vec3>, axis: usize) -> f32 {
    let each_once = pairs.iter().filter(|(joint, (twin, _))| *joint < twin);
    let mut middles: Vec<f32> = each_once
        .filter_map(|(joint, (twin, _))| {
            let (a, b) = (places.get(joint)?[axis], places.get(twin)?[axis]);
            Some((0.5 * (f64::from(a) + f64::from(b))) as f32)
        })
        .collect();
    middles.sort_by(f32::total_cmp);
    middles.get(middles.len() / 2).copied().unwrap_or(0.0)
}

/// Pairs what is left by where it was bound, joints as deep in the tree with each other rather; who finds nobody stands
/// for itself.
pub(super) fn pair_by_place(
    depths: &BTreeMap<NodeIndex, u32>,
    pairs: &mut Pairs,
    places: &BTreeMap<NodeIndex, Vec3>,
    plane: MirrorPlane,
    tolerance: f32,
) {
    let left: Vec<NodeIndex> = places.keys().copied().filter(|joint| !pairs.contains_key(joint)).collect();
    let points: Vec<MirrorPoint> = left
        .iter()
        .map(|&joint| MirrorPoint { position: places[&joint], normal: Vec3::ZERO, label: depths[&joint] })
        .collect();
    let twins = mirror_twins(&points, plane, tolerance);
    for (&joint, twin) in left.iter().zip(twins) {
        let pair = match twin {
            Some(twin) => (left[twin as usize], PairedBy::Place),
            None => (joint, PairedBy::Nobody),
        };
        pairs.insert(joint, pair);
    }
}
