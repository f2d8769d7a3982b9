//! What may not move in an exchange of weight.

use sinew_model::JointSlot;

/// Slots that keep their weight, to the bit: the locked ones and, where a lane is chosen, all outside it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Holds<'a> {
    /// Locked slots; slots past the end are unlocked. `[n_slots]`
    pub locks: &'a [bool],
    /// The chosen joints that weight is exchanged among; slots past the end are outside. `[n_slots]`
    pub lane: Option<&'a [bool]>,
}

impl<'a> Holds<'a> {
    /// Everything may move.
    pub const NONE: Self = Self { locks: &[], lane: None };

    /// Locks only.
    pub fn locks(locks: &'a [bool]) -> Self {
        Self { locks, lane: None }
    }

    /// Whether the slot is locked.
    #[inline]
    pub fn is_locked(&self, slot: JointSlot) -> bool {
        self.locks.get(slot.idx()).is_some_and(|&locked| locked)
    }

    /// Whether the slot keeps its weight: locked, or outside the lane.
    #[inline]
    pub fn holds(&self, slot: JointSlot) -> bool {
        self.is_locked(slot) || self.lane.is_some_and(|lane| !lane.get(slot.idx()).is_some_and(|&inside| inside))
    }

    /// Whether no slot is held.
    pub fn is_none(&self) -> bool {
        self.lane.is_none() && !self.locks.contains(&true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_past_the_locks_are_free_and_slots_past_the_lane_are_held() {
        let holds = Holds { locks: &[false, true], lane: Some(&[true, true, true]) };
        let held: Vec<bool> = (0..5).map(|slot| holds.holds(JointSlot(slot))).collect();
        assert_eq!(held, [false, true, false, true, true]);
        assert!(!Holds::locks(&[true]).holds(JointSlot(7)));
        assert!(Holds::NONE.is_none() && Holds::locks(&[false, false]).is_none() && !holds.is_none());
    }
}
