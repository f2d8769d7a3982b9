//! Smear: the whole row from where the stroke comes from, as far back as the dab has moved: slides a border.

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "smear",
    label: "Smear",
    hint: "Push weights along the stroke",
    idle: "there is nothing else here to carry along",
    uses_value: false,
    inverse: Inverse::None,
    needs: Needs::Upstream,
    kernel: Kernel::Row(|sample| (sample.upstream)()),
};
