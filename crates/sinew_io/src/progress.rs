//! Saying how far slow work is, and ending it early.

/// Is told each step as it begins, and answers whether to go on.
#[derive(Clone, Copy)]
pub struct Progress<'a>(pub &'a dyn Fn(&str) -> bool);

/// The work was ended early. Nothing changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("cancelled")]
pub struct Cancelled;

impl Progress<'_> {
    /// A step begins, named for a person.
    pub fn step(self, what: &str) -> Result<(), Cancelled> {
        if (self.0)(what) { Ok(()) } else { Err(Cancelled) }
    }
}

impl Default for Progress<'_> {
    /// Nobody listens and nobody cancels.
    fn default() -> Self {
        Self(&|_| true)
    }
}
