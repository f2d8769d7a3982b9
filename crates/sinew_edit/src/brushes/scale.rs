//! Scale: `w + (w · value − w) · strength · falloff`: fades a joint without flattening its shape.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "scale",
    label: "Scale",
    hint: "Multiply the joint's weight by the value",
    idle: "JOINT has no weight here that this changes",
    uses_value: true,
    inverse: Inverse::Brush("grow"),
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|sample| sample.weight * sample.value),
};
