//! Hammer: a row that does not fit its surroundings takes the mean of its neighbours; good rows stay to the bit.

use sinew_weights::hammered;

use super::{Brush, Inverse, Kernel, Needs};

pub(super) static BRUSH: Brush = Brush {
    name: "hammer",
    label: "Hammer",
    hint: "Repair spikes: vertices that do not fit those around them",
    idle: "nothing stands out here",
    uses_value: false,
    inverse: Inverse::None,
    needs: Needs::Neighbours,
    kernel: Kernel::Row(|sample| hammered(sample.row, &(sample.neighbours)())),
};
