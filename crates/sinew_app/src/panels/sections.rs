//! The sections under the joint list: which are open, and how they share the room. No drawing.

use serde::{Deserialize, Serialize};

/// A part of the column that can be folded to its heading.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// The active joint's turn, morph targets.
    Pose,
    /// What was done.
    History,
    /// What the last save changed.
    SaveReport,
    /// What the file holds.
    FileReport,
}

/// Which sections are open. Kept between runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Sections {
    /// The last opened last: it gets the room first.
    opened: Vec<Section>,
    /// Those whose content was last in sight.
    #[serde(skip)]
    seen: Vec<Section>,
}

/// What a section would like to have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wanted {
    /// The section.
    pub section: Section,
    /// Height of all that is in it, points.
    pub height: f32,
    /// With less it is better folded, points.
    pub least: f32,
}

/// What a section gets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Place {
    /// Nothing: not even its heading has room.
    None,
    /// Its heading.
    Folded,
    /// Its heading and so much room, points.
    Open(f32),
}

impl Default for Sections {
    fn default() -> Self {
        Self {
            opened: vec![Section::FileReport, Section::SaveReport, Section::History, Section::Pose],
            seen: Vec::new(),
        }
    }
}

impl Section {
    /// The heading.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Pose => "Pose",
            Self::History => "History",
            Self::SaveReport => "Save report",
            Self::FileReport => "File report",
        }
    }
}

impl Sections {
    /// Opens a section; it gets the room before all others.
    pub fn open(&mut self, section: Section) {
        self.fold(section);
        self.opened.push(section);
    }

    /// Leaves only the heading.
    pub fn fold(&mut self, section: Section) {
        self.opened.retain(|&other| other != section);
    }

    /// Something new is in a section: it comes before the others, unless it was folded by hand.
    pub fn bring_forward(&mut self, section: Section) {
        if self.opened.contains(&section) {
            self.open(section);
        }
    }

    /// A click on the heading: what is in sight folds, anything else opens.
    pub fn toggle(&mut self, section: Section) {
        if self.is_seen(section) {
            self.fold(section);
        } else {
            self.open(section);
        }
    }

    /// Whether the section's content was last in sight.
    pub fn is_seen(&self, section: Section) -> bool {
        self.seen.contains(&section)
    }

    /// Shares a column's room among sections, in points; a heading takes `heading`. All that are open get the least they
    /// need as long as there is room, the last opened first; then each, in the same order, gets all it wants.
    pub fn share(&mut self, room: f32, heading: f32, wanted: &[Wanted]) -> Vec<Place> {
        let rank = |i: &usize| self.opened.iter().position(|&section| section == wanted[*i].section);
        let mut first: Vec<usize> = (0..wanted.len()).collect();
        first.sort_by_key(|i| std::cmp::Reverse(rank(i)));
        let mut left = room;
        let mut places = vec![Place::None; wanted.len()];
        for &i in first.iter().filter(|_| heading > 0.0) {
            if left >= heading {
                left -= heading;
                places[i] = Place::Folded;
            }
        }
        first.retain(|i| rank(i).is_some() && places[*i] == Place::Folded);
        for &i in &first {
            let least = wanted[i].least.min(wanted[i].height);
            if left >= least {
                left -= least;
                places[i] = Place::Open(least);
            }
        }
        for &i in &first {
            if let Place::Open(height) = &mut places[i] {
                let more = (wanted[i].height - *height).clamp(0.0, left.max(0.0));
                left -= more;
                *height += more;
            }
        }
        self.seen.clear();
        let seen = wanted.iter().zip(&places).filter(|(_, place)| matches!(place, Place::Open(_)));
        self.seen.extend(seen.map(|(wanted, _)| wanted.section));
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADING: f32 = 30.0;

    fn all() -> [Wanted; 4] {
        [(Section::Pose, 30.0, 30.0), (Section::History, 160.0, 44.0), (Section::SaveReport, 200.0, 66.0)]
            .into_iter()
            .chain([(Section::FileReport, 300.0, 66.0)])
            .map(|(section, height, least)| Wanted { section, height, least })
            .collect::<Vec<_>>()
            .try_into()
            .expect("four")
    }

    fn used(places: &[Place]) -> f32 {
        let height = |place: &Place| match place {
            Place::None => 0.0,
            Place::Folded => HEADING,
            Place::Open(height) => HEADING + height,
        };
        places.iter().map(height).sum()
    }

    #[test]
    fn sections_never_take_more_than_there_is_and_all_of_it_where_they_want_more() {
        for room in 0..900 {
            let mut sections = Sections::default();
            let places = sections.share(room as f32, HEADING, &all());
            assert!(used(&places) <= room as f32 + 0.01, "{room}: {places:?}");
            if (300..800).contains(&room) {
                assert!(used(&places) >= room as f32 - 0.01, "{room}: {places:?}");
            }
        }
    }

    #[test]
    fn the_last_opened_gets_what_it_wants_and_others_fold_where_there_is_no_room() {
        let mut sections = Sections::default();
        sections.open(Section::SaveReport);
        let places = sections.share(470.0, HEADING, &all());
        assert_eq!(places[0], Place::Open(30.0), "all are open: {places:?}");
        assert!(matches!(places[3], Place::Open(height) if height >= 66.0));
        assert_eq!(places[2], Place::Open(200.0));
        let places = sections.share(200.0, HEADING, &all());
        assert_eq!(places[..3], [Place::Folded, Place::Folded, Place::Open(80.0)], "{places:?}");
        // A click on a heading that had no room gives it the room.
        assert!(!sections.is_seen(Section::History));
        sections.toggle(Section::History);
        let places = sections.share(200.0, HEADING, &all());
        assert!(matches!(places[1], Place::Open(height) if height >= 44.0), "{places:?}");
        assert_eq!(places[2], Place::Folded);
    }

    #[test]
    fn what_was_folded_by_hand_stays_folded_whatever_comes_and_is_kept() {
        let mut sections = Sections::default();
        sections.share(900.0, HEADING, &all());
        sections.toggle(Section::SaveReport);
        sections.bring_forward(Section::SaveReport);
        assert_eq!(sections.share(900.0, HEADING, &all())[2], Place::Folded);
        let text = serde_json::to_string(&sections).expect("text");
        let mut read: Sections = serde_json::from_str(&text).expect("sections");
        assert_eq!(read.share(900.0, HEADING, &all())[2], Place::Folded);
        read.toggle(Section::SaveReport);
        assert!(matches!(read.share(900.0, HEADING, &all())[2], Place::Open(_)));
    }
}
