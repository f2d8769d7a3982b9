//! Which vertices changed lately, so that views that come later need not look at all of them.

use std::collections::VecDeque;

use sinew_model::{MeshIndex, Revision, VertexIndex};

/// Steps that are remembered; later views look at everything instead.
const MAX_STEPS: usize = 64;
/// Of all of them together. With more in one step it costs as much to look at all.
const MAX_VERTICES: usize = 100_000;

/// Changed rows, step by step.
#[derive(Default)]
pub struct RowLog {
    steps: VecDeque<(MeshIndex, Revision, Revision, Vec<VertexIndex>)>,
    n_vertices: usize,
}

impl RowLog {
    /// The rows of these vertices changed, which made one revision of the mesh's weights another.
    pub fn note(&mut self, mesh: MeshIndex, before: Revision, after: Revision, vertices: &[VertexIndex]) {
        if vertices.len() > MAX_VERTICES {
            self.steps.clear();
            self.n_vertices = 0;
            return;
        }
        self.n_vertices += vertices.len();
        self.steps.push_back((mesh, before, after, vertices.to_vec()));
        while self.steps.len() > MAX_STEPS || self.n_vertices > MAX_VERTICES {
            let Some((.., oldest)) = self.steps.pop_front() else { break };
            self.n_vertices -= oldest.len();
        }
    }

    /// The vertices whose rows changed between two revisions; `None` if that is not known.
    pub fn between(&self, mesh: MeshIndex, from: Revision, to: Revision) -> Option<Vec<VertexIndex>> {
        let (mut at, mut touched) = (from, Vec::new());
        for (_, before, after, vertices) in self.steps.iter().filter(|(of, ..)| *of == mesh) {
            if *before == at {
                touched.extend_from_slice(vertices);
                at = *after;
            }
        }
        (at == to).then_some(touched)
    }
}

/// Vertices of an instance that moved by themselves, version by version, since all of it moved last.
#[derive(Default)]
pub struct MoveLog {
    versions: VecDeque<(u64, Vec<VertexIndex>)>,
    n_vertices: usize,
}

impl MoveLog {
    /// All of it moved.
    pub fn clear(&mut self) {
        self.versions.clear();
        self.n_vertices = 0;
    }

    /// These moved, which made it this version.
    pub fn note(&mut self, version: u64, vertices: Vec<VertexIndex>) {
        self.n_vertices += vertices.len();
        self.versions.push_back((version, vertices));
        while self.versions.len() > MAX_STEPS || self.n_vertices > MAX_VERTICES {
            let Some((_, oldest)) = self.versions.pop_front() else { break };
            self.n_vertices -= oldest.len();
        }
    }

    /// The vertices that moved between two versions; `None` if that is not known.
    pub fn between(&self, from: u64, to: u64) -> Option<Vec<VertexIndex>> {
        if from == to {
            return Some(Vec::new());
        }
        let first = self.versions.iter().position(|(version, _)| *version == from + 1)?;
        let after = self.versions.iter().skip(first);
        Some(after.flat_map(|(_, vertices)| vertices.iter().copied()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertices(n: u32) -> Vec<VertexIndex> {
        (0..n).map(VertexIndex).collect()
    }

    #[test]
    fn moves_are_known_as_far_back_as_there_is_room() {
        let mut log = MoveLog::default();
        for version in 2..=200 {
            log.note(version, vertices(3));
        }
        assert_eq!(log.between(200, 200), Some(Vec::new()));
        assert_eq!(log.between(198, 200).map(|moved| moved.len()), Some(6));
        assert_eq!(log.between(100, 200), None, "too long ago");
        log.note(201, vertices(MAX_VERTICES as u32 + 1));
        assert_eq!(log.between(200, 201), None, "too many");
        log.note(202, vertices(1));
        assert_eq!(log.between(201, 202).map(|moved| moved.len()), Some(1));
        log.clear();
        assert_eq!(log.between(201, 202), None);
    }
}
