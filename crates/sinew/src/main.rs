//! The one binary: `sinew FILE` opens the window, `sinew VERB FILE` runs without one.

fn main() {}
