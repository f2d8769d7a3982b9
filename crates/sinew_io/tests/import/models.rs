//! The sample models open, with the counts that their list of facts gives.

use std::path::Path;

use sinew_io::{Imported, OpenError, decode_image, open};
use sinew_model::{MeshIndex, VertexIndex, WeightCensus};
use sinew_tests::shared_models;

/// A row of the table of facts in SOURCES.md.
struct Facts {
    file: String,
    n_meshes: usize,
    n_primitives: usize,
    n_skinned_vertices: usize,
    n_skins: usize,
    n_joints: Vec<usize>,
    max_influences: usize,
    sum_error: f32,
    n_morphs: usize,
    n_clips: usize,
}

fn facts(models: &Path) -> Vec<Facts> {
    let text = std::fs::read_to_string(models.join("SOURCES.md")).expect("the list of models");
    let table = text.split("## Facts").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a table of facts");
    let rows = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| file"));
    rows.map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let number = |cell: usize| cells[cell].parse().unwrap_or_else(|_| panic!("{line}: cell {cell}"));
        Facts {
            file: cells[1].to_owned(),
            n_meshes: number(3),
            n_primitives: number(4),
            n_skinned_vertices: number(5),
            n_skins: number(6),
            n_joints: cells[7].split(',').map_while(|n| n.parse().ok()).collect(),
            max_influences: number(9),
            sum_error: cells[10].parse().expect("a number"),
            n_morphs: number(12),
            n_clips: number(13),
        }
    })
    .collect()
}

/// What of a model differs from its row, in words.
fn differences(facts: &Facts, imported: &Imported) -> Vec<String> {
    let document = &imported.document;
    let meshes = document.meshes();
    let mut wrong = Vec::new();
    let mut check = |what: &str, found: usize, expected: usize| {
        if found != expected {
            wrong.push(format!("{}: {found} {what}, the list says {expected}", facts.file));
        }
    };
    check("meshes", meshes.len(), facts.n_meshes);
    check("primitives", meshes.iter().map(|mesh| mesh.primitives.len()).sum(), facts.n_primitives);
    check("skins", document.skins().len(), facts.n_skins);
    for (skin, &n_joints) in document.skins().iter().zip(&facts.n_joints) {
        check("joints", skin.n_joints(), n_joints);
    }
    check("clips", document.clips().len(), facts.n_clips);
    // The list counts the targets of each primitive.
    let maps = &imported.source.meshes;
    let targets = maps.iter().flat_map(|map| map.primitive_pools.iter().map(|&pool| map.pools[pool].targets.len()));
    check("morph targets", targets.sum(), facts.n_morphs);
    let skinned: Vec<_> = document.skinned_meshes().into_iter().map(|mesh| document.mesh(mesh)).collect();
    let pools = skinned.iter().flat_map(|mesh| &mesh.pools).filter(|pool| pool.skinned);
    check("skinned vertices", pools.map(|pool| pool.count as usize).sum(), facts.n_skinned_vertices);
    let censuses: Vec<WeightCensus> = skinned.iter().map(|mesh| WeightCensus::of(mesh, usize::MAX, 0.0)).collect();
    // The list was made by a reader that does not decode meshopt.
    if !facts.file.contains("meshopt") {
        let most = censuses.iter().map(|census| census.max_influences).max().unwrap_or(0);
        check("influences at most", most, facts.max_influences);
    }
    let off = censuses.iter().map(|census| census.worst_off_sum).fold(0.0, f32::max);
    let agrees = if facts.sum_error > 1e-5 { (off - facts.sum_error).abs() < 0.01 } else { off < 1e-5 };
    // A NaN in the list says nothing about the sum of what is left.
    if !(agrees || facts.sum_error.is_nan()) {
        wrong.push(format!("{}: sums are off by {off}, the list says {}", facts.file, facts.sum_error));
    }
    wrong
}

#[test]
fn every_sample_model_opens_with_the_facts_of_its_list() {
    let Some(models) = shared_models() else { return };
    let mut wrong = Vec::new();
    for facts in facts(&models) {
        match open(&models.join(&facts.file)) {
            Ok(imported) => {
                for warning in &imported.warnings {
                    println!("{}: {warning}", facts.file);
                }
                wrong.extend(differences(&facts, &imported));
            }
            // B15
            Err(OpenError::Draco { mesh }) if facts.file.contains("draco") => {
                println!("{}: refused, mesh {mesh} is Draco", facts.file);
            }
            Err(error) => wrong.push(format!("{}: {error}", facts.file)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_of_sample_models_are_the_same_when_they_are_read_again() {
    let Some(models) = shared_models() else { return };
    for facts in facts(&models).iter().filter(|facts| !facts.file.contains("draco")) {
        let imported = open(&models.join(&facts.file)).expect("a sample model");
        for (m, mesh) in imported.document.meshes().iter().enumerate() {
            assert_eq!(imported.source.meshes[m].pools.len(), mesh.pools.len());
            for (p, pool) in mesh.pools.iter().enumerate() {
                let rows = imported.source.decode_rows(MeshIndex::from_idx(m), p).expect("rows");
                assert_eq!(rows.n_vertices(), pool.count as usize);
                for vertex in rows.vertices() {
                    let first = mesh.weights.get(VertexIndex(pool.first + vertex.0));
                    assert_eq!(rows.get(vertex), first, "{} mesh {m} pool {p} vertex {vertex}", facts.file);
                }
            }
        }
    }
}

#[test]
fn numbers_of_sample_models_are_finite_and_their_images_can_be_seen() {
    let Some(models) = shared_models() else { return };
    for facts in facts(&models).iter().filter(|facts| !facts.file.contains("draco")) {
        let document = open(&models.join(&facts.file)).expect("a sample model").document;
        for mesh in document.meshes() {
            assert!(mesh.positions.iter().all(|position| position.is_finite()), "{}", facts.file);
            assert!(mesh.normals.iter().all(|normal| normal.is_normalized()), "{}", facts.file);
            assert!(mesh.texcoords.iter().all(|uv| uv.is_finite()), "{}", facts.file);
            assert!(mesh.weights.weights().iter().all(|weight| (0.0..=2.0).contains(weight)), "{}", facts.file);
        }
        for image in document.images() {
            let pixels = decode_image(image).unwrap_or_else(|error| panic!("{}: {error}", facts.file));
            assert_eq!(pixels.pixels.len(), pixels.width as usize * pixels.height as usize * 4);
        }
    }
}
