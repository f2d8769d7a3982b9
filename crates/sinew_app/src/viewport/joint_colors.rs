//! One colour a joint, the same every time: apart from its neighbours in the tree, and much alike in lightness, so that
//! no joint shouts. And a vertex's colour: the mix of its joints'.

use glam::Vec3;
use sinew_model::{Document, JointSlot, Mesh, SkinIndex, VertexIndex};
use sinew_render::Color;
use sinew_render::color::{linear_from_srgb, srgb_from_linear};

const N_HUES: usize = 24;
/// Lightness and chroma in OKLab; the two rows keep hues apart that are close.
const TONES: [[f32; 2]; 2] = [[0.74, 0.13], [0.60, 0.11]];
/// How many joints before a joint, in tree order, its colour is kept apart from.
const N_RECENT: usize = 10;

/// The colour of every joint, by node; grey for nodes that are none. Depends on the tree alone. `[n_nodes]`
pub fn of(document: &Document) -> Vec<Color> {
    let nodes = document.nodes();
    let candidates: Vec<Vec3> = (0..N_HUES * TONES.len())
        .map(|i| {
            let [lightness, chroma] = TONES[i % TONES.len()];
            let hue = (i / TONES.len()) as f32 / N_HUES as f32 * std::f32::consts::TAU;
            Vec3::new(lightness, chroma * hue.cos(), chroma * hue.sin())
        })
        .collect();
    let mut is_joint = vec![false; nodes.len()];
    document.joints().iter().for_each(|joint| is_joint[joint.idx()] = true);
    let mut labs: Vec<Option<Vec3>> = vec![None; nodes.len()];
    let mut recent: Vec<Vec3> = Vec::new();
    for (i, &joint) in nodes.order().iter().filter(|node| is_joint[node.idx()]).enumerate() {
        let above = std::iter::successors(nodes.parent(joint), |&node| nodes.parent(node)).take(3);
        let siblings = nodes.parent(joint).map(|parent| nodes.node(parent).children.as_slice()).unwrap_or_default();
        let near: Vec<Vec3> = above.chain(siblings.iter().copied()).filter_map(|node| labs[node.idx()]).collect();
        // Far from the family first, from those just before it second; the place where the search begins makes
        // equal choices differ from joint to joint.
        let apart = |lab: Vec3| {
            let least = |from: &[Vec3]| from.iter().map(|other| other.distance(lab)).fold(0.3, f32::min);
            least(&near) + 0.4 * least(&recent)
        };
        let first = i * 17;
        let best = (0..candidates.len())
            .map(|k| candidates[(first + k) % candidates.len()])
            .reduce(|best, lab| if apart(lab) > apart(best) + 1e-4 { lab } else { best })
            .unwrap_or(Vec3::new(0.7, 0.0, 0.0));
        labs[joint.idx()] = Some(best);
        recent.push(best);
        if recent.len() > N_RECENT {
            recent.remove(0);
        }
    }
    labs.into_iter().map(|lab| from_linear(linear_from_oklab(lab.unwrap_or(Vec3::new(0.6, 0.0, 0.0))))).collect()
}

/// Every vertex's colour under a skin: its joints' colours mixed by weight in linear light, opaque; clear where there
/// is no weight. `[n_vertices]`
pub fn of_vertices(document: &Document, mesh: &Mesh, skin: SkinIndex, of_joints: &[Color]) -> Vec<Color> {
    let skin = document.skin(skin);
    let by_slot: Vec<Option<Vec3>> = (0..skin.joints().len())
        .map(|slot| {
            let joint = skin.joint(JointSlot::from_idx(slot))?;
            let [r, g, b, _] = of_joints.get(joint.idx())?.to_linear();
            Some(Vec3::new(r, g, b))
        })
        .collect();
    let one = |vertex: VertexIndex| {
        let (mut sum, mut total) = (Vec3::ZERO, 0.0);
        mesh.weights.row(vertex).for_each(|influence| {
            if let Some(Some(color)) = by_slot.get(influence.slot.idx())
                && influence.weight > 0.0
                && influence.weight.is_finite()
            {
                sum += *color * influence.weight;
                total += influence.weight;
            }
        });
        if total > 1e-6 { from_linear(sum / total) } else { Color::TRANSPARENT }
    };
    mesh.weights.vertices().map(one).collect()
}

fn from_linear(linear: Vec3) -> Color {
    let [r, g, b] = linear.to_array().map(|c| (srgb_from_linear(c.clamp(0.0, 1.0)) * 255.0).round() as u8);
    Color([r, g, b, 255])
}

/// Linear sRGB from OKLab (Björn Ottosson, "A perceptual color space for image processing", 2020).
fn linear_from_oklab(lab: Vec3) -> Vec3 {
    let [l, a, b] = lab.to_array();
    let long = (l + 0.396_337_78 * a + 0.215_803_76 * b).powi(3);
    let medium = (l - 0.105_561_346 * a - 0.063_854_17 * b).powi(3);
    let short = (l - 0.089_484_18 * a - 1.291_485_5 * b).powi(3);
    Vec3::new(
        4.076_741_7 * long - 3.307_711_6 * medium + 0.230_969_94 * short,
        -1.268_438 * long + 2.609_757_4 * medium - 0.341_319_38 * short,
        -0.004_196_086_3 * long - 0.703_418_6 * medium + 1.707_614_7 * short,
    )
}

/// OKLab from an sRGB colour: how different two colours look is their distance.
pub fn oklab(color: Color) -> Vec3 {
    let [r, g, b, _] = color.0.map(|c| linear_from_srgb(f32::from(c) / 255.0));
    let long = (0.412_221_46 * r + 0.536_332_55 * g + 0.051_445_995 * b).cbrt();
    let medium = (0.211_903_5 * r + 0.680_699_5 * g + 0.107_396_96 * b).cbrt();
    let short = (0.088_302_46 * r + 0.281_718_85 * g + 0.629_978_7 * b).cbrt();
    Vec3::new(
        0.210_454_26 * long + 0.793_617_8 * medium - 0.004_072_047 * short,
        1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_7 * short,
        0.025_904_037 * long + 0.782_771_77 * medium - 0.808_675_77 * short,
    )
}

#[cfg(test)]
mod tests {
    use sinew_model::{DocumentParts, LocalTransform, Node, NodeIndex, NodeTree, Skin};

    use super::*;

    #[test]
    fn oklab_there_and_back_is_the_same_colour() {
        for color in [Color::hex(0xE0706A), Color::hex(0x5EC8B5), Color::hex(0x808080)] {
            let there = from_linear(linear_from_oklab(oklab(color)));
            for (a, b) in there.0.iter().zip(color.0) {
                assert!(a.abs_diff(b) <= 1, "{there:?} {color:?}");
            }
        }
    }

    /// A chain of joints, each with two fingers.
    fn tree(n: usize) -> Document {
        let node = |children: Vec<NodeIndex>| Node {
            name: None,
            children,
            rest: LocalTransform::IDENTITY,
            mesh: None,
            skin: None,
            morph_weights: None,
        };
        let idx = NodeIndex::from_idx;
        let nodes = (0..n)
            .flat_map(|i| {
                let mut children = vec![idx(3 * i + 1), idx(3 * i + 2)];
                if i + 1 < n {
                    children.push(idx(3 * i + 3));
                }
                [node(children), node(Vec::new()), node(Vec::new())]
            })
            .collect();
        let joints = (0..3 * n).map(idx).collect();
        let skin = Skin::new(SkinIndex::from_idx(0), None, joints, None, 3 * n);
        let parts = DocumentParts {
            nodes: NodeTree::new(nodes).expect("a tree"),
            skins: vec![skin.expect("a skin")],
            ..DocumentParts::default()
        };
        Document::new(parts).expect("a document")
    }

    #[test]
    fn neighbours_in_the_tree_look_different_and_colours_stay() {
        let document = tree(20);
        let colors = of(&document);
        assert_eq!(colors, of(&document));
        for (node, _) in document.nodes().iter() {
            let Some(parent) = document.nodes().parent(node) else { continue };
            let siblings = &document.nodes().node(parent).children;
            for &other in siblings.iter().filter(|&&other| other != node).chain([&parent]) {
                let apart = oklab(colors[node.idx()]).distance(oklab(colors[other.idx()]));
                assert!(apart > 0.09, "{node} and {other}: {apart}");
            }
        }
    }
}
