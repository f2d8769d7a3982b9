//! Deformers against their conformance suite and against answers worked out by hand.

mod answers;
mod conformance;
mod fixtures;
mod odd_input;
