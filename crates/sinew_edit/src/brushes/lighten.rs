//! Lighten: as replace, but a vertex that has more than the value is left alone.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "lighten",
    label: "Lighten",
    hint: "Raise the joint's weight to the value where it is lower",
    idle: "JOINT has VALUE or more here already",
    uses_value: true,
    inverse: Inverse::BrushAndValue("darken"),
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|sample| sample.weight.max(sample.value)),
};
