//! Any commands on any small file: what is saved re-opens as the document, and nothing else changed.

use std::collections::BTreeMap;

use glam::Vec3;
use proptest::prelude::*;
use sinew_io::ContainerKind;
use sinew_model::{JointSlot, MeshIndex};
use sinew_tests::{JointsType, Mesh, Node, Placement, Row, Scene, Share, Storage, WeightsType, seam, tube};

use crate::job::{Job, assert_same_files};
use crate::stored::Files;
use crate::whole_job::check_rows;

const N_JOINTS: u16 = 7;

#[derive(Clone, Copy, Debug)]
enum Form {
    Glb,
    Embedded,
    Beside,
}

/// A row of up to six joints that sums to 1 within rounding.
fn any_row() -> impl Strategy<Value = Row> {
    prop::collection::btree_map(0..N_JOINTS, 1u32..1000, 1..7).prop_map(|shares| {
        let sum: u32 = shares.values().sum();
        shares.into_iter().map(|(joint, share)| (joint, (f64::from(share) / f64::from(sum)) as f32)).collect()
    })
}

fn any_storage() -> impl Strategy<Value = Storage> {
    prop_oneof![
        3 => Just(Storage::Dense),
        1 => Just(Storage::SparseOverNothing),
        1 => Just(Storage::SparseOverBase(vec![1, 4, 9])),
    ]
}

fn any_scene() -> impl Strategy<Value = Scene> {
    let weights = prop::sample::select(vec![WeightsType::F32, WeightsType::U8, WeightsType::U16]);
    let joints = prop::sample::select(vec![JointsType::U8, JointsType::U16]);
    let rows = prop::collection::vec(any_row(), 12);
    let shares = prop::sample::subsequence(vec!["POSITION", "JOINTS_0", "WEIGHTS_0", "TEXCOORD_0"], 0..=4);
    let second = prop::sample::select(vec![None, Some(false), Some(true)]);
    (weights, joints, any_storage(), any_storage(), any::<bool>(), any::<bool>(), 0usize..3, rows, shares, second)
        .prop_map(
            |(
                weights_type,
                joints_type,
                weights_storage,
                positions_storage,
                interleaved,
                is_seam,
                n_sets,
                rows,
                shares,
                second,
            )| {
                let mut scene = if is_seam { seam() } else { tube(3, 4) };
                for k in 2..N_JOINTS {
                    scene.add_joint(1, &format!("J{k}"), Vec3::new(0.1, 0.15 * f32::from(k) - 0.5, 0.0));
                }
                let primitive = scene.primitive();
                primitive.weights_type = weights_type;
                primitive.joints_type = joints_type;
                primitive.weights_storage = weights_storage;
                primitive.positions_storage = positions_storage;
                // Twins of SEAM keep equal rows, so that there is something to weld.
                primitive.rows =
                    (0..12).map(|v| rows[if is_seam && (v == 6 || v == 7) { v - 2 } else { v }].clone()).collect();
                let longest = primitive.rows.iter().map(Vec::len).max().unwrap_or(1);
                primitive.n_sets = n_sets.max(longest.div_ceil(4));
                if interleaved {
                    primitive.placement = Placement::Interleaved { byte_stride: 36 + 24 * primitive.n_sets };
                }
                let share = |attribute: &str| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 };
                let has_uvs = !primitive.uvs.is_empty();
                let mut other = primitive.clone();
                other.shares = shares.into_iter().filter(|name| has_uvs || *name != "TEXCOORD_0").map(share).collect();
                match second {
                    None => {}
                    Some(false) => scene.meshes[0].primitives.push(other),
                    Some(true) => {
                        scene.meshes.push(Mesh {
                            name: "other".to_owned(),
                            primitives: vec![other],
                            ..Mesh::default()
                        });
                        scene.add_node(None, Node { mesh: Some(1), skin: Some(0), ..Node::default() });
                    }
                }
                scene
            },
        )
}

fn any_line() -> impl Strategy<Value = String> {
    let joint = 0..N_JOINTS;
    let point = (-0.6f32..0.6, -0.1f32..2.1, -0.3f32..0.3);
    let brush = prop::sample::select(vec!["replace", "add", "subtract", "smooth"]);
    let falloff = prop::sample::select(vec!["constant", "linear", "smooth", "sharp"]);
    let mesh = prop::sample::select(vec!["", " mesh=#0", " mesh=other"]);
    let points = prop::collection::vec(point, 1..4);
    let numbers = (0.0f32..=1.0, 0.05f32..=1.0, 0.05f32..1.5, -170.0f32..170.0);
    let stroke = (joint.clone(), brush, falloff, any::<bool>(), points, numbers, mesh.clone()).prop_map(
        |(joint, brush, falloff, volume, points, (value, strength, radius, angle), mesh)| {
            let points: Vec<String> = points.iter().map(|(x, y, z)| format!("{x},{y},{z}")).collect();
            let (reach, deform) = (if volume { "volume" } else { "surface" }, if angle > 0.0 { "lbs" } else { "dqs" });
            format!(
                "stroke joint=J{joint}{mesh} brush={brush} value={value} strength={strength} radius={radius} falloff={falloff} \
                 reach={reach} pose=J1:0,{angle},{angle} deform={deform} points={}",
                points.join(";")
            )
        },
    );
    let brush = prop::sample::select(vec![
        "replace", "add", "subtract", "scale", "grow", "lighten", "darken", "smooth", "sharpen", "average", "smear",
        "hammer", "erase",
    ]);
    let options = prop::sample::subsequence(
        vec![
            "reach=screen eye=0,1,9",
            "shell=yes",
            "existing=yes",
            "gap=0.2",
            "cap=yes",
            "lane=J0,J1,J2,J3",
            "give=parent",
            "mirror=x",
            "front=yes",
            "falloff=curve curve=0,1;0.4,0.8;1,0",
            "iterations=3",
        ],
        0..4,
    );
    let newer = (joint.clone(), brush.clone(), options, 0.0f32..=1.0, 0.1f32..1.0, 0.0f32..2.0).prop_map(
        |(joint, brush, options, value, radius, y)| {
            let options = options.join(" ");
            format!(
                "stroke joint=J{joint} brush={brush} value={value} radius={radius} path=-0.3,{y},0;0.3,1,0 {options}"
            )
        },
    );
    let marks = prop::sample::select(vec![
        "select vertices=0-5",
        "select joint=J1 min=0.3",
        "select_all",
        "select_none",
        "select_linked",
        "grow",
        "shrink",
        "invert_selection",
        "mask from=selection value=0.5",
        "mask vertices=2-7 value=1",
        "clear_mask",
        "invert_mask",
        "hide",
        "isolate",
        "reveal",
        "mirror",
        "mirror from=-x joint=J2",
        "pairs",
        "lock joint=J1 invert=yes",
        "pair a=J3 b=J4",
        "unpair joint=all",
    ]);
    let flood = (joint.clone(), brush, 0.0f32..=1.0, prop::sample::select(vec!["", " on=all"]))
        .prop_map(|(joint, brush, value, on)| format!("flood joint=J{joint} brush={brush} value={value}{on}"));
    let gradient = (joint.clone(), any::<bool>(), 0.0f32..2.0).prop_map(|(joint, is_radial, y)| {
        let shape = if is_radial { "radial" } else { "linear" };
        format!("gradient joint=J{joint} from=0,{y},0 to=0.2,{},0.1 shape={shape} on=all", y + 0.7)
    });
    prop_oneof![
        6 => stroke,
        5 => newer,
        4 => marks.prop_map(str::to_owned),
        2 => flood,
        2 => gradient,
        3 => (joint.clone(), 0u32..12, 0.0f32..=1.0, mesh.clone())
            .prop_map(|(j, v, w, mesh)| format!("set vertices={v}-{} joint=J{j} value={w}{mesh}", v + 3)),
        1 => joint.prop_map(|j| format!("lock joint=J{j}")),
        1 => (1u32..7).prop_map(|n| format!("limit influences={n}")),
        1 => (2u32..13).prop_map(|n| format!("budget influences={n}")),
        1 => (1u32..4, mesh).prop_map(|(n, mesh)| format!("smooth iterations={n}{mesh}")),
        1 => (0.0f32..0.3).prop_map(|below| format!("prune below={below}")),
        1 => Just("normalize".to_owned()),
        1 => Just("undo".to_owned()),
        1 => Just("redo".to_owned()),
    ]
}

fn files_of(scene: &Scene, form: Form) -> Files {
    match form {
        Form::Glb => vec![("a.glb".to_owned(), scene.glb())],
        Form::Embedded => vec![("a.gltf".to_owned(), scene.gltf_embedded())],
        Form::Beside => scene.gltf_files("a"),
    }
}

/// Weights of a joint's slot on every vertex, as bits.
fn columns(job: &Job, slot: u16) -> BTreeMap<MeshIndex, Vec<u32>> {
    let meshes = job.document().meshes().iter().enumerate();
    meshes
        .map(|(m, mesh)| {
            let column = mesh.weights.vertices().map(|v| mesh.weights.weight(v, JointSlot(slot)).to_bits()).collect();
            (MeshIndex::from_idx(m), column)
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, ..ProptestConfig::default() })]

    #[test]
    fn any_commands_on_any_file_save_as_the_document_and_change_nothing_else(
        scene in any_scene(),
        form in prop::sample::select(vec![Form::Glb, Form::Embedded, Form::Beside]),
        locked in prop::option::of(0..N_JOINTS),
        lines in prop::collection::vec(any_line(), 1..10),
    ) {
        let mut job = Job::open(files_of(&scene, form));
        let mut kept = None;
        if let Some(slot) = locked {
            job.run(&[&format!("lock joint=J{slot}")]);
            kept = Some((slot, columns(&job, slot)));
        }
        for line in &lines {
            // The lock of the first line is never undone or turned over; refusals change nothing.
            let keeps_lock = locked.is_none() || !line.contains("invert=yes");
            if keeps_lock && (line != "undo" || job.editor.history().n_done() > 1) {
                let _ = job.editor.run(line);
            }
        }
        check_rows(&job);
        let saved = job.save();
        assert_same_files(&saved, &job.save(), "saved twice");
        let mut back = Job::open(saved.clone());
        if let Some((slot, kept)) = &kept {
            prop_assert_eq!(&columns(&job, *slot), kept, "a locked weight moved");
            prop_assert_eq!(&columns(&back, *slot), kept, "a locked weight moved in the file");
        }
        assert_same_files(&saved, &back.save(), "re-opened and saved");
        for instance in 0..back.document().instances().len() {
            back.posed(instance);
        }
        // A second session on the saved file, and a third without edits.
        for line in lines.iter().rev() {
            let _ = back.editor.run(line);
        }
        check_rows(&back);
        let again = back.save();
        assert_same_files(&again, &Job::open(again.clone()).save(), "a third session");
        while back.editor.history().can_undo() {
            back.run(&["undo"]);
        }
        assert_same_files(&saved, &back.save(), "the second session undone");

        let mut replayed = Job::open(job.files.clone());
        for line in job.editor.script().lines() {
            replayed.run(&[line]);
        }
        prop_assert_eq!(replayed.all_rows(), job.all_rows());
        assert_same_files(&saved, &replayed.save(), "replayed and saved");

        let other = match job.source.kind() {
            ContainerKind::Glb => ContainerKind::Gltf,
            ContainerKind::Gltf => ContainerKind::Glb,
        };
        let (converted, _) = job.save_as(other);
        let converted = Job::open(converted);
        prop_assert_eq!(converted.all_rows(), back.all_rows());

        while job.editor.history().can_undo() {
            job.run(&["undo"]);
        }
        assert_same_files(&job.files, &job.save(), "everything undone");
    }
}
