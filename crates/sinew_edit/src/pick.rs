//! What is under the pointer: skin by ray, joints by distance on screen.

use glam::{Mat4, Vec2, Vec3};
use sinew_model::{Document, MeshIndex, NodeIndex, VertexIndex};

use crate::bones::Bone;
use crate::posed::PosedViews;

/// A ray, scene space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Ray {
    /// Where it starts.
    pub origin: Vec3,
    /// Where it goes; of any length but 0.
    pub direction: Vec3,
}

/// Where a ray meets the posed skin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SkinHit {
    /// Which instance ([`Document::instances`]).
    pub instance_idx: usize,
    /// Its mesh.
    pub mesh: MeshIndex,
    /// The triangle, over all primitives of the mesh.
    pub triangle: u32,
    /// Weights of the triangle's corners.
    pub barycentric: Vec3,
    /// The point, scene space.
    pub point: Vec3,
    /// Unit normal of the triangle, turned toward the ray's origin.
    pub normal: Vec3,
    /// The corner nearest to the point.
    pub vertex: VertexIndex,
    /// Distance in units of the ray's direction.
    pub t: f32,
}

/// The first posed skin a ray meets. `accept` says which instances take part.
pub fn skin(document: &Document, views: &mut PosedViews, ray: Ray, accept: impl Fn(usize) -> bool) -> Option<SkinHit> {
    let mut best: Option<SkinHit> = None;
    for (instance_idx, instance) in document.instances().iter().enumerate() {
        if !accept(instance_idx) {
            continue;
        }
        let surface = views.surface(document, instance.mesh);
        let (posed, bvh) = views.searchable(document, instance_idx);
        let max_t = best.as_ref().map_or(f32::INFINITY, |hit| hit.t);
        // What is hidden is not in the way.
        let hidden = document.hidden(instance.mesh);
        let is_seen = |triangle: u32| {
            let corners = surface.topology.triangles()[triangle as usize];
            hidden.is_empty() || !corners.iter().any(|&group| hidden.contains(surface.representative(group)))
        };
        let hit = bvh.raycast_where(&posed.group_positions, ray.origin, ray.direction, max_t, is_seen);
        let Some(hit) = hit else { continue };
        if best.as_ref().is_some_and(|best| best.t <= hit.t) {
            continue;
        }
        let groups = surface.topology.triangles()[hit.triangle as usize];
        let corners = groups.map(|group| posed.group_positions[group as usize]);
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
        let normal = if normal.dot(ray.direction) > 0.0 { -normal } else { normal };
        let nearest = (0..3).max_by(|&a, &b| hit.barycentric[a].total_cmp(&hit.barycentric[b])).unwrap_or(0);
        best = Some(SkinHit {
            instance_idx,
            mesh: instance.mesh,
            triangle: hit.triangle,
            barycentric: hit.barycentric,
            point: hit.point,
            normal,
            vertex: surface.representative(groups[nearest]),
            t: hit.t,
        });
    }
    best
}

/// The joint that moves what a ray met: on skin the one with most weight at the nearest corner, for a rigid part the one
/// that it hangs from.
pub fn moved_by(document: &Document, hit: &SkinHit) -> Option<NodeIndex> {
    let instance = document.instances()[hit.instance_idx];
    let Some(skin) = instance.skin.filter(|_| !document.is_rigid(hit.instance_idx)) else {
        return document.joint_above(instance.node);
    };
    let row = document.mesh(hit.mesh).weights.get(hit.vertex);
    let heaviest = row.influences().iter().max_by(|a, b| a.weight.total_cmp(&b.weight))?;
    document.skin(skin).joint(heaviest.slot)
}

/// The joint whose bone or dot is nearest to the pointer on screen, within `radius_px`. `to_px` is
/// `clip_from_scene` with the viewport's size: points behind the eye are left out. A joint's dot wins over a bone
/// passing by: dots count half their distance.
pub fn joint(
    bones: &[Bone],
    clip_from_scene: Mat4,
    viewport_px: Vec2,
    pointer_px: Vec2,
    radius_px: f32,
) -> Option<NodeIndex> {
    let mut best: Option<(f32, NodeIndex)> = None;
    for bone in bones {
        let (Some(head), Some(tail)) =
            (project(clip_from_scene, viewport_px, bone.head), project(clip_from_scene, viewport_px, bone.tail))
        else {
            continue;
        };
        let to_segment = distance_to_segment(pointer_px, head, tail);
        let to_dot = pointer_px.distance(head);
        if to_segment.min(to_dot) > radius_px {
            continue;
        }
        let score = (to_dot * 0.5).min(to_segment.max(radius_px * 0.25));
        if best.is_none_or(|(least, _)| score < least) {
            best = Some((score, bone.joint));
        }
    }
    best.map(|(_, joint)| joint)
}

/// Where a scene point is on screen, in pixels from the viewport's top left; `None` behind the eye.
pub fn project(clip_from_scene: Mat4, viewport_px: Vec2, point: Vec3) -> Option<Vec2> {
    let clip = clip_from_scene * point.extend(1.0);
    (clip.w > 1e-6).then(|| {
        let ndc = Vec2::new(clip.x, -clip.y) / clip.w;
        (ndc * 0.5 + 0.5) * viewport_px
    })
}

fn distance_to_segment(point: Vec2, a: Vec2, b: Vec2) -> f32 {
    let along = b - a;
    let length_squared = along.length_squared();
    let t = if length_squared > 0.0 { ((point - a).dot(along) / length_squared).clamp(0.0, 1.0) } else { 0.0 };
    point.distance(a + along * t)
}
