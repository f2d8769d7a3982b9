//! A limit on what a file may make us allocate, so that a small file cannot exhaust memory or time by naming the same
//! bytes again and again.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::error::OpenError;

/// What every file may ask for.
const FLOOR: u64 = 1 << 30;

/// How many times its own size a file may ask for beyond that.
const FACTOR: u64 = 16;

/// What no file may ask for.
const CEILING: u64 = 1 << 34;

/// Bytes that may still be read into memory while one file is opened. Every read counts, kept or not.
#[derive(Debug)]
pub struct MemoryBudget {
    limit: u64,
    left: AtomicU64,
}

impl MemoryBudget {
    /// The budget of a file whose buffers have `n_bytes` together.
    pub fn for_file(n_bytes: u64) -> Self {
        let limit = FLOOR.saturating_add(n_bytes.saturating_mul(FACTOR)).min(CEILING);
        Self { limit, left: AtomicU64::new(limit) }
    }

    /// A budget of so many bytes.
    #[cfg(test)]
    pub(crate) fn of(limit: u64) -> Self {
        Self { limit, left: AtomicU64::new(limit) }
    }

    /// Takes `n_bytes` off the budget, before they are allocated.
    pub fn charge(&self, n_bytes: u64, path: impl FnOnce() -> String) -> Result<(), OpenError> {
        let take = |left: u64| left.checked_sub(n_bytes);
        match self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => Ok(()),
            Err(_) => Err(OpenError::TooLarge { path: path(), limit_mib: self.limit >> 20 }),
        }
    }
}
