//! The brushes. A brush says where a vertex is going; the stroke owns everything else (spacing, falloff, blending,
//! mirror, locks, masks, budget, normalising, undo).
//!
//! To add one: write its file with a `static BRUSH`, and name it in [`BRUSHES`].

use sinew_model::{Row, RowRef};

mod add;
mod average;
mod darken;
mod erase;
mod grow;
mod hammer;
mod lighten;
mod replace;
mod scale;
mod sharpen;
mod smear;
mod smooth;
mod subtract;

/// Every brush, in the order in which they are offered.
pub static BRUSHES: &[&Brush] = &[
    &replace::BRUSH,
    &add::BRUSH,
    &subtract::BRUSH,
    &smooth::BRUSH,
    &scale::BRUSH,
    &grow::BRUSH,
    &lighten::BRUSH,
    &darken::BRUSH,
    &sharpen::BRUSH,
    &average::BRUSH,
    &smear::BRUSH,
    &hammer::BRUSH,
    &erase::BRUSH,
];

/// A brush: plain data and a pure kernel.
pub struct Brush {
    /// The name in scripts.
    pub name: &'static str,
    /// The name on screen.
    pub label: &'static str,
    /// What it does, one line.
    pub hint: &'static str,
    /// Why it changes nothing where it changes nothing; `JOINT` and `VALUE` stand for what is painted.
    pub idle: &'static str,
    /// Whether it uses the stroke's value.
    pub uses_value: bool,
    /// What Ctrl makes of it.
    pub inverse: Inverse,
    /// What its kernel must be given.
    pub needs: Needs,
    /// Where a vertex is going.
    pub kernel: Kernel,
}

/// What inverting a brush does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inverse {
    /// Nothing.
    None,
    /// It paints toward 1 − value.
    Value,
    /// Another brush takes its place.
    Brush(&'static str),
    /// Another brush takes its place, with 1 − value.
    BrushAndValue(&'static str),
}

/// What a kernel needs besides the vertex and its neighbours. It costs something, so it is only there for who needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// Nothing.
    Neighbours,
    /// [`Sample::mean`].
    Mean,
    /// [`Sample::upstream`]: the dab's way since the one before.
    Upstream,
}

/// Where a vertex is going, at full strength.
#[derive(Clone, Copy)]
pub enum Kernel {
    /// Toward a weight of the painted joint. The stroke blends, clamps and normalises.
    Weight(fn(&Sample<'_>) -> f32),
    /// Toward a whole row; `None` leaves the vertex alone.
    Row(fn(&Sample<'_>) -> Option<Row>),
}

/// What a kernel may look at: one vertex before the dab.
pub struct Sample<'a> {
    /// The vertex's row.
    pub row: &'a Row,
    /// The painted joint's weight in it.
    pub weight: f32,
    /// The stroke's value.
    pub value: f32,
    /// The mean of the neighbouring vertices' rows, `None` without neighbours. Costs something: ask only if needed.
    pub neighbour_mean: &'a dyn Fn() -> Option<Row>,
    /// The neighbouring vertices' rows. Costs something: ask only if needed.
    pub neighbours: &'a dyn Fn() -> Vec<RowRef<'a>>,
    /// The mean of all rows under the dab, counted by its falloff. Only for who [`Needs::Mean`].
    pub mean: Option<&'a Row>,
    /// The row of the surface where the dab carries this vertex's weight from, `None` before the pointer moved. Only for
    /// who [`Needs::Upstream`].
    pub upstream: &'a dyn Fn() -> Option<Row>,
}

impl PartialEq for Brush {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl std::fmt::Debug for Brush {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Brush {
    /// Why it changed nothing on a joint toward a value, as a person reads it.
    pub(crate) fn why_nothing(&self, joint: &str, value: f32, existing_only: bool) -> String {
        let why = self.idle.replace("JOINT", joint).replace("VALUE", &format!("{value:.2}"));
        let only = match self.kernel {
            Kernel::Weight(_) if existing_only => ", or no weight at all: only joints that are there gain",
            _ => "",
        };
        format!("{why}{only}")
    }
}

/// The brush with that name.
pub fn brush_named(name: &str) -> Option<&'static Brush> {
    BRUSHES.iter().copied().find(|brush| brush.name == name)
}

/// All brush names, for messages.
pub fn brush_names() -> Vec<&'static str> {
    BRUSHES.iter().map(|brush| brush.name).collect()
}
