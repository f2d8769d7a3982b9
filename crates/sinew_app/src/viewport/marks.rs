//! Vertices that a counter counts, shown on the model: marked, and framed place by place.

use std::collections::BTreeMap;

use glam::{IVec3, Vec3};
use sinew_edit::Editor;
use sinew_geometry::Aabb;
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

/// A marked vertex as it stands, scene space.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Marked {
    /// Whose it is, and which.
    pub of: (usize, VertexIndex),
    /// Where it is.
    pub point: Vec3,
    /// Which way the surface faces there; of length 1 or 0.
    pub normal: Vec3,
}

/// Room around framed vertices, so that one knows where on the model that is; share of the model's diagonal.
const MARGIN: f32 = 0.15;
/// Vertices so near to each other are in one place, share of the model's diagonal.
const NEAR: f32 = 0.04;
/// Nobody looks at more places one by one: then what is nearest together counts as one.
const MOST_PLACES: usize = 8;
/// A place that faces the eye like this, cosine, is seen as it is.
const FACES_EYE: f32 = 0.6;
/// Steeper than this one would not know up from down, degrees.
const STEEPEST_DEG: f32 = 70.0;

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

    /// What they are called, so many of them.
    pub const fn name(self, n: usize) -> &'static str {
        match (self, n) {
            (Self::OffSum, 1) => "vertex that does not sum to 1",
            (Self::OffSum, _) => "vertices that do not sum to 1",
            (Self::OverBudget, 1) => "vertex over budget",
            (Self::OverBudget, _) => "vertices over budget",
            (Self::Unweighted, 1) => "unweighted vertex",
            (Self::Unweighted, _) => "unweighted vertices",
            (Self::Unassigned, 1) => "unassigned vertex",
            (Self::Unassigned, _) => "unassigned vertices",
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
    /// Marks vertices and turns the view to the first place that has some; asked again, to the next, and after the last the
    /// marks go. Returns what is seen, in words.
    pub fn next_marks(&mut self, editor: &mut Editor, marks: Marks) -> String {
        let place = if self.options.marks == Some(marks) { self.marked_place + 1 } else { 0 };
        let marked = marked(editor, marks);
        let places = places(&marked, &links(editor, &marked), self.bounds.diagonal() * NEAR);
        if place > 0 && place >= places.len() {
            self.options.marks = None;
            return "Marks are off".to_owned();
        }
        (self.options.marks, self.options.show, self.marked_place) = (Some(marks), Show::Weights, place);
        let Some(there) = places.get(place) else {
            return format!("None of the {} is in view: View > Show All Meshes shows them", marks.name(2));
        };
        self.look_at(there);
        let (n, name) = (there.len(), marks.name(there.len()));
        if places.len() > 1 {
            format!("{} of {} places: {n} {name} here", place + 1, places.len())
        } else {
            format!("{n} {name}, all in one place")
        }
    }

    /// Frames vertices, from where they face if they do not face the eye.
    fn look_at(&mut self, marked: &[Marked]) {
        let points: Vec<Vec3> = marked.iter().map(|marked| marked.point).collect();
        let mean = marked.iter().map(|marked| marked.normal).sum::<Vec3>() / marked.len().max(1) as f32;
        let to_eye = (self.camera.eye() - Aabb::from_points(&points).center()).normalize_or_zero();
        // Where they lie all around there is no such side.
        let side = mean.normalize_or_zero();
        if mean.length() > 0.2 && side.dot(to_eye) < FACES_EYE {
            let pitch_deg = side.y.asin().to_degrees().clamp(-STEEPEST_DEG, STEEPEST_DEG);
            self.camera.look([side.x.atan2(side.z).to_degrees(), pitch_deg]);
        }
        let margin = self.bounds.diagonal() * MARGIN;
        let around = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|axis| [axis * margin, -axis * margin]);
        let padded: Vec<Vec3> = around.flat_map(|by| points.iter().map(move |&point| point + by)).collect();
        let size_px = self.view().size_px;
        self.camera.frame(&padded, size_px);
    }
}

/// The marked vertices that are in view, in the session's pose.
pub fn marked(editor: &mut Editor, marks: Marks) -> Vec<Marked> {
    let mut all = Vec::new();
    let shown = editor.shown_instances();
    for i in (0..shown.len()).filter(|&i| shown[i]) {
        let mesh = editor.document().instances()[i].mesh;
        let census = editor.census(mesh);
        let hidden = editor.document().hidden(mesh).clone();
        let posed = &editor.posed(i).posed;
        for vertex in marks.of(&census).iter().copied().filter(|&vertex| !hidden.contains(vertex)) {
            let point = posed.positions.get(vertex.idx()).copied().filter(|point| point.is_finite());
            let normal = posed.normals.get(vertex.idx()).map_or(Vec3::ZERO, |normal| normal.normalize_or_zero());
            all.extend(point.map(|point| Marked { of: (i, vertex), point, normal }));
        }
    }
    all
}

/// Pairs of marked vertices that an edge joins.
fn links(editor: &mut Editor, marked: &[Marked]) -> Vec<[usize; 2]> {
    let mut links = Vec::new();
    let mut places = BTreeMap::new();
    for (place, one) in marked.iter().enumerate() {
        let (instance_idx, vertex) = one.of;
        let surface = editor.surface(editor.document().instances()[instance_idx].mesh);
        let group = surface.group_of(vertex);
        let around = surface.topology.neighbours(group).iter().chain([&group]);
        links.extend(around.filter_map(|&near| Some([place, *places.get(&(instance_idx, near))?])));
        places.entry((instance_idx, group)).or_insert(place);
    }
    links
}

/// Vertices by the place they are in, the place with most of them first. Those that an edge joins are in one place, and
/// those within `near` of each other.
fn places(marked: &[Marked], links: &[[usize; 2]], near: f32) -> Vec<Vec<Marked>> {
    let mut size = near.max(f32::MIN_POSITIVE);
    loop {
        let places = places_by_cells(marked, links, size);
        if places.len() <= MOST_PLACES {
            return places;
        }
        size *= 1.5;
    }
}

/// What lies in cells of a grid that touch each other is in one place.
fn places_by_cells(marked: &[Marked], links: &[[usize; 2]], size: f32) -> Vec<Vec<Marked>> {
    let mut of: Vec<usize> = (0..marked.len()).collect();
    let mut join = |a: usize, b: usize| {
        let [a, b] = [a, b].map(|mut one| {
            while of[one] != one {
                of[one] = of[of[one]];
                one = of[one];
            }
            one
        });
        of[a.max(b)] = a.min(b);
    };
    for &[a, b] in links {
        join(a, b);
    }
    let mut cells = BTreeMap::new();
    for (place, one) in marked.iter().enumerate() {
        let cell = (one.point / size).floor().as_ivec3();
        for by in (0..27).map(|k| IVec3::new(k % 3, k / 3 % 3, k / 9) - 1) {
            if let Some(&beside) = cells.get(&cell.saturating_add(by).to_array()) {
                join(place, beside);
            }
        }
        cells.entry(cell.to_array()).or_insert(place);
    }
    let mut places: BTreeMap<usize, Vec<Marked>> = BTreeMap::new();
    for (place, one) in marked.iter().enumerate() {
        let first = std::iter::successors(Some(place), |&at| (of[at] != at).then(|| of[at])).last();
        places.entry(first.unwrap_or(place)).or_default().push(*one);
    }
    let mut places: Vec<_> = places.into_values().collect();
    places.sort_by_key(|place| std::cmp::Reverse(place.len()));
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(points: &[[f32; 3]]) -> Vec<Marked> {
        points.iter().map(|&point| Marked { of: (0, VertexIndex(0)), point: point.into(), normal: Vec3::Y }).collect()
    }

    #[test]
    fn vertices_fall_into_the_places_that_one_sees_the_fullest_first() {
        let eyes = at(&[[-1.0, 0.0, 0.0], [-0.95, 0.0, 0.0], [1.0, 0.0, 0.0], [1.05, 0.0, 0.0], [1.1, 0.04, 0.0]]);
        let found = places(&eyes, &[], 0.1);
        assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [3, 2]);
        assert!(found[0].iter().all(|marked| marked.point.x > 0.0));
        assert_eq!(places(&eyes, &[[1, 2]], 0.1).len(), 1, "an edge goes from one to the other");
        let row: Vec<[f32; 3]> = (0..100).map(|i| [i as f32 * 0.09, 0.0, 0.0]).collect();
        assert_eq!(places(&at(&row), &[], 0.1).len(), 1, "what hangs together is one place");
        assert!(places(&[], &[], 0.1).is_empty());
    }

    #[test]
    fn scattered_vertices_are_taken_together_until_there_are_few_places() {
        let far: Vec<[f32; 3]> = (0..300).map(|i| [(i % 20) as f32, (i / 20) as f32, 0.0]).collect();
        let found = places(&at(&far), &[], 0.01);
        assert!((1..=MOST_PLACES).contains(&found.len()));
        assert_eq!(found.iter().map(Vec::len).sum::<usize>(), 300);
        let huge = at(&[[-3e38, 0.0, 0.0], [3e38, 0.0, 0.0], [0.0, 0.0, 0.0]]);
        assert_eq!(places(&huge, &[], 0.1).iter().map(Vec::len).sum::<usize>(), 3);
    }
}
