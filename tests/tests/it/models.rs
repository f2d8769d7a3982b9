//! The whole job on every sample model, and what outside judges say of the saved files.

use std::path::{Path, PathBuf};
use std::time::Instant;

use sinew_io::{OpenError, SaveOptions, SaveState, SaveTarget, open, save};
use sinew_tests::{roundtrip_diff, sample_models, validate_gltf};

use crate::job::Job;
use crate::stored::Files;
use crate::whole_job::whole_job;

/// The file, and for a text file everything that lies beside it.
fn files_of(path: &Path) -> Files {
    let name = |path: &Path| path.file_name().expect("a file").to_string_lossy().into_owned();
    let read = |path: &Path| (name(path), std::fs::read(path).expect("the model can be read"));
    let mut files = vec![read(path)];
    if path.extension().is_some_and(|ending| ending == "gltf") {
        let folder = std::fs::read_dir(path.parent().expect("a folder")).expect("the folder can be read");
        let mut beside: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
        beside.retain(|other| other.extension().is_some_and(|e| e == "bin" || e == "png" || e == "jpg"));
        beside.sort();
        files.extend(beside.iter().map(|path| read(path)));
    }
    files
}

#[test]
fn the_whole_job_on_every_sample_model() {
    // Models that outside judges look at too: several types, sets, containers, faults of their own.
    const JUDGED: &[&str] = &[
        "Bee_NaN_weights",
        "CesiumMan",
        "Godette",
        "King_quant_u8",
        "King_meshopt",
        "QuadSkin_12influences",
        "Sintel",
    ];
    for path in sample_models() {
        let begin = Instant::now();
        let imported = match open(&path) {
            Ok(imported) => imported,
            Err(OpenError::Draco { mesh }) => {
                println!("{}: refused, mesh {mesh} is compressed with Draco", path.display());
                assert!(path.to_string_lossy().contains("draco"));
                continue;
            }
            Err(error) => panic!("{}: {error}", path.display()),
        };
        println!("{}", path.display());
        let mut job = Job::of_imported(files_of(&path), imported);
        let (mesh, saved) = whole_job(&mut job);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if JUDGED.contains(&stem.as_str()) {
            judge(&job, &path, &mesh.to_string(), &saved);
        }
        println!("  done in {:.1?}", begin.elapsed());
    }
}

/// Saves to a folder and asks the outside judges.
#[track_caller]
fn judge(job: &Job, path: &Path, mesh: &str, in_memory: &Files) {
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join(path.file_name().expect("a file"));
    let state = SaveState::opened(&job.source);
    let saved = save(job.document(), &job.source, &state, SaveTarget::As(&target), &SaveOptions::default());
    let report = saved.unwrap_or_else(|error| panic!("{}: {error}", path.display())).report;
    assert!(report.not_brought.is_empty(), "{:?}", report.not_brought);
    assert!(report.everything_else_identical && report.n_vertices_changed > 0);
    if path.extension().is_some_and(|ending| ending != "gltf") {
        assert!(std::fs::read(&target).expect("it was written") == in_memory[0].1, "on disk as in memory");
    }
    roundtrip_diff(&[mesh], path, &target).assert_passed();
    validate_gltf(&[&target], Some(path)).assert_passed();
}
