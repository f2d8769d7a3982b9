//! What the view as exported shows is what is in the saved file.

use sinew_edit::{StoredWeights, WeightType};
use sinew_model::{MeshIndex, Row, VertexIndex};
use sinew_tests::{WeightsType, tube};

use crate::job::{Job, MESH};

fn exported_rows(job: &mut Job, mesh: MeshIndex) -> Vec<Row> {
    let rows = job.editor.exported_rows(mesh).expect("shown as exported").clone();
    rows.vertices().map(|v| rows.get(v)).collect()
}

#[test]
fn as_the_file_is_what_a_save_writes_to_the_bit() {
    // B17, B18, B19
    for (stored, weights) in
        [(WeightsType::U8, WeightType::U8), (WeightsType::U16, WeightType::U16), (WeightsType::F32, WeightType::F32)]
    {
        let mut scene = tube(12, 16);
        for k in 2..6 {
            scene.add_joint(1, &format!("J{k}"), glam::Vec3::Y * 0.1);
        }
        scene.primitive().weights_type = stored;
        // Rows that came broken stay as they came.
        scene.rows()[7] = vec![(0, 0.25), (1, 0.5)];
        scene.rows()[8] = Vec::new();
        let mut job = Job::of(&scene);
        job.editor.set_stored(vec![vec![StoredWeights { n_sets: 1, weights }]]);
        job.run(&[
            "view_as profile=file",
            "budget influences=unlimited",
            "stroke joint=J2 brush=add value=0.37 strength=0.7 radius=0.9 points=0.5,1,0;0,1.2,0.5",
            "stroke joint=J3 brush=replace value=0.61 strength=0.5 radius=0.7 points=0.5,1.1,0",
            "stroke joint=J4 brush=add value=0.11 radius=0.7 points=0.5,0.9,0",
            "stroke joint=J5 brush=add value=0.013 radius=0.7 points=0.5,0.9,0",
            "stroke joint=J0 brush=smooth strength=0.8 radius=0.8 points=0.5,1,0",
        ]);
        let shown = exported_rows(&mut job, MESH);
        let edited = job.edited();
        assert!(edited.values().any(|vertices| vertices.len() > 20), "enough is edited: {edited:?}");
        assert!(shown.iter().any(|row| row.len() > 4), "more sets are added than the file had");
        let reopened = job.reopen();
        for (v, row) in shown.iter().enumerate() {
            let saved = reopened.document().mesh(MESH).weights.get(VertexIndex::from_idx(v));
            assert!(saved.same_influences(row), "{stored:?}, vertex {v}: shown {row:?}, saved {saved:?}");
        }
    }
}
