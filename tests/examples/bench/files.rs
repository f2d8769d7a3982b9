//! Opening and saving a GLB of a million vertices: time and memory.

use std::process::Command;

use sinew_io::{ContainerKind, MapResolver};
use sinew_model::{JointSlot, MeshIndex, Row, VertexIndex};

use crate::{Line, line_ms, median, time_ms};

/// The arm: a tube of 1,000 rings of 1,000 vertices.
pub(crate) fn arm_glb() -> Vec<u8> {
    sinew_tests::tube(1000, 1000).glb()
}

pub(crate) fn run() -> Vec<Line> {
    let glb = arm_glb();
    let mib = glb.len() as f64 / f64::from(1 << 20);
    let mut lines = open(&glb, mib);
    lines.extend(save(&glb, mib));
    lines.extend(eight_influences());
    lines
}

fn open(glb: &[u8], mib: f64) -> Vec<Line> {
    let Ok(folder) = tempfile::tempdir() else { return Vec::new() };
    let path = folder.path().join("arm.glb");
    let Ok(program) = std::env::current_exe() else { return Vec::new() };
    if std::fs::write(&path, glb).is_err() {
        return Vec::new();
    }
    // In a process of its own, so that its peak memory is what opening takes.
    let mut times = Vec::new();
    let mut peaks = Vec::new();
    for _ in 0..5 {
        let Ok(output) = Command::new(&program).arg("--open").arg(&path).output() else { return Vec::new() };
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let mut numbers = text.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        if let (Some(ms), Some(peak_mib)) = (numbers.next(), numbers.next()) {
            times.push(ms);
            peaks.push(peak_mib);
        }
    }
    let read_ms = median((0..5).map(|_| time_ms(|| std::fs::read(&path)).0).collect());
    let peak = median(peaks);
    vec![
        line_ms(
            &format!("open a {mib:.0} MiB GLB of 1 M vertices to a document"),
            median(times),
            500.0,
            format!("reading the file {read_ms:.1} ms; Blender 3,500 / 5,300"),
        ),
        Line {
            what: "peak memory of that".to_owned(),
            found: format!("{peak:.0} MiB"),
            target: format!("{:.0} MiB", 4.0 * mib),
            is_reached: peak <= 4.0 * mib,
            yardstick: format!("{:.1} x the file; Blender 1,400 MiB", peak / mib),
        },
    ]
}

/// What the `--open` process does: prints milliseconds and peak MiB.
pub(crate) fn open_and_report(path: &str) {
    let (ms, opened) = time_ms(|| sinew_io::open(path.as_ref()));
    let peak_kib = std::fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?.to_owned();
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    });
    match opened {
        Ok(_) => println!("{ms} {}", peak_kib.unwrap_or(f64::NAN) / 1024.0),
        Err(error) => eprintln!("{error}"),
    }
}

fn save(glb: &[u8], mib: f64) -> Vec<Line> {
    let Ok(mut imported) = sinew_io::import(glb.to_vec(), &MapResolver::default()) else { return Vec::new() };
    let mut rows: Vec<(VertexIndex, Row)> = (300_000..302_000)
        .map(|v| (VertexIndex(v), [(JointSlot(0), 0.75), (JointSlot(1), 0.25)].into_iter().collect()))
        .collect();
    imported.document.swap_rows(MeshIndex(0), &mut rows);
    let encode = || sinew_io::encode(&imported.document, &imported.source, ContainerKind::Glb, "arm.glb");
    let times = (0..5).map(|_| time_ms(encode).0).collect();
    let Ok(folder) = tempfile::tempdir() else { return Vec::new() };
    let write_ms = median((0..5).map(|_| time_ms(|| std::fs::write(folder.path().join("x.glb"), glb)).0).collect());
    vec![line_ms(
        &format!("save that {mib:.0} MiB after a stroke, read back and compared"),
        median(times),
        500.0,
        format!("without the disk; writing the file {write_ms:.0} ms; Blender 6,000 / 11,000"),
    )]
}

/// B66: eight influences load in time that grows with the vertices, not faster.
fn eight_influences() -> Vec<Line> {
    let mut times = [50_000, 200_000].map(|n_vertices| {
        let glb = sinew_tests::grid(n_vertices, 100, 2).glb();
        median((0..5).map(|_| time_ms(|| sinew_io::import(glb.clone(), &MapResolver::default())).0).collect())
    });
    let ratio = times[1] / times[0].max(1e-9);
    times.sort_by(f64::total_cmp);
    vec![
        line_ms("open 200 k vertices x 100 joints x 8 influences", times[1], 3000.0, ""),
        Line {
            what: "the same against 50 k vertices".to_owned(),
            found: format!("{ratio:.1} x"),
            target: "5 x".to_owned(),
            is_reached: ratio <= 5.0,
            yardstick: format!("50 k vertices {:.1} ms", times[0]),
        },
    ]
}
