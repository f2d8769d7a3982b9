//! What the window said: the line that is shown now and how long it stays, and the lines before it.
//!
//! A line goes by itself once it was seen long enough to be read, and is kept: who looked elsewhere finds it again.

use std::collections::VecDeque;
use std::time::Instant;

use crate::action::{Level, Notice};

/// So many lines are kept.
const MAX_KEPT: usize = 30;
/// A short line is seen so long, seconds.
const LEAST_S: f64 = 4.0;
/// Each letter takes so long to read, seconds.
const LETTER_S: f64 = 0.06;

/// The lines.
#[derive(Default)]
pub struct Notices {
    /// The latest last.
    kept: VecDeque<Said>,
    is_shown: bool,
    /// Since when the latest is seen: the window's time, seconds.
    seen_since_s: Option<f64>,
}

/// A line that was said.
pub struct Said {
    /// The line.
    pub notice: Notice,
    /// When.
    pub at: Instant,
}

impl Notices {
    /// Shows a line, and keeps it.
    pub fn say(&mut self, notice: Notice) {
        // What is said again is one line, said now.
        if self.kept.back().is_some_and(|last| last.notice == notice) {
            self.kept.pop_back();
        }
        if self.kept.len() >= MAX_KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(Said { notice, at: Instant::now() });
        (self.is_shown, self.seen_since_s) = (true, None);
    }

    /// Shows no line any more: work went on.
    pub fn clear(&mut self) {
        self.is_shown = false;
    }

    /// The line that is shown.
    pub fn shown(&self) -> Option<&Notice> {
        self.kept.back().filter(|_| self.is_shown).map(|said| &said.notice)
    }

    /// What was said, the latest first.
    pub fn kept(&self) -> impl ExactSizeIterator<Item = &Said> {
        self.kept.iter().rev()
    }

    /// Tells that the line is seen at this moment of the window's time: how many seconds until it goes. One that is
    /// `held`, because somebody points at it, begins anew.
    pub fn see(&mut self, now_s: f64, held: bool) -> Option<f64> {
        let stays_s = stays_s(self.shown()?);
        if held {
            self.seen_since_s = Some(now_s);
        }
        let left_s = stays_s - (now_s - *self.seen_since_s.get_or_insert(now_s));
        self.is_shown = left_s > 0.0;
        self.is_shown.then_some(left_s)
    }
}

/// How long a line is seen, seconds: the longer the more there is to read and the more it matters.
fn stays_s(notice: &Notice) -> f64 {
    let times = match notice.level {
        Level::Done => 1.0,
        Level::Refused => 2.0,
        Level::Failed => 4.0,
    };
    times * (LEAST_S + LETTER_S * notice.text.chars().count() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_once_it_was_read_and_refusals_stay_longer() {
        let gone_at_s = |notice: Notice| {
            let mut notices = Notices::default();
            notices.say(notice);
            assert!(notices.see(100.0, false).is_some(), "time counts from when it is seen");
            (0..1000).find(|&s| notices.see(100.0 + f64::from(s), false).is_none()).unwrap_or(0)
        };
        let (short, long) = (gone_at_s(Notice::done("Undid")), gone_at_s(Notice::done("word ".repeat(20))));
        assert!((3..8).contains(&short) && long > short + 3, "{short} {long}");
        assert!(gone_at_s(Notice::refused("Undid")) >= 2 * short - 1);
        assert!(gone_at_s(Notice::failed("Undid")) >= 4 * short - 3);
    }

    #[test]
    fn a_line_that_is_pointed_at_stays_and_all_can_be_found_again() {
        let mut notices = Notices::default();
        notices.say(Notice::done("first"));
        notices.see(0.0, false);
        assert!(notices.see(1000.0, true).is_some() && notices.see(1002.0, false).is_some());
        assert!(notices.see(2000.0, false).is_none() && notices.shown().is_none());
        for text in ["second", "third", "third"] {
            notices.say(Notice::done(text));
        }
        let kept: Vec<&str> = notices.kept().map(|said| said.notice.text.as_str()).collect();
        assert_eq!(kept, ["third", "second", "first"]);
        (0..100).for_each(|i| notices.say(Notice::done(i.to_string())));
        assert_eq!(notices.kept().len(), MAX_KEPT);
    }
}
