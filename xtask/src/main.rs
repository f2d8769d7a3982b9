//! Automation: `cargo xtask run | test | ci | bench | screenshots | fixtures | tidy`.

fn main() {}
