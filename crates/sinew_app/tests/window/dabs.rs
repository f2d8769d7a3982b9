//! What a dab costs the picture: the touched vertices, whatever the size of the mesh.

use std::time::{Duration, Instant};

use glam::Vec3;
use sinew_app::viewport::options::{Show, ViewOptions};
use sinew_app::viewport::scene::Scene;
use sinew_edit::Editor;
use sinew_render::readback::read_buffer;
use sinew_render::{HeadlessDevice, Renderer};
use sinew_tests::tube;

/// A tube of so many rings of 200 vertices on 200 joints; its second joint is active, and bent.
fn editor(n_rings: usize) -> Editor {
    let mut scene = tube(n_rings, 200);
    for i in 2..200 {
        scene.add_joint(i - 1, &format!("J{i}"), Vec3::Y * 0.01);
    }
    let imported = sinew_io::import(scene.glb(), &sinew_io::MapResolver::default()).unwrap();
    let mut editor = Editor::new(imported.document);
    editor.session.active_joint = Some(editor.document().joints()[1]);
    editor.run("pose turns=J1:0,0,40").unwrap();
    editor
}

fn stroke(height: f32) -> String {
    format!("stroke joint=J1 radius=0.073 strength=0.5 pose=J1:0,0,40 points=0,{height},0.2")
}

/// Everything that the picture is drawn from.
fn streams(renderer: &Renderer, scene: &Scene) -> [Vec<u8>; 3] {
    let mesh = scene.mesh(0);
    [mesh.positions(), mesh.normals(), mesh.weights()]
        .map(|buffer| read_buffer(renderer.device(), renderer.queue(), buffer).unwrap())
}

#[test]
fn a_dab_uploads_what_it_touched_and_the_picture_is_as_if_all_had_been_made_anew() {
    // B67
    let gpu = HeadlessDevice::new().unwrap();
    let renderer = Renderer::new(&gpu.device, &gpu.queue, 1).unwrap();
    let options = ViewOptions::default();
    for on_gpu in [false, true] {
        let mut editor = editor(300);
        let mut shown = Scene::new(&renderer, &mut editor, &[], on_gpu).unwrap();
        shown.update(&renderer, &mut editor, &options).unwrap();
        let n_bytes = |scene: &Scene| scene.mesh(0).n_bytes_written();
        let lines = [
            vec![stroke(0.8)],
            vec![stroke(1.0), stroke(1.1), "undo".to_owned()],
            vec!["lock joint=J2".to_owned(), stroke(1.2)],
            vec![stroke(0.9).replace("strength", "brush=smooth strength"), "undo".to_owned()],
            vec!["redo".to_owned()],
        ];
        for done in lines {
            let before = n_bytes(&shown);
            for line in &done {
                editor.run(line).unwrap();
            }
            shown.update(&renderer, &mut editor, &options).unwrap();
            let n = n_bytes(&shown) - before;
            // A position, a normal and a weight are 28 bytes; the tube has 60,200 vertices.
            let most = if on_gpu { 4 } else { 28 } * 20_000;
            assert!(n > 0 && n < most, "{on_gpu} {done:?}: {n} bytes");
            let mut anew = Scene::new(&renderer, &mut editor, &[], on_gpu).unwrap();
            anew.update(&renderer, &mut editor, &options).unwrap();
            assert!(streams(&renderer, &shown) == streams(&renderer, &anew), "{on_gpu} {done:?}");
        }
        // What touches everything, or is shown otherwise meanwhile, is whole again.
        for (line, show) in [
            ("smooth iterations=1", Show::Weights),
            ("joint name=J2", Show::Weights),
            ("pose turns=J1:0,0,-20", Show::JointColors),
            ("set vertices=7 joint=J3 value=0.5", Show::JointColors),
            ("set vertices=9 joint=J4 value=0.5", Show::Weights),
            ("unassigned leave=yes", Show::Weights),
            ("set vertices=11 joint=J1 value=0 unassigned=yes", Show::Weights),
        ] {
            let options = ViewOptions { show, ..options };
            editor.run(line).unwrap();
            shown.update(&renderer, &mut editor, &options).unwrap();
            let mut anew = Scene::new(&renderer, &mut editor, &[], on_gpu).unwrap();
            anew.update(&renderer, &mut editor, &options).unwrap();
            assert!(streams(&renderer, &shown) == streams(&renderer, &anew), "{on_gpu} {line}");
        }
    }
}

#[test]
fn what_a_dab_costs_does_not_grow_with_the_mesh() {
    // B67
    let gpu = HeadlessDevice::new().unwrap();
    let renderer = Renderer::new(&gpu.device, &gpu.queue, 1).unwrap();
    let options = ViewOptions::default();
    let mut editor = editor(1_500);
    let mut shown = Scene::new(&renderer, &mut editor, &[], false).unwrap();
    shown.update(&renderer, &mut editor, &options).unwrap();
    let mut times: Vec<Duration> = (0..9)
        .map(|k| {
            editor.run(&stroke(0.6 + 0.08 * k as f32)).unwrap();
            let start = Instant::now();
            shown.update(&renderer, &mut editor, &options).unwrap();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    let n = shown.mesh(0).n_bytes_written();
    println!("300,000 vertices: {:?} a dab", times[4]);
    // All of it once, and then nine times what was touched.
    assert!(n < 300_400 * 28 + 9 * 28 * 20_000, "{n} bytes");
}
