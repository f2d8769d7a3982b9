//! What must hold for every verb, whatever the row: valid results, locks to the bit, doing it twice is doing it once.

use proptest::prelude::*;
use sinew_model::{Influence, JointSlot, Row, RowRef};
use sinew_weights::{
    BudgetOutcome, Change, Give, Holds, RowOutcome, blend_row, fit_budget, limit_row, mean_of_rows, normalize_row,
    prune_row, set_weight, set_weight_giving,
};

const N_SLOTS: u16 = 16;

/// A valid row: 1 to 12 influences that sum to 1.
fn valid_row() -> impl Strategy<Value = Row> {
    let slots = proptest::sample::subsequence((0..N_SLOTS).collect::<Vec<_>>(), 1..12);
    let weights = proptest::collection::vec(prop_oneof![0.01f32..1.0, 1e-6f32..1e-3], 12);
    (slots.prop_shuffle(), weights).prop_map(|(slots, weights)| {
        let row: Row = slots.into_iter().map(JointSlot).zip(weights).collect();
        match normalize_row(&row, Holds::NONE) {
            RowOutcome::Changed(row) => row,
            _ => row,
        }
    })
}

/// Any floats at all, as a broken file may bring them.
fn odd_row() -> impl Strategy<Value = Row> {
    let weight = prop_oneof![
        any::<f32>(),
        -1.0f32..2.0,
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(f32::MAX),
        Just(f32::MIN_POSITIVE),
        Just(1e-45),
        Just(0.0),
        Just(-0.0),
        Just(1.0),
    ];
    let slots = proptest::sample::subsequence((0..N_SLOTS).collect::<Vec<_>>(), 0..10);
    (slots, proptest::collection::vec(weight, 10)).prop_map(|(slots, weights)| {
        let mut row = Row::new();
        for (slot, weight) in slots.into_iter().zip(weights) {
            row.push(Influence { slot: JointSlot(slot), weight });
        }
        row
    })
}

fn any_row() -> impl Strategy<Value = Row> {
    prop_oneof![valid_row(), odd_row()]
}

fn any_locks() -> impl Strategy<Value = Vec<bool>> {
    prop_oneof![Just(Vec::new()), proptest::collection::vec(proptest::bool::weighted(0.3), 0..N_SLOTS as usize)]
}

fn any_target() -> impl Strategy<Value = f32> {
    prop_oneof![-0.2f32..1.2, Just(0.0), Just(1.0), any::<f32>()]
}

/// The result is valid and every locked slot has the weight it had, to the bit.
#[track_caller]
fn check(before: &Row, after: &Row, locks: &[bool]) {
    assert_eq!(after.check(), Ok(()), "{before:?} became {after:?}");
    assert!(after.influences().iter().all(|i| i.weight > 0.0 || Holds::locks(locks).is_locked(i.slot)), "{after:?}");
    for (slot, _) in locks.iter().enumerate().filter(|(_, locked)| **locked) {
        let (was, is) = (before.weight(JointSlot(slot as u16)), after.weight(JointSlot(slot as u16)));
        // A zero of either sign is no influence.
        assert!(was.to_bits() == is.to_bits() || was == 0.0 && is == 0.0, "{before:?} became {after:?}");
    }
}

/// Checks one outcome and that the verb has nothing to do on its own result.
#[track_caller]
fn check_settled(before: &Row, locks: &[bool], verb: impl Fn(&Row) -> RowOutcome) {
    if let RowOutcome::Changed(after) = verb(before) {
        check(before, &after, locks);
        assert_eq!(verb(&after), RowOutcome::Unchanged, "{before:?} became {after:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_painted_weight_is_exact_and_the_row_valid(
        row in any_row(), slot in 0..N_SLOTS, target in any_target(), locks in any_locks(), neighbours in any_row(),
    ) {
        let slot = JointSlot(slot);
        let holds = Holds::locks(&locks);
        let held: f64 = row.influences().iter().filter(|i| i.slot != slot && holds.holds(i.slot)).map(|i| f64::from(i.weight)).sum();
        match set_weight(&row, slot, target, holds, || neighbours) {
            Change::Changed(after) => {
                check(&row, &after, &locks);
                let asked = f64::from(target).clamp(0.0, (1.0 - held).max(0.0));
                let found = f64::from(after.weight(slot));
                // Too little weight and nobody else to take the rest: the painted joint takes all.
                let is_alone = (found - (1.0 - held)).abs() < 1e-6;
                prop_assert!((found - asked).abs() < 2e-7 || is_alone, "asked {asked}, got {found}");
                let again = set_weight(&after, slot, after.weight(slot), holds, Row::new);
                prop_assert_eq!(again, Change::Unchanged);
            }
            Change::Blocked { by } => prop_assert!(!by.is_empty() && by.iter().all(|&slot| holds.is_locked(slot))),
            Change::Unchanged | Change::NoOtherJoint => {}
        }
    }

    #[test]
    fn what_is_given_up_leaves_a_valid_row_whoever_gets_it(
        row in any_row(), slot in 0..N_SLOTS, target in any_target(), locks in any_locks(), neighbours in any_row(),
        give in prop_oneof![Just(Give::Others), Just(Give::Neighbours), (0..N_SLOTS).prop_map(|s| Give::To(JointSlot(s)))],
    ) {
        let (slot, holds) = (JointSlot(slot), Holds::locks(&locks));
        if let Change::Changed(after) = set_weight_giving(&row, slot, target, holds, give, || neighbours.clone()) {
            check(&row, &after, &locks);
            if let Give::To(receiver) = give
                && row.check().is_ok() && target < row.weight(slot) && receiver != slot
            {
                prop_assert!((after.weight(slot) - target.max(0.0)).abs() < 2e-7);
                let kept = row.influences().iter().filter(|i| i.slot != slot && i.slot != receiver);
                // A zero of either sign is no influence.
                let stays = |a: f32, b: f32| a.to_bits() == b.to_bits() || a == 0.0 && b == 0.0;
                prop_assert!(kept.into_iter().all(|i| stays(after.weight(i.slot), i.weight)));
            }
        }
    }

    #[test]
    fn without_locks_a_valid_row_with_another_joint_always_takes_the_paint(
        row in valid_row(), slot in 0..N_SLOTS, target in 0.0f32..=1.0,
    ) {
        let slot = JointSlot(slot);
        prop_assume!(row.influences().iter().any(|i| i.slot != slot));
        match set_weight(&row, slot, target, Holds::NONE, Row::new) {
            Change::Changed(after) => prop_assert!((after.weight(slot) - target).abs() < 2e-7),
            Change::Unchanged => prop_assert!((row.weight(slot) - target).abs() < 2e-7),
            other => prop_assert!(false, "{other:?}"),
        }
    }

    #[test]
    fn the_stored_order_does_not_change_what_a_paint_does(
        (row, shuffled) in valid_row().prop_flat_map(|row| {
            let influences = row.influences().to_vec();
            (Just(row), Just(influences).prop_shuffle())
        }),
        slot in 0..N_SLOTS, target in 0.0f32..=1.0, locks in any_locks(),
    ) {
        let shuffled: Row = shuffled.into_iter().map(|i| (i.slot, i.weight)).collect();
        let set = |row: &Row| set_weight(row, JointSlot(slot), target, Holds::locks(&locks), Row::new);
        match (set(&row), set(&shuffled)) {
            (Change::Changed(a), Change::Changed(b)) => prop_assert!(a.same_influences(&b), "{a:?} {b:?}"),
            (a, b) => prop_assert_eq!(std::mem::discriminant(&a), std::mem::discriminant(&b)),
        }
    }

    #[test]
    fn a_blend_is_valid_and_lies_between_both_rows(
        row in any_row(), target in any_row(), t in any_target(), locks in any_locks(),
    ) {
        if let Change::Changed(after) = blend_row(&row, &target, t, Holds::locks(&locks)) {
            check(&row, &after, &locks);
            if row.check().is_ok() && target.check().is_ok() && locks.is_empty() {
                for slot in (0..N_SLOTS).map(JointSlot) {
                    let (a, b) = (row.weight(slot), target.weight(slot));
                    let found = after.weight(slot);
                    prop_assert!(found > a.min(b) - 4e-6 && found < a.max(b) + 4e-6, "{slot}: {a} {b} {found}");
                }
            }
        }
    }

    #[test]
    fn normalising_twice_is_normalising_once(row in any_row(), locks in any_locks()) {
        check_settled(&row, &locks, |row| normalize_row(row, Holds::locks(&locks)));
    }

    #[test]
    fn limiting_twice_is_limiting_once(row in any_row(), locks in any_locks(), n in 1usize..8) {
        check_settled(&row, &locks, |row| limit_row(row, n, Holds::locks(&locks)));
        if let RowOutcome::Changed(after) = limit_row(&row, n, Holds::NONE) {
            prop_assert!(after.len() <= n);
            let least = after.influences().iter().map(|i| row.weight(i.slot)).fold(f32::INFINITY, f32::min);
            let lost = row.influences().iter().filter(|i| after.weight(i.slot) == 0.0 && i.weight.is_finite());
            prop_assert!(lost.into_iter().all(|i| i.weight <= least || least == 0.0));
        }
    }

    #[test]
    fn pruning_twice_is_pruning_once(row in any_row(), locks in any_locks(), threshold in 0.0f32..0.4) {
        check_settled(&row, &locks, |row| prune_row(row, threshold, Holds::locks(&locks)));
        if let RowOutcome::Changed(after) = prune_row(&row, threshold, Holds::NONE) {
            prop_assert!(after.len() == 1 || after.influences().iter().all(|i| i.weight >= threshold));
        }
    }

    #[test]
    fn a_row_cut_to_the_budget_fits_and_is_valid(
        before in valid_row(), slot in 0..N_SLOTS, target in 0.0f32..=1.0, locks in any_locks(), budget in 1usize..8,
    ) {
        let slot = JointSlot(slot);
        let holds = Holds::locks(&locks);
        if let Change::Changed(after) = set_weight(&before, slot, target, holds, Row::new)
            && let BudgetOutcome::Fits(fit) = fit_budget(&before, &after, Some(slot), budget, holds)
        {
            check(&before, &fit, &locks);
            prop_assert!(fit.len() <= budget);
            let is_alone = fit.influences().iter().all(|i| i.slot == slot || holds.holds(i.slot));
            prop_assert!(fit.weight(slot) == after.weight(slot) || is_alone);
        }
    }

    #[test]
    fn a_mean_is_valid_or_empty_and_within_its_rows(rows in proptest::collection::vec((any_row(), 0.0f32..3.0), 0..8)) {
        let mean = mean_of_rows(rows.iter().map(|(row, factor)| (RowRef::Long(row.influences()), *factor)));
        if !mean.is_empty() {
            prop_assert_eq!(mean.check(), Ok(()));
            prop_assert!(mean.influences().is_sorted_by_key(|i| i.slot));
        }
        if rows.iter().all(|(row, _)| row.check().is_ok()) {
            for i in mean.influences() {
                let most = rows.iter().map(|(row, _)| row.weight(i.slot)).fold(0.0, f32::max);
                prop_assert!(i.weight <= most + 4e-6);
            }
        }
    }
}
