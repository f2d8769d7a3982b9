//! Smooth: the whole row toward the mean of the neighbouring vertices' rows, all joints at once.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "smooth",
    label: "Smooth",
    hint: "Even out all joints' weights with the neighbouring vertices",
    idle: "the weights are even here already",
    uses_value: false,
    inverse: Inverse::Brush("sharpen"),
    needs: Needs::Neighbours,
    kernel: Kernel::Row(|sample| (sample.neighbour_mean)()),
};
