//! Average: the whole row toward the one mean row of everything under the dab: belts, buckles, rigid parts.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "average",
    label: "Average",
    hint: "Pull everything under the brush toward its one mean mixture of joints",
    idle: "the weights are equal here already",
    uses_value: false,
    inverse: Inverse::None,
    needs: Needs::Mean,
    kernel: Kernel::Row(|sample| sample.mean.cloned()),
};
