//! Rows as they were before a stroke.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use sinew_model::{Row, VertexIndex};

/// The row before the stroke of every vertex that it changed. Nothing may depend on its order.
pub type RowsBefore = HashMap<VertexIndex, Row, BuildHasherDefault<Spread>>;

/// Amounts by weld group. Nothing may depend on its order.
pub(super) type Amounts = HashMap<u32, f32, BuildHasherDefault<Spread>>;

/// Spreads numbers over a table: they are distinct, and nobody chooses them to collide.
#[derive(Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(u32::from(byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
