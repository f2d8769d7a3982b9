//! Any edits of any file: what re-opens is the document, and nothing else changed.

use proptest::prelude::*;
use sinew_io::{ContainerKind, Imported, encode};
use sinew_model::{JointSlot, Row, VertexIndex};
use sinew_tests::{JointsType, Mesh, Node, Placement, Scene, Share, Storage, WeightsType, chain};

use crate::harness::{MESH, assert_same_bytes, assert_same_rows, component, open_files, tolerance};

#[derive(Clone, Copy, Debug)]
enum Form {
    Glb,
    Embedded,
    Beside,
}

fn any_row(n_joints: u16) -> impl Strategy<Value = Row> {
    proptest::collection::btree_map(0..n_joints, 1u32..1000, 1..7).prop_map(|shares| {
        let sum: u32 = shares.values().sum();
        let weight = |share: u32| (f64::from(share) / f64::from(sum)) as f32;
        shares.into_iter().map(|(joint, share)| (JointSlot(joint), weight(share))).collect()
    })
}

fn any_scene() -> impl Strategy<Value = Scene> {
    let weights = prop_oneof![Just(WeightsType::F32), Just(WeightsType::U8), Just(WeightsType::U16)];
    let joints = prop_oneof![Just(JointsType::U8), Just(JointsType::U16)];
    let storage = prop_oneof![
        3 => Just(Storage::Dense),
        1 => Just(Storage::SparseOverNothing),
        1 => Just(Storage::SparseOverBase(vec![1, 4, 9])),
    ];
    let rows = proptest::collection::vec(any_row(7), 10);
    let shares = proptest::sample::subsequence(vec!["POSITION", "JOINTS_0", "WEIGHTS_0"], 0..=3);
    (weights, joints, storage, any::<bool>(), 0usize..3, rows, shares, any::<bool>()).prop_map(
        |(weights_type, joints_type, storage, interleaved, n_sets, rows, shares, other_mesh)| {
            let mut scene = chain(7);
            let primitive = scene.primitive();
            primitive.weights_type = weights_type;
            primitive.joints_type = joints_type;
            primitive.rows =
                rows.iter().map(|row| row.influences().iter().map(|i| (i.slot.0, i.weight)).collect()).collect();
            let longest = rows.iter().map(Row::len).max().unwrap_or(1);
            primitive.n_sets = n_sets.max(longest.div_ceil(4));
            let is_dense = storage == Storage::Dense;
            primitive.weights_storage = storage;
            if interleaved && is_dense {
                primitive.placement = Placement::Interleaved { byte_stride: 80 + 24 * primitive.n_sets };
            }
            let mut second = primitive.clone();
            second.shares = shares
                .into_iter()
                .map(|attribute| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 })
                .collect();
            if other_mesh {
                scene.meshes.push(Mesh { name: "other".to_owned(), primitives: vec![second], ..Mesh::default() });
                scene.add_node(None, Node { mesh: Some(1), skin: Some(0), ..Node::default() });
            } else {
                scene.meshes[0].primitives.push(second);
            }
            scene
        },
    )
}

fn files_of(scene: &Scene, form: Form) -> Vec<(String, Vec<u8>)> {
    match form {
        Form::Glb => vec![("a.glb".to_owned(), scene.glb())],
        Form::Embedded => vec![("a.gltf".to_owned(), scene.gltf_embedded())],
        Form::Beside => scene.gltf_files("a"),
    }
}

/// The saved files, and the originals that they need.
fn save_as(imported: &Imported, kind: ContainerKind, originals: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    let name = if kind == ContainerKind::Glb { "b.glb" } else { "b.gltf" };
    let encoded = encode(&imported.document, &imported.source, kind, name).expect("the document is saved");
    assert!(encoded.report.everything_else_identical);
    encoded.files.into_iter().chain(originals[1..].iter().cloned()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn what_is_saved_re_opens_as_the_document(
        scene in any_scene(),
        form in prop_oneof![Just(Form::Glb), Just(Form::Embedded), Just(Form::Beside)],
        rows in proptest::collection::btree_map(0u32..20, any_row(7), 1..8),
        to_other in any::<bool>(),
    ) {
        let files = files_of(&scene, form);
        let mut imported = open_files(&files);
        let n = imported.document.mesh(MESH).n_vertices() as u32;
        let mut edit: Vec<(VertexIndex, Row)> =
            rows.into_iter().filter(|(v, _)| *v < n).map(|(v, row)| (VertexIndex(v), row)).collect();
        imported.document.swap_rows(MESH, &mut edit);
        let kind = match (imported.source.kind(), to_other) {
            (ContainerKind::Glb, false) | (ContainerKind::Gltf, true) => ContainerKind::Glb,
            _ => ContainerKind::Gltf,
        };
        let saved = save_as(&imported, kind, &files);
        let mut back = open_files(&saved);
        let allowed = tolerance(component(&imported, "WEIGHTS_0"));
        assert_same_rows(&imported.document, &back.document, allowed);
        for (was, is) in imported.document.meshes().iter().zip(back.document.meshes()) {
            prop_assert_eq!(&was.positions, &is.positions);
            prop_assert_eq!(&was.texcoords, &is.texcoords);
        }
        // Saved again from the same session, the bytes are the same; the re-opened document has nothing to save.
        prop_assert_eq!(&save_as(&imported, kind, &files), &saved);
        assert_same_bytes(&saved[0].1, &save_as(&back, kind, &saved)[0].1, "re-opened and saved");
        // Edited again after re-opening, nothing has to grow.
        let mut other: Vec<(VertexIndex, Row)> =
            edit.iter().map(|(vertex, _)| (*vertex, back.document.mesh(MESH).weights.get(VertexIndex(n - 1 - vertex.0)))).collect();
        back.document.swap_rows(MESH, &mut other);
        let again = save_as(&back, kind, &saved);
        let reopened = open_files(&again);
        assert_same_rows(&back.document, &reopened.document, allowed);
        // Undone, the opened bytes come back.
        imported.document.swap_rows(MESH, &mut edit);
        assert_same_bytes(&files[0].1, &save_as(&imported, imported.source.kind(), &files)[0].1, "undone");
    }
}
