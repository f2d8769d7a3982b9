//! What is shown, and how a hand gets there.

use super::Scene;
use super::Step::{Click, Drag, Hold, Keys, Move, Settle, Type, Wheel};

/// Every picture.
#[rustfmt::skip]
pub const SCENES: &[Scene] = &[
    Scene {
        name: "start",
        file: "",
        steps: &[],
    },
];

#[expect(dead_code, reason = "steps that the present scenes do not need")]
const ALL_STEPS: &[super::Step] =
    &[Move(0, 0), Click, Drag(2, "", &[]), Hold(&[]), Keys(&[]), Settle, Type(""), Wheel(0)];
