//! Erase: the joint leaves, `w − w · strength · falloff`; what it had goes where removed weight is given to.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "erase",
    label: "Erase",
    hint: "Take the joint out of the vertices",
    idle: "JOINT has no weight here",
    uses_value: false,
    inverse: Inverse::None,
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|_| 0.0),
};
