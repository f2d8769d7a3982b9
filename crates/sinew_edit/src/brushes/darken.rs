//! Darken: as replace, but a vertex that has less than the value is left alone.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "darken",
    label: "Darken",
    hint: "Lower the joint's weight to the value where it is higher",
    idle: "JOINT has VALUE or less here already",
    uses_value: true,
    inverse: Inverse::BrushAndValue("lighten"),
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|sample| sample.weight.min(sample.value)),
};
