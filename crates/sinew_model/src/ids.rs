//! Typed indices. Numbers are the file's own wherever the file has one, so that nothing is ever renumbered.

use std::fmt;

macro_rules! index {
    ($(#[$doc:meta])* $name:ident($inner:ty)) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
        #[repr(transparent)]
        pub struct $name(pub $inner);

        impl $name {
            /// The index as a `usize`, for slices.
            #[inline]
            pub const fn idx(self) -> usize {
                self.0 as usize
            }

            /// The index from a `usize` that is known to fit.
            #[inline]
            pub const fn from_idx(idx: usize) -> Self {
                Self(idx as $inner)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

index! {
    /// A node of the file. A node that a skin lists is a joint; this is also the document-wide name of a joint.
    NodeIndex(u32)
}
index! {
    /// A position in one skin's `joints` list. Weight rows speak in slots; only a skin gives a slot its joint.
    JointSlot(u16)
}
index! {
    /// A scene of the file.
    SceneIndex(u32)
}
index! {
    /// A skin of the file.
    SkinIndex(u32)
}
index! {
    /// A mesh of the file.
    MeshIndex(u32)
}
index! {
    /// A vertex of one mesh, counted over its pools in primitive order.
    VertexIndex(u32)
}
index! {
    /// A clip (glTF: animation) of the file.
    ClipIndex(u32)
}
index! {
    /// A material of the file.
    MaterialIndex(u32)
}
index! {
    /// An image of the file.
    ImageIndex(u32)
}
