//! Saving to folders: atomic, beside other files, and without losing anybody's work.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sinew_io::atomic::{Disk, WriteHook};
use sinew_io::{Imported, Progress, SaveError, SaveOptions, SaveState, SaveTarget, Saved, open, save};
use sinew_tests::{Scene, strip};

use crate::harness::{assert_same_rows, png, set};

const EDIT: &[(u16, f32)] = &[(0, 0.25), (1, 0.75)];

struct Session {
    imported: Imported,
    state: SaveState,
}

impl Session {
    fn open(path: &Path) -> Self {
        let imported = open(path).unwrap();
        let state = SaveState::opened(&imported.source);
        Self { imported, state }
    }

    fn try_save(&self, target: SaveTarget<'_>, options: &SaveOptions<'_>) -> Result<Saved, SaveError> {
        save(&self.imported.document, &self.imported.source, &self.state, target, options)
    }

    #[track_caller]
    fn save(&mut self, target: SaveTarget<'_>) -> Saved {
        let saved = self.try_save(target, &SaveOptions::default()).unwrap();
        self.state = saved.state.clone();
        saved
    }
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn write_files(folder: &Path, files: &[(String, Vec<u8>)]) -> PathBuf {
    for (name, bytes) in files {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), bytes).unwrap();
    }
    folder.join(&files[0].0)
}

/// STRIP as text with a binary and an image beside it.
fn strip_with_image() -> Scene {
    let mut scene = strip();
    scene.add_image(png(), Some("tex/checker.png"));
    scene.primitive().material = Some(0);
    scene
}

#[test]
fn the_report_names_what_changed_and_the_file_re_opens_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &[("strip.glb".to_owned(), strip().glb())]);
    let mut session = Session::open(&path);
    set(&mut session.imported, 4, EDIT);
    let report = session.save(SaveTarget::InPlace).report;
    assert_eq!(report.path, path);
    assert_eq!((report.n_vertices_changed, report.largest_weight_change), (1, 0.25));
    assert_eq!(report.bytes_before, report.bytes_after);
    assert_eq!(report.files_written, std::slice::from_ref(&path));
    assert!(report.to_string().ends_with("everything else identical"), "{report}");
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["accessors"][0]["attribute"], "WEIGHTS_0");
    assert_eq!(json["accessors"][0]["how"], "in_place");
    assert_same_rows(&session.imported.document, &open(&path).unwrap().document, 0.0);
}

#[test]
fn our_file_beside_a_text_file_follows_every_save_and_goes_with_undo() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &strip().gltf_files("strip"));
    let original = fs::read(&path).unwrap();
    let mut session = Session::open(&path);
    for share in [0.25, 0.5, 0.125] {
        set(&mut session.imported, 4, &[(0, share), (1, 1.0 - share)]);
        session.save(SaveTarget::InPlace);
        let skins: Vec<String> = names_in(folder.path()).into_iter().filter(|name| name.contains(".skin-")).collect();
        let n_expected = usize::from(share != 0.5);
        assert_eq!(skins.len(), n_expected, "{skins:?}: half is what the file came with");
        assert_same_rows(&session.imported.document, &open(&path).unwrap().document, 0.0);
    }
    set(&mut session.imported, 4, &[(0, 0.5), (1, 0.5)]);
    session.save(SaveTarget::InPlace);
    assert_eq!(fs::read(&path).unwrap(), original);
    assert_eq!(names_in(folder.path()), ["strip.bin", "strip.gltf"]);
}

#[test]
fn after_re_opening_undo_brings_the_earlier_file_of_ours_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &strip().gltf_files("strip"));
    let mut first = Session::open(&path);
    set(&mut first.imported, 4, EDIT);
    first.save(SaveTarget::InPlace);
    let (names, text) = (names_in(folder.path()), fs::read(&path).unwrap());
    let mut second = Session::open(&path);
    set(&mut second.imported, 5, EDIT);
    second.save(SaveTarget::InPlace);
    assert_eq!(names_in(folder.path()).len(), 3);
    assert_ne!(names_in(folder.path()), names);
    set(&mut second.imported, 5, &[(0, 0.5), (1, 0.5)]);
    second.save(SaveTarget::InPlace);
    assert_eq!((names_in(folder.path()), fs::read(&path).unwrap()), (names, text));
}

#[test]
fn a_file_of_ours_that_another_model_names_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &strip().gltf_files("strip"));
    let mut session = Session::open(&path);
    set(&mut session.imported, 4, EDIT);
    session.save(SaveTarget::InPlace);
    let copy = folder.path().join("copied by hand.gltf");
    fs::copy(&path, &copy).unwrap();
    set(&mut session.imported, 4, &[(0, 0.125), (1, 0.875)]);
    session.save(SaveTarget::InPlace);
    let row = open(&copy).unwrap().document.mesh(crate::harness::MESH).weights.get(sinew_model::VertexIndex(4));
    assert_eq!(row.weight(sinew_model::JointSlot(1)), 0.75);
}

#[test]
fn saving_elsewhere_brings_files_along_and_never_overwrites_another() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &strip_with_image().gltf_files("strip"));
    let mut session = Session::open(&path);
    set(&mut session.imported, 4, EDIT);
    let target = elsewhere.path().join("arm.gltf");
    let report = session.save(SaveTarget::As(&target)).report;
    assert_eq!(report.not_brought, []);
    assert_eq!(report.files_brought.len(), 2);
    assert_eq!(fs::read(elsewhere.path().join("tex/checker.png")).unwrap(), png());
    assert_same_rows(&session.imported.document, &open(&target).unwrap().document, 0.0);
    assert_eq!(session.state.path.as_deref(), Some(target.as_path()));

    let crowded = tempfile::tempdir().unwrap();
    write_files(crowded.path(), &[("strip.bin".to_owned(), vec![1]), ("tex/checker.png".to_owned(), vec![2])]);
    let target = crowded.path().join("arm.gltf");
    let report = session.save(SaveTarget::Copy(&target)).report;
    assert_eq!(fs::read(crowded.path().join("strip.bin")).unwrap(), [1]);
    assert_eq!(fs::read(crowded.path().join("tex/checker.png")).unwrap(), [2]);
    assert_eq!(
        report.not_brought.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
        ["strip.bin", "tex/checker.png"]
    );
    assert_same_rows(&session.imported.document, &open(&target).unwrap().document, 0.0);
    assert_ne!(session.state.path.as_deref(), Some(target.as_path()), "a copy does not move the document");
    // Saved again, the same files are found in place.
    let again = session.save(SaveTarget::Copy(&target)).report;
    assert_eq!(again.files_brought, Vec::<PathBuf>::new());
}

#[test]
fn a_buffer_or_image_of_the_model_is_never_taken_for_the_target() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let mut scene = strip();
    scene.add_image(png(), Some("checker.glb"));
    let mut files = scene.gltf_files("strip");
    files[0].1 = String::from_utf8(files[0].1.clone()).unwrap().replace("strip.bin", "data.gltf").into_bytes();
    files[1].0 = "data.gltf".to_owned();
    let path = write_files(folder.path(), &files);
    let mut session = Session::open(&path);
    set(&mut session.imported, 4, EDIT);
    for name in ["checker.glb", "data.gltf", "./data.gltf"] {
        let before = fs::read(folder.path().join(name)).unwrap();
        for target in [folder.path().join(name), elsewhere.path().join(name)] {
            let error = session.try_save(SaveTarget::As(&target), &SaveOptions::default()).unwrap_err();
            assert!(matches!(error, SaveError::OwnFile { .. }), "{}: {error}", target.display());
        }
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), before);
    }
    assert_eq!(names_in(elsewhere.path()), [""; 0]);
    session.save(SaveTarget::InPlace);
}

#[cfg(unix)]
#[test]
fn a_link_into_another_folder_is_not_given_files_that_it_would_miss() {
    let real = tempfile::tempdir().unwrap();
    let links = tempfile::tempdir().unwrap();
    let path = write_files(real.path(), &strip().gltf_files("strip"));
    for name in ["strip.gltf", "strip.bin"] {
        std::os::unix::fs::symlink(real.path().join(name), links.path().join(name)).unwrap();
    }
    let before = fs::read(&path).unwrap();
    let mut session = Session::open(&links.path().join("strip.gltf"));
    session.save(SaveTarget::InPlace);
    set(&mut session.imported, 4, EDIT);
    let error = session.try_save(SaveTarget::InPlace, &SaveOptions::default()).unwrap_err();
    assert!(matches!(error, SaveError::LinkElsewhere { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names_in(links.path()), ["strip.bin", "strip.gltf"]);
    session.save(SaveTarget::As(&path));
    assert_same_rows(&session.imported.document, &open(&path).unwrap().document, 0.0);
}

#[test]
fn files_outside_the_folder_and_missing_ones_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = strip();
    scene.add_image(png(), Some("../outside.png"));
    scene.add_image(png(), Some("missing.png"));
    let mut files = scene.gltf_files("in/strip");
    files.retain(|(name, _)| !name.contains(".png"));
    files[0].1 = String::from_utf8(files[0].1.clone()).unwrap().replace("in/strip.bin", "strip.bin").into_bytes();
    let path = write_files(folder.path(), &files);
    fs::write(folder.path().join("outside.png"), png()).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let deep = elsewhere.path().join("deep");
    fs::create_dir(&deep).unwrap();
    let report = Session::open(&path).save(SaveTarget::As(&deep.join("strip.gltf"))).report;
    assert_eq!(
        report.not_brought.iter().map(|file| file.name.as_str()).collect::<Vec<_>>(),
        ["../outside.png", "missing.png"]
    );
    assert_eq!(names_in(elsewhere.path()), ["deep"]);
}

#[test]
fn the_ending_chooses_the_container() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &[("strip.glb".to_owned(), strip().glb())]);
    let mut session = Session::open(&path);
    set(&mut session.imported, 4, EDIT);
    let text = folder.path().join("strip.gltf");
    session.save(SaveTarget::As(&text));
    assert_eq!(fs::read(&text).unwrap()[0], b'{');
    set(&mut session.imported, 5, EDIT);
    session.save(SaveTarget::InPlace);
    assert_same_rows(&session.imported.document, &open(&text).unwrap().document, 0.0);
    assert_eq!(names_in(folder.path()).len(), 4, "{:?}", names_in(folder.path()));
    let vrm = folder.path().join("strip.VRM");
    session.save(SaveTarget::Copy(&vrm));
    assert!(fs::read(&vrm).unwrap().starts_with(b"glTF"));
    let error = session.try_save(SaveTarget::As(&folder.path().join("strip.fbx")), &SaveOptions::default());
    assert!(matches!(error, Err(SaveError::UnknownExtension { .. })));
}

#[test]
fn another_binary_of_that_name_is_kept_when_a_glb_becomes_text() {
    let folder = tempfile::tempdir().unwrap();
    let path =
        write_files(folder.path(), &[("strip.glb".to_owned(), strip().glb()), ("strip.bin".to_owned(), vec![7])]);
    let text = folder.path().join("strip.gltf");
    let mut session = Session::open(&path);
    session.save(SaveTarget::As(&text));
    assert_eq!(fs::read(folder.path().join("strip.bin")).unwrap(), [7]);
    assert_same_rows(&session.imported.document, &open(&text).unwrap().document, 0.0);
}

#[test]
fn a_file_that_somebody_else_changed_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &[("strip.glb".to_owned(), strip().glb())]);
    let mut session = Session::open(&path);
    let mut theirs = Session::open(&path);
    set(&mut theirs.imported, 9, EDIT);
    theirs.save(SaveTarget::InPlace);
    let their_bytes = fs::read(&path).unwrap();
    set(&mut session.imported, 4, EDIT);
    let refused = session.try_save(SaveTarget::InPlace, &SaveOptions::default());
    assert!(matches!(refused, Err(SaveError::ChangedOnDisk { .. })));
    assert_eq!(fs::read(&path).unwrap(), their_bytes);
    let force = SaveOptions { overwrite_changed: true, ..SaveOptions::default() };
    session.state = session.try_save(SaveTarget::InPlace, &force).unwrap().state;
    session.save(SaveTarget::InPlace);
    fs::remove_file(&path).unwrap();
    session.save(SaveTarget::InPlace);
    assert!(path.exists(), "a file that is gone can be saved again");
}

/// A disk that fails once so many bytes are written.
struct FullDisk {
    left: Cell<u64>,
}

impl WriteHook for FullDisk {
    fn before_write(&self, _: &Path, _: u64, n_bytes: usize) -> io::Result<()> {
        let left = self.left.get().checked_sub(n_bytes as u64);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ()).ok_or_else(|| io::Error::new(io::ErrorKind::StorageFull, "no space left"))
    }

    fn step(&self) -> usize {
        64
    }
}

#[test]
fn a_save_that_fails_leaves_every_file_as_it_was() {
    // B73
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &strip().gltf_files("strip"));
    let mut session = Session::open(&path);
    set(&mut session.imported, 4, EDIT);
    session.save(SaveTarget::InPlace);
    let before: Vec<(String, Vec<u8>)> = names_in(folder.path())
        .into_iter()
        .map(|name| (name.clone(), fs::read(folder.path().join(name)).unwrap()))
        .collect();
    set(&mut session.imported, 5, EDIT);
    // Fails while our file is written, and while the text is.
    for n_bytes in [100, 1024] {
        let hook = FullDisk { left: Cell::new(n_bytes) };
        let options = SaveOptions { disk: Disk { sync: false, hook: Some(&hook) }, ..SaveOptions::default() };
        let error = session.try_save(SaveTarget::InPlace, &options).unwrap_err();
        assert!(matches!(error, SaveError::Write(_)), "{error}");
        for (name, bytes) in &before {
            assert_eq!(&fs::read(folder.path().join(name)).unwrap(), bytes, "{name} after {n_bytes} bytes");
        }
        assert_eq!(names_in(folder.path()).len(), before.len(), "{:?}", names_in(folder.path()));
    }
    let under_a_file = folder.path().join("strip.bin").join("x.gltf");
    assert!(session.try_save(SaveTarget::As(&under_a_file), &SaveOptions::default()).is_err());
    session.save(SaveTarget::InPlace);
}

/// A disk that writes something else than it was given.
struct LyingDisk<'a> {
    folder: &'a Path,
}

impl WriteHook for LyingDisk<'_> {
    fn before_write(&self, _: &Path, written: u64, _: usize) -> io::Result<()> {
        if written > 0 {
            let name = names_in(self.folder).into_iter().find(|name| name.contains(".tmp"));
            let path = self.folder.join(name.ok_or(io::ErrorKind::NotFound)?);
            let mut bytes = fs::read(&path)?;
            // Somewhere in the first position.
            bytes[written as usize - 1] ^= 0x10;
            fs::write(&path, bytes)?;
        }
        Ok(())
    }

    fn step(&self) -> usize {
        // One step up to the middle of the file.
        self.folder.metadata().map_or(1 << 20, |_| 2000)
    }
}

#[test]
fn what_reads_back_wrong_never_replaces_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = write_files(folder.path(), &[("strip.glb".to_owned(), strip().glb())]);
    let before = fs::read(&path).unwrap();
    let mut session = Session::open(&path);
    set(&mut session.imported, 4, EDIT);
    let hook = LyingDisk { folder: folder.path() };
    let options = SaveOptions { disk: Disk { sync: false, hook: Some(&hook) }, ..SaveOptions::default() };
    let error = session.try_save(SaveTarget::InPlace, &options).unwrap_err();
    assert!(matches!(error, SaveError::Differs(_)), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names_in(folder.path()), ["strip.glb"]);
}

#[test]
fn a_save_that_is_cancelled_at_any_step_changes_nothing() {
    // B73
    let scene = strip_with_image();
    for files in [vec![("strip.glb".to_owned(), strip().glb())], scene.gltf_files("strip")] {
        for is_moved in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let path = write_files(folder.path(), &files);
            let mut session = Session::open(&path);
            set(&mut session.imported, 4, EDIT);
            let elsewhere = folder.path().join("elsewhere");
            fs::create_dir(&elsewhere).unwrap();
            let target = elsewhere.join(path.file_name().unwrap());
            let target = if is_moved { SaveTarget::As(&target) } else { SaveTarget::InPlace };
            let before = (fs::read(&path).unwrap(), names_in(folder.path()), names_in(&elsewhere));
            for last in 1.. {
                let n_told = Cell::new(0);
                let stop = |_: &str| {
                    n_told.set(n_told.get() + 1);
                    n_told.get() < last
                };
                let options = SaveOptions { progress: Progress(&stop), ..SaveOptions::default() };
                match session.try_save(target, &options) {
                    Err(SaveError::Cancelled(_)) => {}
                    other => {
                        other.unwrap();
                        assert!(last > 5, "{last} steps");
                        break;
                    }
                }
                assert_eq!(n_told.get(), last, "nothing more is done");
                assert!(
                    (fs::read(&path).unwrap(), names_in(folder.path()), names_in(&elsewhere)) == before,
                    "step {last}"
                );
            }
        }
    }
}

#[test]
fn a_name_without_an_ending_is_refused_in_plain_words() {
    let folder = tempfile::tempdir().unwrap();
    let session = Session::open(&write_files(folder.path(), &[("strip.glb".to_owned(), strip().glb())]));
    let refused = |name: &str| {
        let target = folder.path().join(name);
        session.try_save(SaveTarget::As(&target), &SaveOptions::default()).unwrap_err().to_string()
    };
    assert!(refused("strip").starts_with("expected a name that ends in .glb, .gltf or .vrm: "), "{}", refused("strip"));
    assert!(refused("strip.fbx").starts_with("cannot save as .fbx; expected a name that ends in"));
}
