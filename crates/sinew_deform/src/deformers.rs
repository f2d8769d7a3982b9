//! What a deformer is, and the list of all of them.

use glam::Vec3;
use sinew_model::VertexIndex;

use crate::dual_quaternion::DualQuaternion;
use crate::input::SkinInput;
use crate::linear_blend::LinearBlend;
use crate::palette::Palette;

/// Every deformer, in the order of menus.
pub static DEFORMERS: &[&dyn Deformer] = &[&LinearBlend, &DualQuaternion];

/// A way to pose vertices. The result depends on nothing but the arguments: not on earlier calls, on the order of a
/// row's influences or on the number of threads.
pub trait Deformer: Sync {
    /// What scripts say.
    fn name(&self) -> &'static str;

    /// What menus say.
    fn label(&self) -> &'static str;

    /// One line for tooltips.
    fn hint(&self) -> &'static str;

    /// Poses every vertex.
    fn deform(&self, input: &SkinInput<'_>, palette: &Palette, out: &mut Posed);

    /// Poses the given vertices to the same bits as [`Deformer::deform`] and leaves the others in `out` as they are.
    /// Vertices that do not exist are passed over.
    fn deform_some(&self, input: &SkinInput<'_>, palette: &Palette, vertices: &[VertexIndex], out: &mut Posed);
}

/// The deformer of that name.
pub fn deformer_named(name: &str) -> Option<&'static dyn Deformer> {
    DEFORMERS.iter().copied().find(|deformer| deformer.name() == name)
}

/// Posed vertices, in scene space. A deformer sets the lengths; kept between calls, nothing is allocated again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Posed {
    /// Positions. `[n_vertices]`
    pub positions: Vec<Vec3>,
    /// Unit normals (zero where the raw normal is zero). `[n_vertices]`
    pub normals: Vec<Vec3>,
}

impl Posed {
    pub(crate) fn fit(&mut self, n_vertices: usize) {
        self.positions.resize(n_vertices, Vec3::ZERO);
        self.normals.resize(n_vertices, Vec3::ZERO);
    }
}
