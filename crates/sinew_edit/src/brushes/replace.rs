//! Replace: `w + (value − w) · strength · falloff`.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "replace",
    label: "Replace",
    hint: "Paint the joint's weight toward the value",
    idle: "JOINT has VALUE here already",
    uses_value: true,
    inverse: Inverse::Value,
    needs: Needs::Neighbours,
    kernel: Kernel::Weight(|sample| sample.value),
};
