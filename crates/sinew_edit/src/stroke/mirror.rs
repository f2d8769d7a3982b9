//! The other side of a stroke: what a dab aims at is done to the mirror images, too, with the mirrored joint.

use std::collections::BTreeSet;
use std::sync::Arc;

use sinew_model::{Document, MeshIndex, NodeIndex};

use super::target::Target;
use super::{StrokeSpec, first_instance};
use crate::brush_change::{Job, Upstream};
use crate::posed::PosedViews;
use crate::symmetry::Symmetry;

/// A stroke's symmetry.
pub(super) struct Mirror {
    pub(super) symmetry: Arc<Symmetry>,
    /// The mirror images of the painted joints, that of the stroke's own first.
    pub(super) joints: Vec<NodeIndex>,
    /// Meshes that hold mirror images but do not have the mirrored joint.
    without_joint: BTreeSet<MeshIndex>,
}

impl Mirror {
    pub(super) fn new(symmetry: Arc<Symmetry>, spec: &StrokeSpec) -> Self {
        let joints = spec.joints().map(|painted| symmetry.joint_twin(painted)).collect();
        Self { joints, symmetry, without_joint: BTreeSet::new() }
    }

    /// The mirror image of the stroke's own joint.
    pub(super) fn joint(&self) -> Option<NodeIndex> {
        self.joints.first().copied()
    }

    /// Gives every target its share of the mirrored jobs. Meshes that so far only hold mirror images become targets.
    pub(super) fn reflect(
        &mut self,
        document: &Document,
        views: &mut PosedViews,
        spec: &StrokeSpec,
        targets: &mut Vec<Target>,
    ) {
        let mut reflected: Vec<(MeshIndex, Job)> = Vec::new();
        for target in targets.iter_mut() {
            let mesh = target.mesh;
            for job in target.aimed_mut() {
                job.is_center = self.symmetry.is_centre(mesh, job.group);
                if job.is_center {
                    continue;
                }
                if let Some((twin_mesh, group)) = self.symmetry.twin(mesh, job.group) {
                    let upstream = job.upstream.map(|upstream| self.upstream(mesh, twin_mesh, group, upstream));
                    reflected.push((twin_mesh, Job { group, upstream, ..*job }));
                }
            }
        }
        for (mesh, job) in reflected {
            if let Some(target) = targets.iter_mut().find(|target| target.mesh == mesh) {
                target.push_mirrored(job);
            } else if !self.without_joint.contains(&mesh) {
                match self.target(document, views, spec, mesh) {
                    Some(mut target) => {
                        target.push_mirrored(job);
                        targets.push(target);
                    }
                    None => {
                        self.without_joint.insert(mesh);
                    }
                }
            }
        }
        targets.iter_mut().for_each(Target::sort_mirrored);
    }

    fn target(
        &self,
        document: &Document,
        views: &mut PosedViews,
        spec: &StrokeSpec,
        mesh: MeshIndex,
    ) -> Option<Target> {
        let instance_idx = first_instance(document, mesh, self.joint()?)?;
        let surface = views.surface(document, mesh);
        Target::begin_mirrored(document, surface, spec, instance_idx, self)
    }

    /// Where the mirror image's weight is carried from; corners without a twin on its mesh are the group itself.
    fn upstream(&self, mesh: MeshIndex, twin_mesh: MeshIndex, group: u32, upstream: Upstream) -> Upstream {
        let twin = |corner| self.symmetry.twin(mesh, corner).filter(|(of, _)| *of == twin_mesh);
        let groups = upstream.groups.map(|corner| twin(corner).map_or(group, |(_, twin)| twin));
        Upstream { groups, ..upstream }
    }
}
