//! Vertices that a counter counts, shown on the model: marked, and framed.

use glam::Vec3;
use sinew_edit::Editor;
use sinew_model::{VertexIndex, WeightCensus};

use super::Viewport;
use super::options::Show;
use super::scene::UNWEIGHTED_TINT;
use sinew_render::Color;

/// What is marked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Marks {
    /// Vertices whose weights do not sum to 1.
    OffSum,
    /// Vertices with more influences than the budget.
    OverBudget,
    /// Vertices without weight.
    Unweighted,
    /// Vertices with a share that no joint has, left so by edits.
    Unassigned,
}

/// Room around framed vertices, share of the model's diagonal.
const MARGIN: f32 = 0.06;

impl Marks {
    /// The vertices of a mesh, rising.
    pub fn of(self, census: &WeightCensus) -> &[VertexIndex] {
        match self {
            Self::OffSum => &census.off_sum,
            Self::OverBudget => &census.over_budget,
            Self::Unweighted => &census.unweighted,
            Self::Unassigned => &census.unassigned,
        }
    }

    /// The tint.
    pub const fn tint(self) -> Color {
        match self {
            Self::OffSum | Self::Unassigned => Color([0xF0, 0xC0, 0x5A, 0xE0]),
            Self::OverBudget => Color([0xFF, 0x8F, 0x6B, 0xE0]),
            Self::Unweighted => UNWEIGHTED_TINT,
        }
    }
}

impl Viewport {
    /// Marks vertices and turns the view to them; the same again takes the marks away.
    pub fn toggle_marks(&mut self, editor: &mut Editor, marks: Marks) {
        if self.options.marks == Some(marks) {
            self.options.marks = None;
            return;
        }
        self.options.marks = Some(marks);
        self.options.show = Show::Weights;
        let points = marked_points(editor, marks);
        if !points.is_empty() {
            let margin = editor.bounds().diagonal() * MARGIN;
            let around = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis * margin, -axis * margin]);
            let padded: Vec<Vec3> = around.flat_map(|by| points.iter().map(move |&point| point + by)).collect();
            let size_px = self.view().size_px;
            self.camera.frame(&padded, size_px);
        }
    }
}

/// Where the marked vertices are in the session's pose, scene space.
fn marked_points(editor: &mut Editor, marks: Marks) -> Vec<Vec3> {
    let mut points = Vec::new();
    let shown = editor.shown_instances();
    for i in (0..shown.len()).filter(|&i| shown[i]) {
        let mesh = editor.document().instances()[i].mesh;
        let census = editor.census(mesh);
        let positions = &editor.posed(i).posed.positions;
        points.extend(marks.of(&census).iter().filter_map(|vertex| positions.get(vertex.idx())));
    }
    points
}
