//! Grow: scale the other way, `w + (w ∕ value − w) · strength · falloff`, at most 1; only where the joint already is.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "grow",
    label: "Grow",
    hint: "Divide the joint's weight by the value: raises it only where it already is",
    idle: "JOINT has no weight here that this changes",
    uses_value: true,
    inverse: Inverse::Brush("scale"),
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|sample| {
        // 0 ÷ 0 would be no weight at all.
        if sample.weight > 0.0 { (sample.weight / sample.value).min(1.0) } else { sample.weight }
    }),
};
