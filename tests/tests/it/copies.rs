//! Any commands on a mesh that several nodes show, `make_unique` among them: saved, re-opened, replayed and undone.

use glam::Vec3;
use proptest::prelude::*;
use sinew_io::{ContainerKind, encode};
use sinew_tests::{JointsType, Node, Placement, Scene, Storage, WeightsType, seam};

use crate::job::{Job, assert_same_files};
use crate::stored::Files;
use crate::whole_job::check_rows;

const N_NODES: usize = 3;

/// SEAM shown by three nodes.
fn any_scene() -> impl Strategy<Value = Scene> {
    let weights = prop::sample::select(vec![WeightsType::F32, WeightsType::U8, WeightsType::U16]);
    let storage = prop_oneof![2 => Just(Storage::Dense), 1 => Just(Storage::SparseOverNothing)];
    (weights, storage, any::<bool>(), any::<bool>()).prop_map(|(weights_type, storage, interleaved, has_two_pools)| {
        let mut scene = seam();
        for k in 2..6 {
            scene.add_joint(1, &format!("J{k}"), Vec3::Y * 0.1 * k as f32);
        }
        let primitive = scene.primitive();
        primitive.weights_type = weights_type;
        primitive.joints_type = JointsType::U8;
        let is_dense = storage == Storage::Dense;
        primitive.weights_storage = storage;
        if interleaved && is_dense {
            primitive.placement = Placement::Interleaved { byte_stride: 60 };
        }
        if has_two_pools {
            let second = primitive.clone();
            scene.meshes[0].primitives.push(second);
        }
        for k in 1..N_NODES {
            scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::at(&format!("copy{k}"), Vec3::ZERO) });
        }
        scene
    })
}

fn any_line() -> impl Strategy<Value = String> {
    let mesh = (0..N_NODES).prop_map(|mesh| format!("mesh=#{mesh}"));
    let joint = 0u32..6;
    prop_oneof![
        4 => (0..N_NODES).prop_map(|node| format!("make_unique node={node}")),
        4 => (joint.clone(), 0u32..12, 0.0f32..=1.0, mesh.clone())
            .prop_map(|(j, v, w, mesh)| format!("set vertices={v}-{} joint=J{j} value={w} {mesh}", v + 4)),
        2 => (joint, -0.5f32..0.5, 0.0f32..2.0, mesh.clone()).prop_map(|(j, x, y, mesh)| format!(
            "stroke joint=J{j} value=0.7 radius=0.6 {mesh} pose=J1:0,0,40 points={x},{y},0"
        )),
        1 => mesh.prop_map(|mesh| format!("smooth iterations=2 {mesh}")),
        1 => Just("limit influences=2".to_owned()),
        1 => Just("prune below=0.2".to_owned()),
        2 => Just("undo".to_owned()),
        1 => Just("redo".to_owned()),
    ]
}

/// The saved files and those of the opened ones that they still need.
fn save_as(job: &Job, kind: ContainerKind) -> Files {
    let name = if kind == ContainerKind::Glb { "model.glb" } else { "model.gltf" };
    let encoded = encode(job.document(), &job.source, kind, name).expect("the document is saved");
    assert!(encoded.report.everything_else_identical);
    let mut files = encoded.files;
    for (name, bytes) in &job.files[1..] {
        if !files.iter().any(|(written, _)| written == name) {
            files.push((name.clone(), bytes.clone()));
        }
    }
    files
}

fn save(job: &Job) -> Files {
    save_as(job, job.source.kind())
}

/// Which mesh each node shows.
fn shown(job: &Job) -> Vec<u32> {
    job.document().instances().iter().map(|instance| instance.mesh.0).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    // B37
    #[test]
    fn copies_and_edits_in_any_order_are_saved_replayed_and_undone(
        scene in any_scene(),
        form in 0..3,
        lines in prop::collection::vec(any_line(), 2..12),
    ) {
        let files = match form {
            0 => vec![("a.glb".to_owned(), scene.glb())],
            1 => vec![("a.gltf".to_owned(), scene.gltf_embedded())],
            _ => scene.gltf_files("a"),
        };
        let mut job = Job::open(files);
        for line in &lines {
            // Refusals change nothing: a node that is unique already, a mesh that is not there yet.
            let _ = job.editor.run(line);
        }
        check_rows(&job);
        let saved = save(&job);
        assert_same_files(&saved, &save(&job), "saved twice");
        let mut back = Job::open(saved.clone());
        prop_assert_eq!(back.document().meshes().len(), job.document().meshes().len());
        prop_assert_eq!(shown(&back), shown(&job));
        for (is, was) in back.document().meshes().iter().zip(job.document().meshes()) {
            prop_assert_eq!(&is.name, &was.name);
        }
        if scene.meshes[0].primitives[0].weights_type == WeightsType::F32 {
            let (is, was) = (back.all_rows(), job.all_rows());
            prop_assert!(is.iter().zip(&was).all(|(is, was)| is.same_influences(was)), "rows as in the document");
        }
        assert_same_files(&saved, &save(&back), "re-opened and saved");

        // A second session on the saved file makes copies of its own; undone, it leaves the first one's file.
        for line in lines.iter().rev() {
            let _ = back.editor.run(line);
        }
        check_rows(&back);
        assert_same_files(&save(&back), &save(&Job::open(save(&back))), "a third session");
        while back.editor.history().can_undo() {
            back.run(&["undo"]);
        }
        assert_same_files(&saved, &save(&back), "the second session undone");

        let mut replayed = Job::open(job.files.clone());
        for line in job.editor.script().lines() {
            replayed.run(&[line]);
        }
        prop_assert_eq!(replayed.all_rows(), job.all_rows());
        assert_same_files(&saved, &save(&replayed), "replayed and saved");

        let other =
            if job.source.kind() == ContainerKind::Glb { ContainerKind::Gltf } else { ContainerKind::Glb };
        let converted = Job::open(save_as(&job, other));
        prop_assert_eq!(converted.all_rows(), Job::open(saved.clone()).all_rows());
        prop_assert_eq!(shown(&converted), shown(&job));

        let n = job.editor.history().n_done();
        job.run(&vec!["undo"; n]);
        prop_assert_eq!(job.document().meshes().len(), 1);
        assert_same_files(&job.files, &save(&job), "everything undone");
        job.run(&vec!["redo"; n]);
        assert_same_files(&saved, &save(&job), "everything redone");
    }
}
