//! A set of vertices of one mesh: what is selected or hidden.
//!
//! One bit a vertex, so that any set of a million vertices is 125 kB and every question is answered at once. Equal sets
//! are equal values. As text a set is `0-99,105`.

use std::fmt;

use crate::ids::VertexIndex;

const BITS: usize = 64;

/// A set of vertices.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VertexSet {
    /// The last word is never 0.
    words: Vec<u64>,
    len: usize,
}

impl VertexSet {
    /// The empty set.
    pub const EMPTY: Self = Self { words: Vec::new(), len: 0 };

    /// The vertices 0 to `n_vertices` − 1.
    pub fn all(n_vertices: usize) -> Self {
        let mut set = Self::EMPTY;
        if let Some(last) = n_vertices.checked_sub(1) {
            set.insert_range(VertexIndex(0), VertexIndex::from_idx(last));
        }
        set
    }

    /// How many vertices are in it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether no vertex is in it.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the vertex is in it.
    #[inline]
    pub fn contains(&self, vertex: VertexIndex) -> bool {
        self.words.get(vertex.idx() / BITS).is_some_and(|word| word >> (vertex.idx() % BITS) & 1 == 1)
    }

    /// Puts a vertex in; returns whether it is new.
    pub fn insert(&mut self, vertex: VertexIndex) -> bool {
        let (word, bit) = (vertex.idx() / BITS, 1 << (vertex.idx() % BITS));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        self.len += usize::from(is_new);
        is_new
    }

    /// Puts `first` to `last` in, both included.
    pub fn insert_range(&mut self, first: VertexIndex, last: VertexIndex) {
        let (first, last) = (first.idx(), last.idx());
        if first > last {
            return;
        }
        let (first_word, last_word) = (first / BITS, last / BITS);
        if last_word >= self.words.len() {
            self.words.resize(last_word + 1, 0);
        }
        for (word, bits) in self.words.iter_mut().enumerate().take(last_word + 1).skip(first_word) {
            let mut new = u64::MAX;
            if word == first_word {
                new &= u64::MAX << (first % BITS);
            }
            if word == last_word {
                new &= u64::MAX >> (BITS - 1 - last % BITS);
            }
            self.len += (new & !*bits).count_ones() as usize;
            *bits |= new;
        }
    }

    /// Takes a vertex out; returns whether it was in.
    pub fn remove(&mut self, vertex: VertexIndex) -> bool {
        if !self.contains(vertex) {
            return false;
        }
        self.words[vertex.idx() / BITS] &= !(1 << (vertex.idx() % BITS));
        self.len -= 1;
        self.trim();
        true
    }

    /// Puts in what is in `other`.
    pub fn add(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own |= other);
        self.recount();
    }

    /// Takes out what is in `other`.
    pub fn subtract(&mut self, other: &Self) {
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own &= !other);
        self.recount();
    }

    /// Takes out what is not in `other`.
    pub fn intersect(&mut self, other: &Self) {
        self.words.truncate(other.words.len());
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own &= other);
        self.recount();
    }

    /// Whether some vertex is in both.
    pub fn intersects(&self, other: &Self) -> bool {
        self.words.iter().zip(&other.words).any(|(own, other)| own & other != 0)
    }

    /// The vertices, rising.
    pub fn iter(&self) -> impl Iterator<Item = VertexIndex> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let is_left = |bits: &u64| *bits != 0;
            let rest =
                std::iter::successors(Some(bits).filter(is_left), move |bits| Some(bits & (bits - 1)).filter(is_left));
            let places = rest.map(|bits| bits.trailing_zeros() as usize);
            places.map(move |place| VertexIndex::from_idx(word * BITS + place))
        })
    }

    /// Runs of consecutive vertices, rising: first and last of each.
    pub fn runs(&self) -> impl Iterator<Item = (VertexIndex, VertexIndex)> + '_ {
        let mut vertices = self.iter().peekable();
        std::iter::from_fn(move || {
            let first = vertices.next()?;
            let mut last = first;
            while let Some(next) = vertices.next_if(|next| next.0 == last.0 + 1) {
                last = next;
            }
            Some((first, last))
        })
    }

    /// Memory that the set holds outside itself, bytes.
    pub fn n_heap_bytes(&self) -> usize {
        self.words.capacity() * size_of::<u64>()
    }

    fn recount(&mut self) {
        self.len = self.words.iter().map(|word| word.count_ones() as usize).sum();
        self.trim();
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

impl FromIterator<VertexIndex> for VertexSet {
    fn from_iter<I: IntoIterator<Item = VertexIndex>>(vertices: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(vertices);
        set
    }
}

impl Extend<VertexIndex> for VertexSet {
    fn extend<I: IntoIterator<Item = VertexIndex>>(&mut self, vertices: I) {
        for vertex in vertices {
            self.insert(vertex);
        }
    }
}

impl fmt::Display for VertexSet {
    /// `0-99,105`; the empty set is `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("none");
        }
        for (i, (first, last)) in self.runs().enumerate() {
            let comma = if i > 0 { "," } else { "" };
            match last.0 - first.0 {
                0 => write!(f, "{comma}{first}")?,
                _ => write!(f, "{comma}{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn set(vertices: &[u32]) -> VertexSet {
        vertices.iter().copied().map(VertexIndex).collect()
    }

    #[test]
    fn text_joins_runs_and_names_single_vertices() {
        assert_eq!(set(&[105, 0, 1, 2, 63, 64, 65, 7]).to_string(), "0-2,7,63-65,105");
        assert_eq!(VertexSet::all(1_000_000).to_string(), "0-999999");
        assert_eq!(VertexSet::EMPTY.to_string(), "none");
        assert_eq!(VertexSet::all(0), VertexSet::EMPTY);
    }

    #[test]
    fn it_is_a_set_whatever_is_done_to_it() {
        // Against the standard library's, over word borders.
        let (mut found, mut expected) = (VertexSet::EMPTY, BTreeSet::new());
        let mut x = 1_u32;
        for step in 0..4000 {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (a, b) = (x >> 8 & 255, x >> 16 & 255);
            match step % 7 {
                0 => {
                    found.insert_range(VertexIndex(a), VertexIndex(b));
                    expected.extend(a..=b);
                }
                1 => {
                    let other: BTreeSet<u32> = (a..=b.max(a)).collect();
                    found.subtract(&other.iter().copied().map(VertexIndex).collect());
                    expected.retain(|v| !other.contains(v));
                }
                2 if step % 5 == 0 => {
                    let other: BTreeSet<u32> = (a / 2..=b).collect();
                    found.intersect(&other.iter().copied().map(VertexIndex).collect());
                    expected.retain(|v| other.contains(v));
                }
                3 => {
                    found.add(&set(&[a, b]));
                    expected.extend([a, b]);
                }
                4 => assert_eq!(found.insert(VertexIndex(a)), expected.insert(a)),
                _ => assert_eq!(found.remove(VertexIndex(b)), expected.remove(&b)),
            }
            assert_eq!(found.len(), expected.len());
            assert!(found.iter().map(|v| v.0).eq(expected.iter().copied()));
            assert_eq!(found, expected.iter().copied().map(VertexIndex).collect(), "equal sets are equal values");
        }
    }
}
