//! Sharpen: the whole row away from its neighbours' mean and toward its larger joints. What smooth takes away.

use sinew_weights::sharpened;

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "sharpen",
    label: "Sharpen",
    hint: "Raise the contrast between joints: steeper ramps, firmer borders",
    idle: "there is no contrast here to raise",
    uses_value: false,
    inverse: Inverse::Brush("smooth"),
    needs: Needs::Neighbours,
    kernel: Kernel::Row(|sample| sharpened(sample.row, (sample.neighbour_mean)().as_ref())),
};
