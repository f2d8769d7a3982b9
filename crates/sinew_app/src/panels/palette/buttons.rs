//! What buttons, switches and fields of the panels do, found by the names that stand on them. Names and hints are the
//! panels' own.

use sinew_deform::DEFORMERS;
use sinew_edit::brushes::Needs;
use sinew_edit::{EXPORT_PROFILES, Editor, Falloff, GiveTo, Line, Reach};

use crate::action::{Action, Notice};
use crate::app::App;
use crate::brush_memory::BrushMemory;
use crate::panels::brush_bar::{self, Card};
use crate::panels::{brush_card, controls};
use crate::preferences::SCALES;
use crate::theme::ThemeChoice;
use crate::viewport::display::{RampChoice, Under, ZeroHighlight};
use crate::viewport::display_card;
use crate::viewport::hand::Hand;
use crate::viewport::options::PenUse;
use crate::viewport::select::{Draws, Takes};

/// Something that stands in a panel.
pub(super) struct Button {
    /// Its name on screen.
    pub label: String,
    /// Where it stands.
    pub place: &'static str,
    /// One line about it.
    pub hint: String,
    /// Whether it is on, where it can be.
    pub is_on: Option<bool>,
    /// What pressing it does.
    pub press: Press,
}

/// What pressing something does.
#[derive(Clone, PartialEq, Debug)]
pub enum Press {
    /// Turns one of `SWITCHES`, by its name.
    Turn(&'static str),
    /// Gives the window this theme.
    Theme(ThemeChoice),
    /// Gives text and controls this size, percent.
    Scale(u32),
    /// Lets the pen set this.
    Pen(PenUse),
    /// Lets the brush reach so.
    Reach(Reach),
    /// Lets the brush fade so.
    Falloff(Falloff),
    /// Measures the brush on screen, or on the model.
    InPixels(bool),
    /// Gives to these what painted joints lose.
    Give(GiveTo),
    /// Holds the brush as a preset does, by its place.
    Preset(usize),
    /// Holds the brush as it comes.
    ResetBrush,
    /// Colours weights so.
    Ramp(RampChoice),
    /// Lets this show through.
    Under(Under),
    /// Tells vertices without weight apart.
    Zero(ZeroHighlight),
    /// Lets a click select so; takes the selection in hand.
    Takes(Takes),
    /// Lets a drag select so; takes the selection in hand.
    Draws(Draws),
    /// Opens a card, and gives the keyboard to a number of it.
    Open(Card, Option<&'static str>),
    /// Does something that a menu or a bar does.
    Act(Action),
}

/// A switch of a panel.
struct Switch {
    /// Its name and one line about it.
    name: (&'static str, &'static str),
    place: &'static str,
    is_on: fn(&App) -> Option<bool>,
    turn: fn(&mut App) -> Option<Notice>,
}

const BAR: &str = "brush bar";
const CARD: &str = "brush options";
const DISPLAY: &str = "display";
const SELECT: &str = "select tool";

macro_rules! switch {
    ($name:expr, $place:expr, brush.$field:ident) => {
        switch!($name, $place, |app| app.editor()?.session.brush.$field, |app| app.editor_mut()?.session.brush.$field)
    };
    ($name:expr, $place:expr, paint.$field:ident) => {
        switch!($name, $place, |app| app.editor()?.session.paint.$field, |app| app.editor_mut()?.session.paint.$field)
    };
    ($name:expr, $place:expr, display.$field:ident) => {
        switch!($name, $place, |app| app.viewport.options.display.$field, |app| app.viewport.options.display.$field)
    };
    ($name:expr, $place:expr, |$app:ident| $read:expr, |$same:ident| $write:expr) => {
        Switch {
            name: $name,
            place: $place,
            is_on: |$app| Some($read),
            turn: |$same| {
                $write ^= true;
                None
            },
        }
    };
}

/// The switches of bars and cards that have no key of their own.
static SWITCHES: &[Switch] = &[
    Switch {
        name: brush_bar::LANE,
        place: BAR,
        is_on: |app| Some(!app.editor()?.session.paint.lane.is_empty()),
        turn: |app| Some(app.brush_bar.turn_lane(&mut app.file.as_mut()?.editor)),
    },
    Switch {
        name: brush_bar::AS_ONE,
        place: BAR,
        is_on: |app| Some(!app.editor()?.session.paint.together.is_empty()),
        turn: |app| Some(brush_bar::turn_as_one(app.editor_mut()?)),
    },
    switch!(brush_bar::FRONT_ONLY, BAR, brush.front_only),
    switch!(brush_bar::PROTECT, BAR, paint.protect),
    switch!(brush_card::ONCE, CARD, brush.once),
    switch!(brush_card::EXISTING, CARD, brush.existing_only),
    switch!(brush_card::SHELL, CARD, brush.shell_only),
    switch!(brush_card::ALL_MESHES, CARD, paint.all_meshes),
    switch!(brush_card::UNASSIGNED, CARD, paint.leaves_unassigned),
    switch!(display_card::OVER_BUDGET, DISPLAY, display.over_budget),
    switch!(display_card::KEPT, DISPLAY, display.refused),
    switch!(("Used only", "Leave out joints without weight"), "joint list", |app| app.joint_list.used_only, |app| app
        .joint_list
        .used_only),
    switch!(
        ("Through", "A drag also takes what is hidden from the eye"),
        SELECT,
        |app| app.viewport.in_hand.select.through,
        |app| app.viewport.in_hand.select.through
    ),
];

/// Everything that stands in a panel now.
pub(super) fn all(app: &App) -> Vec<Button> {
    let mut all = Vec::new();
    of_window(app, &mut all);
    if let Some(editor) = app.editor() {
        of_brush(app, editor, &mut all);
        of_view(app, editor, &mut all);
    }
    all
}

fn add(all: &mut Vec<Button>, place: &'static str, (label, hint): (&str, &str), is_on: Option<bool>, press: Press) {
    all.push(Button { label: label.to_owned(), place, hint: hint.to_owned(), is_on, press });
}

fn of_window(app: &App, all: &mut Vec<Button>) {
    let preferences = &app.preferences;
    for (choice, label, hint) in ThemeChoice::ALL {
        add(all, "theme", (label, hint), Some(preferences.theme == choice), Press::Theme(choice));
    }
    for (percent, label) in SCALES {
        let is_on = preferences.scale_percent == percent;
        add(all, "size of text", (label, "Size of text and controls"), Some(is_on), Press::Scale(percent));
    }
    for (pen, label, hint) in PenUse::ALL {
        add(all, "pen pressure sets", (label, hint), Some(app.viewport.options.pen == pen), Press::Pen(pen));
    }
}

fn of_brush(app: &App, editor: &Editor, all: &mut Vec<Button>) {
    for switch in SWITCHES {
        add(all, switch.place, switch.name, (switch.is_on)(app), Press::Turn(switch.name.0));
    }
    let (session, brush) = (&editor.session, &editor.session.brush);
    for reach in Reach::ALL {
        let name = (reach.label(), brush_bar::reach_hint(reach));
        add(all, "reach", name, Some(brush.reach == reach), Press::Reach(reach));
    }
    for falloff in Falloff::ALL {
        let label = format!("{} falloff", falloff.label());
        add(all, CARD, (&label, "How the brush fades"), Some(brush.falloff == falloff), Press::Falloff(falloff));
    }
    let is_in_pixels = app.viewport.screen_size.points.is_some();
    for (in_pixels, label, hint) in brush_card::SIZE_IN {
        add(all, "brush size in", (label, hint), Some(is_in_pixels == in_pixels), Press::InPixels(in_pixels));
    }
    for (give, label, hint) in brush_card::GIVES {
        add(all, "gives to", (label, hint), Some(session.paint.give == give), Press::Give(give));
    }
    if let Some(joint) = session.active_joint {
        let give = GiveTo::Joint(joint);
        add(all, CARD, brush_card::GIVE_TO_ACTIVE, Some(session.paint.give == give), Press::Give(give));
    }
    for (i, name) in app.preferences.brushes.preset_names().enumerate() {
        add(all, "preset", (name, "Hold the brush as it was saved"), None, Press::Preset(i));
    }
    add(all, CARD, brush_card::RESET, None, Press::ResetBrush);
    let needs_gap = brush.brush.needs == Needs::Neighbours && !brush.brush.uses_value;
    for number in brush_card::NUMBERS.into_iter().filter(|number| needs_gap || *number != brush_card::GAP) {
        add(all, CARD, number, None, Press::Open(Card::Brush, Some(number.0)));
    }
    add(all, BAR, brush_bar::OPTIONS, None, Press::Open(Card::Brush, None));
    add(all, BAR, brush_bar::SYMMETRY, None, Press::Open(Card::Symmetry, None));
    let select = &app.viewport.in_hand.select;
    for (takes, label, hint) in Takes::ALL {
        add(all, SELECT, (label, hint), Some(select.takes == takes), Press::Takes(takes));
    }
    for (draws, label, hint) in Draws::ALL {
        add(all, SELECT, (label, hint), Some(select.draws == draws), Press::Draws(draws));
    }
}

fn of_view(app: &App, editor: &Editor, all: &mut Vec<Button>) {
    let (session, display) = (&editor.session, &app.viewport.options.display);
    for (ramp, label, hint) in RampChoice::ALL {
        add(all, "ramp", (label, hint), Some(display.ramp == ramp), Press::Ramp(ramp));
    }
    for (under, label, hint) in Under::ALL {
        add(all, "under weights", (label, hint), Some(display.under == under), Press::Under(under));
    }
    for (zero, label, hint) in ZeroHighlight::ALL {
        add(all, "no weight", (label, hint), Some(display.zero == zero), Press::Zero(zero));
    }
    for number in display_card::NUMBERS {
        add(all, DISPLAY, number, None, Press::Open(Card::Display, Some(number.0)));
    }
    for deformer in DEFORMERS {
        let is_on = session.deformer.name() == deformer.name();
        let line = Line::new("deform").with("by", deformer.name()).to_string();
        add(all, "deformer", (deformer.label(), deformer.hint()), Some(is_on), Press::Act(Action::Line(line)));
    }
    for profile in &EXPORT_PROFILES {
        let is_on = session.as_exported && profile == session.export;
        let line = Line::new("view_as").with("profile", profile.name).to_string();
        add(all, "as exported", (profile.label, profile.hint), Some(is_on), Press::Act(Action::Line(line)));
    }
    let hint = "What was odd about the file when it was opened";
    add(all, "view", ("File Report", hint), Some(app.shows_file_report), Press::Act(Action::ToggleFileReport));
}

impl Press {
    /// Does it. What a person should know is said by whoever called.
    pub fn perform(self, app: &mut App, ctx: &egui::Context) {
        let label = all(app).into_iter().find(|button| button.press == self).map(|button| button.label);
        let notice = self.clone().take_effect(app, ctx);
        let now = all(app).into_iter().find(|button| button.press == self);
        if let Some(notice) = notice {
            app.say(notice);
        } else if let (Some(label), Some(Button { place, is_on: Some(is_on), .. })) = (label, now) {
            let is_switch = matches!(self, Self::Turn(_));
            app.say(Notice::done(match (is_switch, is_on) {
                (true, true) => format!("{label}: on"),
                (true, false) => format!("{label}: off"),
                (false, _) => format!("{}: {label}", crate::keymap::hints::capitalised(place)),
            }));
        }
    }

    fn take_effect(self, app: &mut App, ctx: &egui::Context) -> Option<Notice> {
        match self {
            Self::Turn(name) => {
                return SWITCHES.iter().find(|switch| switch.name.0 == name).and_then(|s| (s.turn)(app));
            }
            Self::Theme(theme) => {
                app.preferences.theme = theme;
                app.preferences.apply_look(ctx);
            }
            Self::Scale(percent) => {
                app.preferences.scale_percent = percent;
                app.preferences.apply_look(ctx);
            }
            Self::Pen(pen) => app.viewport.options.pen = pen,
            Self::Reach(reach) => app.editor_mut()?.session.brush.reach = reach,
            Self::Falloff(falloff) => app.editor_mut()?.session.brush.falloff = falloff,
            Self::InPixels(in_pixels) => {
                let points = in_pixels.then_some(0);
                (app.preferences.brushes.size_points, app.viewport.screen_size.points) = (points, points);
            }
            Self::Give(give) => app.editor_mut()?.session.paint.give = give,
            Self::Preset(i) => app.preferences.brushes.use_preset(i, &mut app.file.as_mut()?.editor),
            Self::ResetBrush => BrushMemory::reset(app.editor_mut()?),
            Self::Ramp(ramp) => app.viewport.options.display.ramp = ramp,
            Self::Under(under) => app.viewport.options.display.under = under,
            Self::Zero(zero) => app.viewport.options.display.zero = zero,
            Self::Takes(takes) => {
                app.viewport.in_hand.select.takes = takes;
                app.viewport.take_in_hand(&mut app.file.as_mut()?.editor, Hand::Select);
            }
            Self::Draws(draws) => {
                app.viewport.in_hand.select.draws = draws;
                app.viewport.take_in_hand(&mut app.file.as_mut()?.editor, Hand::Select);
            }
            Self::Open(card, number) => {
                if card == Card::Display {
                    app.viewport.shows_display = true;
                } else {
                    // The selection has no brush.
                    app.viewport.take_in_hand(&mut app.file.as_mut()?.editor, Hand::Brush);
                    app.brush_bar.open(card);
                }
                if let Some(name) = number {
                    controls::give_keyboard(ctx, name);
                }
            }
            Self::Act(action) => app.perform(ctx, action),
        }
        None
    }
}
