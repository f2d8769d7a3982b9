//! What is uploaded after a dab: the touched vertices in runs, wherever they stand in the buffers.

use std::ops::Range;

use sinew_model::VertexIndex;

/// Runs with no more vertices between them than this become one.
const NEAR: usize = 24;
/// With more runs than this one range over all of them is sooner written.
const MOST: usize = 400;

/// The vertices as rising runs, perhaps with a few others between them. A run stands again for every tail that has some of
/// it: what is read from the mesh's own arrays, and where it goes. `n` is how many vertices the mesh has.
pub fn of(mut vertices: Vec<VertexIndex>, n: usize, tails: &[Range<usize>]) -> Vec<(Range<usize>, u32)> {
    vertices.sort_unstable();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in vertices.iter().map(|vertex| vertex.idx()) {
        match runs.last_mut() {
            Some(run) if at <= run.end + NEAR => run.end = run.end.max(at + 1),
            _ => runs.push(at..at + 1),
        }
    }
    if runs.len() > MOST {
        let last = runs[runs.len() - 1].end;
        runs.truncate(1);
        runs[0].end = last;
    }
    let mut placed: Vec<(Range<usize>, u32)> = runs.iter().map(|run| (run.clone(), run.start as u32)).collect();
    let mut first = n;
    for tail in tails {
        for run in &runs {
            let both = run.start.max(tail.start)..run.end.min(tail.end);
            if !both.is_empty() {
                placed.push((both.clone(), (first + both.start - tail.start) as u32));
            }
        }
        first += tail.len();
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(vertices: &[u32], tails: &[Range<usize>]) -> Vec<(Range<usize>, u32)> {
        of(vertices.iter().copied().map(VertexIndex).collect(), 1000, tails)
    }

    #[test]
    fn near_vertices_are_one_run_and_tails_have_their_part_again() {
        assert_eq!(runs(&[500, 3, 4, 9], &[]), [(3..10, 3), (500..501, 500)]);
        let tails = [0..5, 400..600];
        let expected = [(3..10, 3), (500..501, 500), (3..5, 1003), (500..501, 1105)];
        assert_eq!(runs(&[500, 3, 4, 9], &tails), expected);
        assert!(runs(&[], &tails).is_empty());
    }

    #[test]
    fn very_many_runs_become_one() {
        let scattered: Vec<u32> = (0..500).map(|i| i * 100).collect();
        assert_eq!(of(scattered.into_iter().map(VertexIndex).collect(), 50_000, &[]), [(0..49_901, 0)]);
    }
}
