//! Subtract: `w − value · strength · falloff`, at least 0.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "subtract",
    label: "Subtract",
    hint: "Lower the joint's weight by the value",
    idle: "JOINT has no weight here",
    uses_value: true,
    inverse: Inverse::Brush("add"),
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|sample| sample.weight - sample.value),
};
