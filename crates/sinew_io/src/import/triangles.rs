//! Triangles of a primitive: indexed or not, lists, strips and fans.

use crate::accessor::Accessors;
use crate::error::OpenError;
use crate::import::pools::PrimitiveSpec;
use crate::warning::ImportWarning;

/// Reads a primitive's triangles. Points and lines have none. Every vertex number is below `count` (B70) and gets
/// `first` added.
pub(super) fn read(
    accessors: &Accessors<'_>,
    spec: &PrimitiveSpec<'_>,
    first: u32,
    count: u32,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Vec<[u32; 3]>, OpenError> {
    let place = || spec.json.path.to_string();
    match spec.mode {
        0..=3 => return Ok(Vec::new()),
        4..=6 => {}
        _ => return Err(spec.json.need("mode", "")?.wrong("a mode from 0 to 6").into()),
    }
    let vertices: Vec<u32> = match spec.indices {
        None => {
            accessors.budget.charge(4 * u64::from(count), place)?;
            (0..count).collect()
        }
        Some(index) => {
            let used_as = format!("{}/indices", place());
            let accessor = accessors.get(index)?;
            let vertices: Vec<u32> = accessor.integers::<1>(&used_as)?.into_iter().map(|[vertex]| vertex).collect();
            if let Some(vertex) = vertices.iter().find(|&&vertex| vertex >= count) {
                return Err(OpenError::Accessor {
                    path: format!("accessors/{index}"),
                    used_as,
                    expected: format!("vertex numbers below {count}"),
                    found: vertex.to_string(),
                });
            }
            vertices
        }
    };
    let n_triangles = if spec.mode == 4 { vertices.len() / 3 } else { vertices.len().saturating_sub(2) };
    accessors.budget.charge(12 * n_triangles as u64, place)?;
    let at = |i: usize| vertices[i] + first;
    // Turns alternate in a strip; every other triangle is turned over so that all face the same way.
    let corners = |i: usize| match spec.mode {
        4 => [3 * i, 3 * i + 1, 3 * i + 2],
        5 => [i, i + 1 + i % 2, i + 2 - i % 2],
        _ => [i + 1, i + 2, 0],
    };
    let triangles = (0..n_triangles).map(|i| corners(i).map(at));
    if spec.mode == 4 {
        if !vertices.len().is_multiple_of(3) {
            let reason = format!("{} corners make no whole number of triangles", vertices.len());
            warnings.push(ImportWarning::LeftOut { path: place(), reason });
        }
        return Ok(triangles.collect());
    }
    // Repeated vertices stitch strips together; they are no faces.
    Ok(triangles.filter(|[a, b, c]| a != b && b != c && c != a).collect())
}
