//! The whole job on one file: open, pick, bend, stroke, toggle, undo, redo, save, open again.

use glam::{Mat3, Vec2, Vec3};
use sinew_edit::Editor;
use sinew_edit::args::joint_name;
use sinew_edit::pick::{Ray, SkinHit};
use sinew_edit::tools::{PaintModifiers, PaintTool, Pointer};
use sinew_model::{JointSlot, MeshIndex, NodeIndex, Row};
use sinew_tests::{
    Channel, Clip, JointsType, Morph, Node, Placement, PositionsType, Scene, Share, Storage, WeightsType, assets_dir,
    checker_png, pair_two_meshes, seam, strip, tube, validate_gltf,
};

use crate::job::{Job, assert_same_files};
use crate::stored::Files;

/// A parallel view: pixels are hundredths of the character's size.
struct View {
    eye: Vec3,
    /// Right, up, toward the eye: scene from view.
    axes: Mat3,
    target: Vec3,
    unit: f32,
}

impl View {
    /// Looks at `target` from direction `toward_eye`, from outside the box of everything shown.
    fn new(editor: &mut Editor, target: Vec3, toward_eye: Vec3) -> Self {
        let bounds = editor.bounds();
        let size = bounds.min.distance(bounds.max);
        let z = toward_eye.normalize_or_zero();
        let x = z.any_orthonormal_vector();
        let axes = Mat3::from_cols(x, z.cross(x), z);
        Self { eye: target + z * 2.0 * size, axes, target, unit: size / 100.0 }
    }

    fn ray(&self, px: Vec2) -> Ray {
        let at = self.target + self.axes * (px * self.unit).extend(0.0);
        Ray { origin: at + (self.eye - self.target), direction: -self.axes.z_axis }
    }
}

/// A view in which the pixel (0, 0) is on a skin that can be painted (that of an instance, if one is given), and what
/// is there.
fn pick_skin(job: &mut Job, of: Option<usize>) -> (View, SkinHit) {
    let paintable = job.document().skinned_meshes();
    for instance in (0..job.document().instances().len()).filter(|i| of.is_none_or(|of| of == *i)) {
        let mesh = job.document().instances()[instance].mesh;
        let n_joints = job.document().instances()[instance].skin.map_or(0, |skin| job.document().skin(skin).n_joints());
        if !paintable.contains(&mesh) || n_joints < 2 {
            continue;
        }
        let triangles: Vec<[u32; 3]> = job.document().mesh(mesh).triangles().collect();
        let posed = job.posed(instance);
        for triangle in triangles.iter().step_by(1 + triangles.len() / 200) {
            let [a, b, c] = triangle.map(|v| posed[v as usize]);
            let normal = (b - a).cross(c - a);
            if normal.length() <= 0.0 {
                continue;
            }
            let view = View::new(&mut job.editor, (a + b + c) / 3.0, normal);
            let hit = job.editor.pick(view.ray(Vec2::ZERO)).filter(|hit| hit.instance_idx == instance);
            let weights = |hit: &SkinHit| job.document().mesh(mesh).weights.get(hit.vertex);
            let Some(hit) =
                hit.filter(|hit| job.document().mesh(mesh).is_paintable(hit.vertex) && !weights(hit).is_empty())
            else {
                continue;
            };
            return (view, hit);
        }
    }
    panic!("no skin is to be seen from anywhere");
}

/// The joint that has most of a row, and another one of the same skin that is not locked.
fn two_joints(job: &Job, hit: &SkinHit) -> (NodeIndex, NodeIndex) {
    let document = job.document();
    let skin = document.instances()[hit.instance_idx].skin.expect("it was picked for that");
    let row = document.mesh(hit.mesh).weights.get(hit.vertex);
    let heaviest = row.influences().iter().max_by(|a, b| a.weight.total_cmp(&b.weight)).expect("it has weight").slot;
    let joint = |slot: JointSlot| document.skin(skin).joint(slot).expect("a joint of the skin");
    let other = row.influences().iter().map(|influence| influence.slot).find(|&slot| slot != heaviest);
    let other = other.unwrap_or(JointSlot((heaviest.0 + 1) % document.skin(skin).n_joints() as u16));
    (joint(heaviest), joint(other))
}

/// Paints with the pointer, from a bit left of the view's middle to a bit right of it.
fn paint(job: &mut Job, view: &View, modifiers: PaintModifiers) {
    let ray_at = |px: Vec2| view.ray(px);
    let pointer = |x: f32| Pointer {
        px: Vec2::new(x, 0.3 * x),
        ray_at: &ray_at,
        eye: view.eye,
        pressure: sinew_edit::tools::Pressure::FULL,
    };
    let mut tool = PaintTool::default();
    tool.press(&mut job.editor, pointer(0.0), modifiers).expect("may paint");
    tool.drag(&mut job.editor, pointer(3.0)).expect("may paint");
    tool.drag(&mut job.editor, pointer(-4.0)).expect("may paint");
    tool.release(&mut job.editor);
}

fn column(job: &Job, mesh: MeshIndex, slot: JointSlot) -> Vec<u32> {
    let weights = &job.document().mesh(mesh).weights;
    weights.vertices().map(|vertex| weights.weight(vertex, slot).to_bits()).collect()
}

/// Does the whole job; gives the mesh that was painted and the saved files.
///
/// On the way it holds the editor to its promises: what is edited sums to 1, a locked joint keeps its bits, what is
/// shown is what a fresh view of the same document shows, undo and redo are exact, the recorded script replays to the
/// same bits and the same file, saving twice is byte-identical, undoing everything gives the opened file.
#[track_caller]
pub fn whole_job(job: &mut Job) -> (MeshIndex, Files) {
    let opened = job.all_rows();
    let (_, hit) = pick_skin(job, None);
    let (bent, painted) = two_joints(job, &hit);
    job.editor.session.active_joint = Some(painted);

    // A third joint, if there is one, is locked.
    let skin = job.document().instances()[hit.instance_idx].skin.expect("picked for that");
    let third = job.document().skin(skin).joints().iter().copied().find(|&joint| joint != bent && joint != painted);
    let locked = third.map(|joint| {
        let name = joint_name(job.document(), None, joint);
        job.run(&[&format!("lock joint=\"{name}\"")]);
        let slot = job.document().skin(skin).slot(joint).expect("it is of the skin");
        (slot, column(job, hit.mesh, slot))
    });

    let bent_name = format!("#{bent}");
    job.run(&["deform by=lbs", &format!("pose turns={bent_name}:25,10,35")]);
    let (view, hit) = pick_skin(job, None);
    // Wide enough to reach a vertex of the coarsest mesh.
    let size = job.editor.bounds();
    let to_vertex = job.posed(hit.instance_idx)[hit.vertex.idx()].distance(hit.point);
    job.editor.session.brush.radius = (size.min.distance(size.max) * 0.04).max(1.5 * to_vertex);
    job.editor.session.brush.value = 0.75;
    let painted = two_joints(job, &hit).1;
    job.editor.session.active_joint = Some(painted);
    if job.document().locks().contains(&painted) {
        let name = joint_name(job.document(), None, painted);
        job.run(&[&format!("unlock joint=\"{name}\"")]);
    }
    paint(job, &view, PaintModifiers::default());
    assert_eq!(job.edited().keys().copied().collect::<Vec<_>>(), [hit.mesh], "the stroke painted what was picked");
    job.run(&["deform by=dqs"]);
    // Something else may be in front of the painted skin now.
    let (view, hit) = pick_skin(job, Some(hit.instance_idx));
    job.editor.session.brush.front_only = true;
    paint(job, &view, PaintModifiers { smooth: true, ..PaintModifiers::default() });
    job.editor.session.brush.front_only = false;
    job.editor.session.brush.strength = 0.5;
    paint(job, &view, PaintModifiers { invert: true, ..PaintModifiers::default() });

    check_rows(job);
    if let Some((slot, before)) = locked.filter(|(slot, _)| job.document().skin(skin).joint(*slot) != Some(painted)) {
        assert_eq!(column(job, hit.mesh, slot), before, "locked weights never move");
    }
    check_view(job, hit.instance_idx);

    let (rows, script) = (job.all_rows(), job.editor.script());
    let n_steps = job.editor.history().n_done();
    job.run(&["undo", "undo", "redo", "redo"]);
    assert_eq!(job.all_rows(), rows);
    let saved = job.save();
    assert_same_files(&saved, &job.save(), "saved twice");
    let mut back = Job::open(saved.clone());
    assert_same_files(&saved, &back.save(), "re-opened and saved");
    back.posed(hit.instance_idx);

    let mut replayed = Job::open(job.files.clone());
    for line in script.lines() {
        replayed.run(&[line]);
    }
    assert_eq!(replayed.all_rows(), rows, "the script replays to the same bits:\n{script}");
    assert_same_files(&saved, &replayed.save(), "replayed and saved");

    job.run(&vec!["undo"; n_steps]);
    assert_eq!(job.all_rows(), opened);
    assert_same_files(&job.files, &job.save(), "everything undone");
    job.run(&vec!["redo"; n_steps]);
    assert_same_files(&saved, &job.save(), "everything redone");
    (hit.mesh, saved)
}

/// Every edited row is one that a file may hold.
#[track_caller]
pub fn check_rows(job: &Job) {
    for (mesh, vertices) in job.edited() {
        for vertex in vertices {
            let row: Row = job.document().mesh(mesh).weights.get(vertex);
            assert_eq!(row.check(), Ok(()), "mesh {mesh}, vertex {vertex}: {row:?}");
        }
    }
}

/// What is shown after many small changes is what a fresh view of the same document shows, to the bit.
#[track_caller]
fn check_view(job: &mut Job, instance: usize) {
    let mut fresh = Editor::new(job.document().clone());
    fresh.session.pose = job.editor.session.pose.clone();
    fresh.session.deformer = job.editor.session.deformer;
    let shown = job.posed(instance);
    assert!(shown == fresh.posed(instance).posed.positions, "a partly re-posed view differs from a fresh one");
}

fn tube_with(change: impl FnOnce(&mut Scene)) -> Scene {
    let mut scene = tube(9, 16);
    scene.add_joint(1, "J2", Vec3::Y * 0.5);
    for (v, row) in scene.rows().iter_mut().enumerate().filter(|(v, _)| v / 16 == 6) {
        *row = vec![(0, 0.2), (1, 0.5), (2, 0.3)];
        if v % 2 == 0 {
            row.reverse();
        }
    }
    change(&mut scene);
    scene
}

#[test]
fn the_whole_job_on_the_arm() {
    let bytes = std::fs::read(assets_dir().join("arm.glb")).expect("the arm is part of the repository");
    let mut job = Job::open(vec![("arm.glb".to_owned(), bytes)]);
    assert!(job.warnings.is_empty(), "{:?}", job.warnings);
    whole_job(&mut job);
}

/// A file and the images that it names.
fn beside_images(scene: &Scene, name: &str, bytes: Vec<u8>) -> Files {
    let mut files = vec![(name.to_owned(), bytes)];
    files.extend(scene.build().extra_files);
    files
}

/// A scene with names that need quoting, escaping or numbers in scripts.
fn oddly_named() -> Scene {
    let mut scene = pair_two_meshes();
    let names = ["", "a \"b\" \\ c", "#1;x:1=2", "two\nlines", "two\nlines"];
    for (node, name) in scene.nodes.iter_mut().zip(names) {
        name.clone_into(&mut node.name);
    }
    "  spaced = \"out\"  ".clone_into(&mut scene.meshes[0].name);
    "#0".clone_into(&mut scene.meshes[1].name);
    scene
}

/// TUBE with a morph, a clip, an image and two primitives of one vertex pool, a hundred times as large.
fn dressed() -> Scene {
    tube_with(|scene| {
        let image = scene.add_image(checker_png(4, [200, 80, 60], [60, 80, 200]), Some("a b.png"));
        let rotation = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8];
        let channel =
            Channel { node: 1, path: "rotation", times_s: vec![0.0, 2.0], values: rotation, interpolation: "LINEAR" };
        scene.clips.push(Clip { name: "Wave".to_owned(), channels: vec![channel] });
        scene.insert_parent(
            0,
            Node { scale: Some(Vec3::splat(100.0)), ..Node::at("Armature", Vec3::new(300.0, 0.0, -50.0)) },
        );
        scene.meshes[0].morph_weights = vec![0.25];
        let primitive = scene.primitive();
        primitive.material = Some(image);
        primitive.uvs = primitive.positions.iter().map(|p| p.truncate()).collect();
        primitive.morphs =
            vec![Morph { positions: primitive.normals.iter().map(|n| *n * 0.1).collect(), normals: vec![] }];
        let mut second = primitive.clone();
        let indices = primitive.indices.take().expect("TUBE is indexed");
        let (lower, upper) = indices.split_at(indices.len() / 6 * 3);
        primitive.indices = Some(lower.to_vec());
        second.indices = Some(upper.to_vec());
        let share = |attribute: &str| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 };
        second.shares = ["POSITION", "NORMAL", "TEXCOORD_0", "JOINTS_0", "WEIGHTS_0"].map(share).to_vec();
        scene.meshes[0].primitives.push(second);
    })
}

#[test]
fn the_whole_job_on_fixtures_in_every_form() {
    let mut scenes = vec![
        ("strip", strip()),
        ("seam", seam()),
        ("two meshes", pair_two_meshes()),
        ("tube", tube_with(|_| {})),
        ("sparse", tube_with(|scene| scene.primitive().weights_storage = Storage::SparseOverNothing)),
        ("interleaved", tube_with(|scene| scene.primitive().placement = Placement::Interleaved { byte_stride: 48 })),
        ("odd names", oddly_named()),
        ("dressed", dressed()),
        ("quantised", tube_with(|scene| scene.primitive().positions_type = PositionsType::I16 { divisor: 4.0 })),
        ("shorts", tube_with(|scene| scene.primitive().joints_type = JointsType::U16)),
    ];
    for weights_type in [WeightsType::U8, WeightsType::U16] {
        scenes.push(("integers", tube_with(|scene| scene.primitive().weights_type = weights_type)));
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut saved = Vec::new();
    for (name, scene) in scenes {
        for files in [
            beside_images(&scene, "a.glb", scene.glb()),
            beside_images(&scene, "a.gltf", scene.gltf_embedded()),
            scene.gltf_files("a"),
        ] {
            println!("{name} as {}", files[0].0);
            let (_, files) = whole_job(&mut Job::open(files));
            let within = folder.path().join(saved.len().to_string());
            std::fs::create_dir(&within).expect("a folder");
            for (name, bytes) in &files {
                std::fs::write(within.join(name), bytes).expect("written");
            }
            saved.push(within.join(&files[0].0));
        }
    }
    let saved: Vec<&std::path::Path> = saved.iter().map(std::path::PathBuf::as_path).collect();
    validate_gltf(&saved, None).assert_no_warning();
}
