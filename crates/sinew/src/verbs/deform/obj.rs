//! Wavefront OBJ: an `o` for each primitive at a node, vertices numbered from 1 over the whole file.

use std::fmt::Write as _;

use super::posed::PosedPrimitive;

/// The file's text. Numbers are the shortest that read back to the same float.
pub fn text(primitives: &[PosedPrimitive]) -> String {
    let mut text = String::new();
    let mut first = 1;
    for primitive in primitives {
        let PosedPrimitive { node, mesh, primitive: number, positions, normals, triangles } = primitive;
        let _ = writeln!(text, "o node{node}_mesh{mesh}_primitive{number}");
        for (kind, vectors) in [("v", positions), ("vn", normals)] {
            for [x, y, z] in vectors {
                let _ = writeln!(text, "{kind} {x} {y} {z}");
            }
        }
        for triangle in triangles {
            let [a, b, c] = triangle.map(|v| v as usize + first);
            let _ = writeln!(text, "f {a}//{a} {b}//{b} {c}//{c}");
        }
        first += positions.len();
    }
    text
}
