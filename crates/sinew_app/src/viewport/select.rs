//! Selecting vertices in the view: a click takes what is under the pointer, a drag what lies within a box or a lasso.
//! Shift adds, Ctrl takes away. What comes out are command lines, so that a script selects the same.

use glam::{Vec2, Vec3};
use rayon::prelude::*;
use sinew_edit::{Editor, Line, args};
use sinew_model::{MeshIndex, VertexSet};

use super::camera::View;

/// What a click takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Takes {
    /// The nearest vertex.
    #[default]
    Vertex,
    /// The corners of the face.
    Face,
    /// All that hangs together with it.
    Shell,
}

/// What a drag draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Draws {
    /// A box from corner to corner.
    #[default]
    Box,
    /// The way of the pointer, closed.
    Lasso,
}

/// How vertices are selected.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelectSettings {
    /// What a click takes.
    pub takes: Takes,
    /// What a drag draws.
    pub draws: Draws,
    /// Whether a drag also takes what is hidden from the eye.
    pub through: bool,
}

/// The numbers that vertices can be selected by.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SelectBy {
    /// The active joint's least weight.
    pub least: f32,
    /// The active joint's greatest weight.
    pub greatest: f32,
    /// More influences than this.
    pub over: u8,
}

impl Default for SelectBy {
    fn default() -> Self {
        Self { least: 0.5, greatest: 0.1, over: 4 }
    }
}

/// What becomes of the selection there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// It is replaced.
    Replace,
    /// It grows.
    Add,
    /// It shrinks.
    Remove,
}

/// A drag under way.
#[derive(Clone, PartialEq, Debug)]
pub struct SelectDrag {
    how: How,
    /// Where the pointer went, pixels; of a box its two corners.
    path_px: Vec<Vec2>,
}

/// A pointer that went less far was a click, points.
const CLICK_POINTS: f32 = 3.0;
/// Points of a lasso are at least so far apart, pixels.
const LASSO_STEP_PX: f32 = 3.0;

impl Takes {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 3] = [
        (Self::Vertex, "Vertex", "A click takes the nearest vertex"),
        (Self::Face, "Face", "A click takes the corners of a face"),
        (Self::Shell, "Island", "A click takes all that hangs together"),
    ];
}

impl Draws {
    /// All, in the order in which they are offered: value, name, one line.
    pub const ALL: [(Self, &'static str, &'static str); 2] =
        [(Self::Box, "Box", "A drag draws a box"), (Self::Lasso, "Lasso", "A drag draws a loop around vertices")];
}

impl How {
    /// By the keys that are held.
    pub fn of(modifiers: egui::Modifiers) -> Self {
        match (modifiers.command, modifiers.shift) {
            (true, _) => Self::Remove,
            (false, true) => Self::Add,
            (false, false) => Self::Replace,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Replace => "replace",
            Self::Add => "add",
            Self::Remove => "remove",
        }
    }
}

impl SelectDrag {
    /// The button goes down.
    pub fn begin(px: Vec2, how: How) -> Self {
        Self { how, path_px: vec![px, px] }
    }

    /// The pointer moves.
    pub fn drag(&mut self, px: Vec2, draws: Draws) {
        match draws {
            Draws::Box => self.path_px[1] = px,
            Draws::Lasso => {
                if self.path_px.last().is_none_or(|last| last.distance(px) >= LASSO_STEP_PX) {
                    self.path_px.push(px);
                }
            }
        }
    }

    /// The outline, pixels.
    pub fn outline_px(&self, draws: Draws) -> Vec<Vec2> {
        match draws {
            Draws::Box => {
                let (a, b) = (self.path_px[0], self.path_px[1]);
                vec![a, Vec2::new(b.x, a.y), b, Vec2::new(a.x, b.y)]
            }
            Draws::Lasso => self.path_px.clone(),
        }
    }

    /// Whether the pointer hardly moved.
    pub fn is_click(&self, pixels_per_point: f32) -> bool {
        let first = self.path_px[0];
        self.path_px.iter().all(|px| px.distance(first) <= CLICK_POINTS * pixels_per_point)
    }

    /// The lines that select what was meant.
    pub fn lines(
        &self,
        editor: &mut Editor,
        (view, pixels_per_point): (&View, f32),
        settings: SelectSettings,
    ) -> Vec<Line> {
        if self.is_click(pixels_per_point) {
            return self.click(editor, view, settings.takes).into_iter().collect();
        }
        let outline = self.outline_px(settings.draws);
        let found = within(editor, view, &outline, settings.through);
        if found.is_empty() {
            return self.nothing(editor).into_iter().collect();
        }
        let mut how = self.how;
        let mut lines = Vec::with_capacity(found.len());
        for (mesh, set) in found {
            lines.push(line(editor, mesh, "vertices", &set.to_string(), how));
            // The first one has replaced what there was.
            how = if how == How::Replace { How::Add } else { how };
        }
        lines
    }

    fn click(&self, editor: &mut Editor, view: &View, takes: Takes) -> Option<Line> {
        let Some(hit) = editor.pick(view.ray_at(self.path_px[0])) else { return self.nothing(editor) };
        if !editor.document().mesh(hit.mesh).is_skinned() {
            return self.nothing(editor);
        }
        let (key, value) = match takes {
            Takes::Vertex => ("vertices", hit.vertex.to_string()),
            Takes::Face => ("faces", hit.triangle.to_string()),
            Takes::Shell => ("island_of", hit.vertex.to_string()),
        };
        Some(line(editor, hit.mesh, key, &value, self.how))
    }

    /// A click beside everything selects nothing.
    fn nothing(&self, editor: &Editor) -> Option<Line> {
        let has_any = n_selected(editor) > 0;
        (self.how == How::Replace && has_any).then(|| Line::new("select_none"))
    }
}

/// How many vertices are selected, over all meshes.
pub fn n_selected(editor: &Editor) -> usize {
    let document = editor.document();
    document.skinned_meshes().into_iter().map(|mesh| document.selection(mesh).len()).sum()
}

fn line(editor: &Editor, mesh: MeshIndex, key: &str, value: &str, how: How) -> Line {
    let line = Line::new("select").with(key, value).with("mesh", args::mesh_name(editor.document(), mesh));
    if how == How::Replace { line } else { line.with("how", how.name()) }
}

/// The vertices of every skinned mesh within an outline on screen; by default only those that the eye sees.
fn within(editor: &mut Editor, view: &View, outline_px: &[Vec2], through: bool) -> Vec<(MeshIndex, VertexSet)> {
    let (mut low, mut high) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for px in outline_px {
        (low, high) = (low.min(*px), high.max(*px));
    }
    let eye = view.camera.eye();
    let mut found: Vec<(MeshIndex, VertexSet)> = Vec::new();
    let n_instances = editor.document().instances().len();
    let shown = editor.shown_instances();
    for i in (0..n_instances).filter(|&i| shown[i]) {
        let instance = editor.document().instances()[i];
        if instance.skin.is_none() || !editor.document().mesh(instance.mesh).is_skinned() {
            continue;
        }
        let surface = editor.surface(instance.mesh);
        let positions = &editor.posed(i).group_positions;
        let is_within = |position: Vec3| {
            view.px_of(position).is_some_and(|px| {
                let in_box = px.cmpge(low).all() && px.cmple(high).all();
                in_box && is_inside(outline_px, px)
            })
        };
        let mut groups: Vec<(u32, Vec3)> = positions
            .par_iter()
            .enumerate()
            .filter(|(_, position)| is_within(**position))
            .map(|(group, &position)| (group as u32, position))
            .collect();
        for other in (0..n_instances).filter(|&other| !through && shown[other]) {
            let (posed, bvh) = editor.searchable(other);
            let own = (other == i).then_some(&surface);
            let is_seen = |(group, place): &(u32, Vec3)| {
                let corners = own.map(|surface| surface.topology.corners(*group)).unwrap_or_default();
                let is_own = |triangle: u32| corners.iter().any(|&corner| corner / 3 == triangle);
                !bvh.any_hit(&posed.group_positions, *place, eye - *place, (1e-5, 1.0), is_own)
            };
            groups = groups.into_par_iter().filter(is_seen).collect();
        }
        let hidden = editor.document().hidden(instance.mesh);
        let vertices = groups.iter().flat_map(|&(group, _)| surface.members(group));
        let set: VertexSet = vertices.filter(|&vertex| !hidden.contains(vertex)).collect();
        if set.is_empty() {
            continue;
        }
        match found.iter_mut().find(|(mesh, _)| *mesh == instance.mesh) {
            Some((_, all)) => all.add(&set),
            None => found.push((instance.mesh, set)),
        }
    }
    found
}

/// Whether a point is within a closed outline: an odd number of its sides lie to the right.
fn is_inside(outline: &[Vec2], at: Vec2) -> bool {
    let sides = outline.iter().zip(outline.iter().cycle().skip(1));
    let crossed = sides.filter(|(a, b)| {
        let is_across = (a.y > at.y) != (b.y > at.y);
        is_across && at.x < (b.x - a.x) * (at.y - a.y) / (b.y - a.y) + a.x
    });
    crossed.count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lasso_holds_what_is_inside_it_though_it_is_bent() {
        let bent = [[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [5.0, 2.0], [0.0, 10.0]].map(Vec2::from);
        assert!(is_inside(&bent, Vec2::new(1.0, 5.0)) && is_inside(&bent, Vec2::new(9.0, 5.0)));
        assert!(!is_inside(&bent, Vec2::new(5.0, 6.0)), "in the notch");
        assert!(!is_inside(&bent, Vec2::new(-1.0, 5.0)) && !is_inside(&bent, Vec2::new(11.0, 5.0)));
    }
}
