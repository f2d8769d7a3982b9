//! The bytes behind an accessor as they are stored, for comparing two files without decoding them.

use crate::accessor::Accessor;

/// Elements of one size at one stride.
#[derive(Clone, Copy)]
pub(crate) struct StoredElements<'a> {
    /// From the first element to the end of the last.
    pub(crate) bytes: &'a [u8],
    pub(crate) stride: usize,
    pub(crate) size: usize,
    pub(crate) count: usize,
}

impl<'a> Accessor<'a> {
    /// What the accessor is made of: its elements, and the indices and values of its sparse part.
    pub(crate) fn stored(&self) -> [Option<StoredElements<'a>>; 3] {
        let size = self.layout.element_size();
        let base = self.base.zip(self.layout.base.as_ref()).map(|(bytes, at)| StoredElements {
            bytes,
            stride: at.stride,
            size,
            count: self.layout.count,
        });
        let sparse = self.sparse.zip(self.layout.sparse.as_ref());
        let indices = sparse.map(|(bytes, sparse)| StoredElements {
            bytes: bytes.indices,
            stride: sparse.indices.stride,
            size: sparse.index_component.size(),
            count: sparse.count,
        });
        let values = sparse.map(|(bytes, sparse)| StoredElements {
            bytes: bytes.values,
            stride: sparse.values.stride,
            size,
            count: sparse.count,
        });
        [base, indices, values]
    }
}

impl StoredElements<'_> {
    /// Whether both hold the same elements, to the bit. What lies between elements does not count.
    pub(crate) fn same_elements(&self, other: &Self) -> bool {
        if (self.size, self.count) != (other.size, other.count) {
            return false;
        }
        if self.stride == self.size && other.stride == other.size {
            return self.bytes == other.bytes;
        }
        let element = |of: &Self, i: usize| i * of.stride..i * of.stride + of.size;
        (0..self.count).all(|i| self.bytes[element(self, i)] == other.bytes[element(other, i)])
    }
}
