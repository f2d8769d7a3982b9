//! Add: `w + value · strength · falloff`, at most 1.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "add",
    label: "Add",
    hint: "Raise the joint's weight by the value",
    idle: "JOINT cannot gain more here",
    uses_value: true,
    inverse: Inverse::Brush("subtract"),
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|sample| sample.weight + sample.value),
};
