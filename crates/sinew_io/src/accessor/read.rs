//! Numbers out of checked accessors.

use rayon::prelude::*;

use crate::accessor::component::{Component, Stored};
use crate::accessor::{Accessor, Shape};
use crate::error::OpenError;

/// Fewer elements than this are read on the spot.
const PARALLEL_FROM: usize = 1 << 15;

impl Accessor<'_> {
    /// How many elements there are.
    pub fn count(&self) -> usize {
        self.layout.count
    }

    /// All elements as floats, `N` numbers each; normalised integers as glTF 2.0 §3.6.2.2 says. `[count]`
    ///
    /// `used_as` is what the error names if the accessor has another shape.
    pub fn floats<const N: usize>(&self, used_as: &str) -> Result<Vec<[f32; N]>, OpenError> {
        self.check_shape::<N>(used_as)?;
        let normalized = self.layout.normalized;
        match self.layout.component {
            Component::I8 => self.all(used_as, |n: i8| n.value(normalized)),
            Component::U8 => self.all(used_as, |n: u8| n.value(normalized)),
            Component::I16 => self.all(used_as, |n: i16| n.value(normalized)),
            Component::U16 => self.all(used_as, |n: u16| n.value(normalized)),
            Component::U32 => self.all(used_as, |n: u32| n.value(normalized)),
            Component::F32 => self.all(used_as, |n: f32| n.value(normalized)),
        }
    }

    /// As [`Accessor::floats`], but integers count as normalised whatever the file says.
    pub fn unit_floats<const N: usize>(&self, used_as: &str) -> Result<Vec<[f32; N]>, OpenError> {
        let mut unit = self.clone();
        unit.layout.normalized = true;
        unit.floats(used_as)
    }

    /// All elements as unsigned integers, `N` numbers each; no other component type will do. `[count]`
    pub fn integers<const N: usize>(&self, used_as: &str) -> Result<Vec<[u32; N]>, OpenError> {
        self.check_shape::<N>(used_as)?;
        match self.layout.component {
            Component::U8 => self.all(used_as, |n: u8| u32::from(n)),
            Component::U16 => self.all(used_as, |n: u16| u32::from(n)),
            Component::U32 => self.all(used_as, |n: u32| n),
            Component::I8 | Component::I16 | Component::F32 => Err(self.unfit(used_as, "unsigned integers")),
        }
    }

    /// The error that the accessor is not what it is used as.
    pub fn unfit(&self, used_as: &str, expected: &str) -> OpenError {
        OpenError::Accessor {
            path: self.place.clone(),
            used_as: used_as.to_owned(),
            expected: expected.to_owned(),
            found: self.layout.describe(),
        }
    }

    fn check_shape<const N: usize>(&self, used_as: &str) -> Result<(), OpenError> {
        let expected = match N {
            1 => Shape::Scalar,
            2 => Shape::Vec2,
            3 => Shape::Vec3,
            4 if self.layout.shape == Shape::Mat2 => Shape::Mat2,
            4 => Shape::Vec4,
            9 => Shape::Mat3,
            _ => Shape::Mat4,
        };
        if self.layout.shape == expected { Ok(()) } else { Err(self.unfit(used_as, expected.name())) }
    }

    fn all<S: Stored, T: Copy + Default + Send, const N: usize>(
        &self,
        used_as: &str,
        value: impl Fn(S) -> T + Sync,
    ) -> Result<Vec<[T; N]>, OpenError> {
        let layout = &self.layout;
        self.budget.charge((layout.count * size_of::<[T; N]>()) as u64, || self.place.clone())?;
        let offsets: [usize; N] = layout.shape.component_offsets(layout.component);
        let element = |bytes: &[u8]| offsets.map(|offset| value(S::at(&bytes[offset..])));
        let mut elements = match (self.base, &layout.base) {
            (Some(bytes), Some(at)) if layout.count >= PARALLEL_FROM => {
                (0..layout.count).into_par_iter().map(|i| element(&bytes[i * at.stride..])).collect()
            }
            (Some(bytes), Some(at)) => (0..layout.count).map(|i| element(&bytes[i * at.stride..])).collect(),
            _ => vec![[T::default(); N]; layout.count],
        };
        if let (Some(bytes), Some(sparse)) = (self.sparse, &layout.sparse) {
            for entry in 0..sparse.count {
                let at = &bytes.indices[entry * sparse.indices.stride..];
                let target = match sparse.index_component {
                    Component::U8 => usize::from(u8::at(at)),
                    Component::U16 => usize::from(u16::at(at)),
                    _ => u32::at(at) as usize,
                };
                let Some(place) = elements.get_mut(target) else {
                    return Err(OpenError::Accessor {
                        path: format!("{}/sparse/indices", self.place),
                        used_as: used_as.to_owned(),
                        expected: format!("element numbers below {}", layout.count),
                        found: target.to_string(),
                    });
                };
                *place = element(&bytes.values[entry * sparse.values.stride..]);
            }
        }
        Ok(elements)
    }
}
