//! Keeping one row of a list in sight while the list changes. No drawing.

use egui::Align;

use crate::theme;

/// What was in sight of a list.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Sight {
    /// How far it was scrolled, points.
    offset: f32,
    /// Its height, points.
    height: f32,
    /// The row that matters.
    row: Option<usize>,
    /// Whether that row was in sight.
    is_row_seen: bool,
}

impl Sight {
    /// The row to scroll to, and to which end of the list, so that it stays in sight, or comes there if it `is_other` than
    /// before; none where the list may stay as it is. A list that jumps under the pointer is worse than one that does
    /// not follow, and who scrolled away looks at something else.
    pub fn row_to_see(
        self,
        row: Option<usize>,
        n_rows: usize,
        height: f32,
        is_other: bool,
    ) -> Option<(usize, Option<Align>)> {
        let row = row.filter(|_| height >= theme::ROW_HEIGHT)?;
        let top = row as f32 * theme::ROW_HEIGHT;
        let offset = self.offset.min((n_rows as f32 * theme::ROW_HEIGHT - height).max(0.0));
        if top >= offset - 0.5 && top + theme::ROW_HEIGHT <= offset + height + 0.5 {
            return None;
        }
        let has_moved = Some(row) != self.row || (height - self.height).abs() > 0.5;
        if is_other {
            return Some((row, Some(Align::Center)));
        }
        (self.is_row_seen && has_moved).then_some((row, None))
    }

    /// Remembers what was in sight. A row that a search leaves out for a while comes back into sight.
    pub fn saw(&mut self, row: Option<usize>, offset: f32, height: f32) {
        if let Some(row) = row {
            let middle = (row as f32 + 0.5) * theme::ROW_HEIGHT;
            self.is_row_seen = (offset..=offset + height).contains(&middle);
        }
        (self.row, self.offset, self.height) = (row, offset, height);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: f32 = theme::ROW_HEIGHT;

    /// A list of 100 rows, scrolled down by 10, in which 10 rows are seen.
    fn seeing(row: usize) -> Sight {
        let mut sight = Sight::default();
        sight.saw(Some(row), 10.0 * ROW, 10.0 * ROW);
        sight
    }

    #[test]
    fn a_row_is_followed_when_the_list_changes_and_left_when_somebody_scrolled_away() {
        for (row, was_seen) in [(10, true), (19, true), (25, false), (9, false)] {
            let sight = seeing(row);
            assert_eq!(sight.row_to_see(Some(row), 100, 10.0 * ROW, false), None, "{row}: nothing changed");
            let lower = sight.row_to_see(Some(row), 100, 4.0 * ROW, false);
            assert_eq!(lower, (was_seen && row != 10).then_some((row, None)), "{row}: a lower list");
            let moved = sight.row_to_see(Some(row + 30), 130, 10.0 * ROW, false);
            assert_eq!(moved, was_seen.then_some((row + 30, None)), "{row}: rows above it");
        }
        assert_eq!(seeing(12).row_to_see(Some(50), 100, 10.0 * ROW, true), Some((50, Some(Align::Center))));
        assert_eq!(seeing(12).row_to_see(Some(15), 100, 10.0 * ROW, true), None, "it is in sight already");
    }

    #[test]
    fn a_row_that_is_left_out_for_a_while_comes_back_into_sight() {
        let mut sight = seeing(12);
        sight.saw(None, 0.0, 10.0 * ROW);
        assert_eq!(sight.row_to_see(Some(12), 100, 10.0 * ROW, false), Some((12, None)));
        assert_eq!(sight.row_to_see(Some(12), 100, 0.0, false), None, "no list, no row");
    }
}
