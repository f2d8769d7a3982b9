//! A piece of a file's bytes, shared and never copied.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// A range of shared bytes. Cloning and cutting cost nothing.
#[derive(Clone)]
pub struct Bytes {
    owner: Arc<[u8]>,
    range: Range<usize>,
}

impl Bytes {
    /// No bytes.
    pub fn empty() -> Self {
        Self::from(Arc::from([]))
    }

    /// The part of these bytes that `range` names, `None` if it does not lie within them.
    pub fn cut(&self, range: Range<usize>) -> Option<Self> {
        if range.start > range.end || range.end > self.len() {
            return None;
        }
        let start = self.range.start;
        Some(Self { owner: Arc::clone(&self.owner), range: start + range.start..start + range.end })
    }

    /// The bytes as shared memory of their own; copied only if they are part of something larger.
    pub fn into_shared(self) -> Arc<[u8]> {
        if self.len() == self.owner.len() { self.owner } else { Arc::from(&*self) }
    }
}

impl From<Arc<[u8]>> for Bytes {
    fn from(owner: Arc<[u8]>) -> Self {
        let range = 0..owner.len();
        Self { owner, range }
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        Self::from(Arc::<[u8]>::from(bytes))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.owner[self.range.clone()]
    }
}

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Bytes({} B)", self.len())
    }
}
