//! A mask over the vertices of one mesh: how much of a change each takes.
//!
//! 1 takes all of it and is what a vertex has that nothing was said about; 0 keeps its row to the bit. A mesh without a
//! mask holds nothing; otherwise one number a vertex, because every dab asks. As text a mask is `0-99:0,120:0.5`.

use std::fmt;

use crate::ids::VertexIndex;

/// How much of a change each vertex takes, 0 to 1.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct VertexMask {
    /// Empty, or long enough for every vertex below 1.
    values: Vec<f32>,
    /// How many are below 1.
    n_masked: usize,
}

impl VertexMask {
    /// Every vertex takes all of a change.
    pub const NONE: Self = Self { values: Vec::new(), n_masked: 0 };

    /// Whether every vertex takes all of a change.
    pub fn is_none(&self) -> bool {
        self.n_masked == 0
    }

    /// How many vertices take less than all.
    pub fn n_masked(&self) -> usize {
        self.n_masked
    }

    /// How much the vertex takes, 0 to 1.
    #[inline]
    pub fn at(&self, vertex: VertexIndex) -> f32 {
        self.values.get(vertex.idx()).copied().unwrap_or(1.0)
    }

    /// Sets how much the vertex takes (clamped to 0 to 1; NaN counts as 1) and returns what it was.
    pub fn set(&mut self, vertex: VertexIndex, value: f32) -> f32 {
        // Minus zero would be another mask that does the same.
        let value = if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) + 0.0 };
        let was = self.at(vertex);
        if value.to_bits() == was.to_bits() {
            return was;
        }
        if vertex.idx() >= self.values.len() {
            self.values.resize(vertex.idx() + 1, 1.0);
        }
        self.values[vertex.idx()] = value;
        self.n_masked += usize::from(value < 1.0);
        self.n_masked -= usize::from(was < 1.0);
        if value == 1.0 {
            self.trim();
        }
        was
    }

    /// The vertices below 1 with what they take, rising.
    pub fn iter(&self) -> impl Iterator<Item = (VertexIndex, f32)> + '_ {
        let all = self.values.iter().enumerate().map(|(v, &value)| (VertexIndex::from_idx(v), value));
        all.filter(|&(_, value)| value < 1.0)
    }

    /// Runs of consecutive vertices below 1 that take the same, rising: first, last, how much.
    pub fn runs(&self) -> impl Iterator<Item = (VertexIndex, VertexIndex, f32)> + '_ {
        let mut masked = self.iter().peekable();
        std::iter::from_fn(move || {
            let (first, value) = masked.next()?;
            let mut last = first;
            while let Some((next, _)) = masked.next_if(|&(next, other)| next.0 == last.0 + 1 && other == value) {
                last = next;
            }
            Some((first, last, value))
        })
    }

    /// Equal masks are equal values: the last one held is below 1.
    fn trim(&mut self) {
        if self.n_masked == 0 {
            self.values = Vec::new();
        }
        while self.values.last() == Some(&1.0) {
            self.values.pop();
        }
    }
}

impl VertexMask {
    /// Reads what `Display` writes; `None` if it is something else, or names a vertex that is not below `n_vertices`.
    pub fn parse(text: &str, n_vertices: usize) -> Option<Self> {
        let mut mask = Self::NONE;
        // Rising, so that no text takes longer than the mesh is large.
        let mut least = 0;
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (vertices, value) = part.split_once(':')?;
            let (first, last) = vertices.split_once('-').unwrap_or((vertices, vertices));
            let (first, last) = (first.parse::<u32>().ok()?, last.parse::<u32>().ok()?);
            let value = value.parse::<f32>().ok().filter(|value| (0.0..=1.0).contains(value))?;
            if first < least || first > last || last as usize >= n_vertices {
                return None;
            }
            least = last.checked_add(1)?;
            for vertex in first..=last {
                mask.set(VertexIndex(vertex), value);
            }
        }
        Some(mask)
    }
}

/// Values are never NaN.
impl Eq for VertexMask {}

impl fmt::Display for VertexMask {
    /// `0-99:0,120:0.5`, each value with the digits that read back to the same bits; nothing without a mask.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (first, last, value)) in self.runs().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            if first == last {
                write!(f, "{comma}{first}:{value}")?;
            } else {
                write!(f, "{comma}{first}-{last}:{value}")?;
            }
        }
        Ok(())
    }
}

impl FromIterator<(VertexIndex, f32)> for VertexMask {
    fn from_iter<I: IntoIterator<Item = (VertexIndex, f32)>>(values: I) -> Self {
        let mut mask = Self::NONE;
        for (vertex, value) in values {
            mask.set(vertex, value);
        }
        mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_back_to_one_leaves_no_trace() {
        let mut mask = VertexMask::NONE;
        assert_eq!(mask.set(VertexIndex(7), 0.25), 1.0);
        assert_eq!(mask.set(VertexIndex(9), -3.0), 1.0);
        assert_eq!(mask.n_masked(), 2);
        assert_eq!(mask.iter().collect::<Vec<_>>(), [(VertexIndex(7), 0.25), (VertexIndex(9), 0.0)]);
        assert_eq!(mask.set(VertexIndex(9), f32::NAN), 0.0);
        assert_eq!(mask, [(VertexIndex(7), 0.25)].into_iter().collect());
        mask.set(VertexIndex(7), 2.0);
        assert_eq!(mask, VertexMask::NONE);
        assert!(mask.is_none());
    }

    #[test]
    fn runs_join_neighbours_of_equal_value() {
        let values = [(3, 0.5), (4, 0.5), (5, 0.0), (7, 0.0), (6, 1.0)];
        let mask: VertexMask = values.into_iter().map(|(v, value)| (VertexIndex(v), value)).collect();
        let runs: Vec<(u32, u32, f32)> = mask.runs().map(|(a, b, value)| (a.0, b.0, value)).collect();
        assert_eq!(runs, [(3, 4, 0.5), (5, 5, 0.0), (7, 7, 0.0)]);
    }

    #[test]
    fn text_reads_back_to_the_same_bits_and_nonsense_is_refused() {
        let values = [(3, 0.1 + 0.2), (4, 0.1 + 0.2), (5, 0.0), (7, f32::MIN_POSITIVE), (1000, 1e-7)];
        let mask: VertexMask = values.into_iter().map(|(v, value)| (VertexIndex(v), value)).collect();
        assert_eq!(VertexMask::parse(&mask.to_string(), 1001), Some(mask.clone()));
        assert_eq!(VertexMask::parse(&mask.to_string(), 1000), None, "a vertex that is not there");
        assert_eq!(VertexMask::parse("", 0), Some(VertexMask::NONE));
        for text in ["0-4000000000:0", "3", "3:2", "3:NaN", "5-3:0", "a:0", "3:0,,4:0", "4:0,3:0", "3-5:0,5:1"] {
            assert_eq!(VertexMask::parse(text, 9), None, "{text}");
        }
    }
}
