//! `cargo xtask bench`: the speed and memory targets of the project, each measured beside its yardstick in one run.
//!
//! All meshes are made here. With an argument only the groups whose name contains it run: `cargo xtask bench stroke`.

mod deforming;
mod files;
mod strokes;
mod verbs;
mod views;

use std::time::Instant;

/// One measured line.
pub(crate) struct Line {
    /// What was done.
    pub what: String,
    /// What it took.
    pub found: String,
    /// What was aimed at.
    pub target: String,
    /// Whether the aim was reached.
    pub is_reached: bool,
    /// What it is measured against, from this run or (named) from elsewhere.
    pub yardstick: String,
}

/// A name and what measures its lines.
type Group = (&'static str, fn() -> Vec<Line>);

/// The groups, in the order in which they run.
const GROUPS: &[Group] = &[
    ("deform", deforming::run),
    ("stroke", strokes::run),
    ("view", views::run),
    ("file", files::run),
    ("verb", verbs::run),
];

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [command, path] = &args[..]
        && command == "--open"
    {
        files::open_and_report(path);
        return;
    }
    let only = args.first().map_or("", String::as_str);
    println!(
        "{} threads; medians; figures of other programs come from DESIGN.md's table",
        rayon::current_num_threads()
    );
    let mut n_missed = 0;
    for (name, run) in GROUPS.iter().filter(|(name, _)| name.contains(only)) {
        println!("\n{name}");
        for line in run() {
            let mark = if line.is_reached { "ok  " } else { "MISS" };
            n_missed += usize::from(!line.is_reached);
            println!("  {mark} {:<58} {:>12}   target {:<18} {}", line.what, line.found, line.target, line.yardstick);
        }
    }
    println!("\n{n_missed} targets missed");
}

/// Milliseconds that `run` takes.
pub(crate) fn time_ms<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = run();
    (start.elapsed().as_secs_f64() * 1e3, result)
}

/// The middle one.
pub(crate) fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A line about milliseconds.
pub(crate) fn line_ms(what: &str, found_ms: f64, target_ms: f64, yardstick: impl Into<String>) -> Line {
    Line {
        what: what.to_owned(),
        found: format!("{found_ms:.2} ms"),
        target: format!("{target_ms} ms"),
        is_reached: found_ms <= target_ms,
        yardstick: yardstick.into(),
    }
}
