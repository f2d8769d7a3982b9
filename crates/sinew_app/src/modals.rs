//! Questions and bad news in the middle of the window. One at a time; Escape closes it and changes nothing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::{Button, Id, Key, RichText, Ui};
use lucide_icons::Icon;

use crate::action::Action;
use crate::dialogs::Purpose;
use crate::keymap::Do;
use crate::opening::steps;
use crate::recovery::Offer;
use crate::{fonts, theme};

/// Width of what stands there, points.
const WIDTH: f32 = 440.0;

/// What stands in the middle of the window.
pub enum Modal {
    /// Asks for a path, where the system has no dialog.
    PathBox {
        /// What for.
        purpose: Purpose,
        /// What is typed.
        text: String,
        /// Whether the field was given the keyboard.
        has_focus: bool,
    },
    /// Something failed.
    Error {
        /// What.
        title: String,
        /// Why.
        text: String,
        /// What stays as it was.
        stays: Option<String>,
        /// What can be done about it.
        next: Vec<Next>,
    },
    /// There are unsaved changes.
    Unsaved(Then),
    /// Somebody else changed the file. With what was about to happen.
    ChangedOnDisk(String, Option<Then>),
    /// A program did not end in order.
    Recover(Question),
    /// Which work that programs left is to be taken up.
    WorkLeft(Vec<Question>),
}

/// What can be done about bad news.
#[derive(Clone, PartialEq, Debug)]
pub struct Next {
    /// The button.
    pub label: &'static str,
    /// What it does.
    pub action: Action,
}

/// The question about work that a program left which did not end in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    journal: PathBuf,
    name: String,
    folder: Option<PathBuf>,
    n_steps: usize,
    when: Option<String>,
    has_changed: bool,
}

/// What was about to happen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Then {
    /// Open this file.
    OpenPath(PathBuf),
    /// Open the character that comes with the program.
    OpenDemo,
    /// Do the work of this journal again, even on a changed file if `anyway`.
    Recover {
        /// The journal.
        journal: PathBuf,
        /// Whether the file may have changed.
        anyway: bool,
    },
    /// Close the file.
    Close,
    /// Close the window.
    Quit,
}

/// What was answered.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Nothing yet.
    Open,
    /// Forget it.
    Cancelled,
    /// This path.
    Path(Purpose, PathBuf),
    /// Lose the changes and go on.
    Discard(Then),
    /// Save, then go on.
    SaveThen(Then),
    /// Write over the changed file, then go on.
    Overwrite(Option<Then>),
    /// Do this about it.
    Next(Action),
    /// Do the work of this journal again, even on a changed file if `anyway`.
    Recover {
        /// The journal.
        journal: PathBuf,
        /// Whether the file may have changed.
        anyway: bool,
    },
    /// Forget the work of this journal.
    DiscardJournal(PathBuf),
}

impl Question {
    /// The question about an offer; `has_changed` says that the file is not what it was.
    pub fn new(offer: &Offer, has_changed: bool) -> Self {
        let (journal, name) = (offer.journal().to_owned(), offer.name());
        let folder = offer.path().and_then(Path::parent).map(Path::to_owned);
        Self { journal, name, folder, n_steps: offer.n_steps(), when: offer.when(), has_changed }
    }

    /// The journal.
    pub fn journal(&self) -> &Path {
        &self.journal
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where the file is.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// How much there is and from when: `3 steps, 12 minutes ago`.
    pub fn summary(&self) -> String {
        self.when.as_ref().map_or_else(|| steps(self.n_steps), |when| format!("{}, {when}", steps(self.n_steps)))
    }
}

impl Modal {
    /// Asks for a path, beginning with a suggested one.
    pub fn path_box(purpose: Purpose, suggested: &Path) -> Self {
        let text = match purpose {
            Purpose::Open | Purpose::RunScript => suggested
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty())
                .map_or_else(String::new, |folder| format!("{}{}", folder.display(), std::path::MAIN_SEPARATOR)),
            _ => suggested.display().to_string(),
        };
        Self::PathBox { purpose, text, has_focus: false }
    }

    /// Says what failed, why, and what stays as it was.
    pub fn error(title: impl Into<String>, text: &str, stays: Option<&str>) -> Self {
        Self::Error { title: title.into(), text: text.to_owned(), stays: stays.map(str::to_owned), next: Vec::new() }
    }

    /// With something that can be done about it; what is offered first stands first.
    #[must_use]
    pub fn offering(mut self, what: Next) -> Self {
        if let Self::Error { next, .. } = &mut self {
            next.push(what);
        }
        self
    }

    /// Draws it and takes the answer.
    pub fn show(&mut self, ctx: &egui::Context) -> Verdict {
        let frame = egui::Frame::popup(&ctx.global_style()).inner_margin(16);
        let modal = egui::Modal::new(Id::unique("modal")).frame(frame);
        if !ctx.memory(|memory| memory.areas().visible_last_frame(&modal.area.layer())) {
            // What had the keyboard before is out of reach.
            ctx.memory_mut(egui::Memory::stop_text_input);
        }
        let room = ctx.content_rect().width() - 56.0;
        let shown = modal.show(ctx, |ui| {
            ui.set_width(WIDTH.min(room).max(0.0));
            match self {
                Self::PathBox { purpose, text, has_focus } => path_box(ui, *purpose, text, has_focus),
                Self::Error { title, text, stays, next } => error(ui, title, text, stays.as_deref(), next),
                Self::Unsaved(then) => unsaved(ui, then),
                Self::ChangedOnDisk(text, then) => changed_on_disk(ui, text, then.as_ref()),
                Self::Recover(question) => recover(ui, question),
                Self::WorkLeft(questions) => work_left(ui, questions),
            }
        });
        match shown.inner {
            Verdict::Open if ctx.input(|i| i.key_pressed(Key::Escape)) => Verdict::Cancelled,
            verdict => verdict,
        }
    }
}

fn path_box(ui: &mut Ui, purpose: Purpose, text: &mut String, has_focus: &mut bool) -> Verdict {
    let (title, verb) = match purpose {
        Purpose::Open => ("Open a file", "Open"),
        Purpose::SaveAs => ("Save as", "Save"),
        Purpose::SaveCopy => ("Save a copy", "Save"),
        Purpose::SaveScript => ("Save the history as a script", "Save"),
        Purpose::RunScript => ("Run a script", "Run"),
    };
    ui.label(RichText::new(title).color(theme::of(ui).primary).size(14.0));
    ui.add_space(4.0);
    ui.label(theme::quiet("There is no file dialog on this desktop. Type the path:"));
    let field = ui.add(egui::TextEdit::singleline(text).desired_width(f32::INFINITY).hint_text(
        if matches!(purpose, Purpose::SaveScript | Purpose::RunScript) {
            "folder/edits.txt"
        } else {
            "folder/character.glb"
        },
    ));
    field.widget_info(|| egui::WidgetInfo::labeled(egui::Role::TextInput, true, "Path"));
    if !*has_focus {
        field.request_focus();
        *has_focus = true;
    }
    let path = PathBuf::from(text.trim());
    if !matches!(purpose, Purpose::Open | Purpose::RunScript) && path.exists() {
        ui.label(RichText::new("This file exists and will be replaced").color(theme::of(ui).warning));
    }
    ui.add_space(8.0);
    let is_ready = !text.trim().is_empty();
    let is_entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
    let (is_done, is_cancelled) = buttons(ui, |ui| (primary(ui, verb, is_ready), ui.button("Cancel").clicked()));
    match () {
        () if is_ready && (is_done || is_entered) => Verdict::Path(purpose, path),
        () if is_cancelled => Verdict::Cancelled,
        () => Verdict::Open,
    }
}

fn error(ui: &mut Ui, title: &str, text: &str, stays: Option<&str>, next: &[Next]) -> Verdict {
    titled(ui, Icon::CircleAlert, title, theme::of(ui).bad);
    ui.add_space(4.0);
    egui::ScrollArea::vertical().max_height(220.0).show(ui, |ui| {
        ui.add(egui::Label::new(RichText::new(text).color(theme::of(ui).normal)).wrap().selectable(true));
    });
    if let Some(stays) = stays {
        ui.add_space(4.0);
        ui.label(theme::quiet(stays));
    }
    ui.add_space(8.0);
    buttons(ui, |ui| {
        for (i, Next { label, action }) in next.iter().enumerate() {
            if if i == 0 { primary(ui, label, true) } else { ui.button(*label).clicked() } {
                return Verdict::Next(action.clone());
            }
        }
        let is_closed = if next.is_empty() { primary(ui, "Close", true) } else { ui.button("Close").clicked() };
        if is_closed { Verdict::Cancelled } else { Verdict::Open }
    })
}

fn unsaved(ui: &mut Ui, then: &Then) -> Verdict {
    ui.label(RichText::new("There are changes that are not saved").color(theme::of(ui).primary).size(14.0));
    ui.add_space(4.0);
    let what = match then {
        Then::OpenPath(_) | Then::OpenDemo | Then::Recover { .. } => "Opening another file loses them.",
        Then::Close => "Closing the file loses them.",
        Then::Quit => "Closing the window loses them.",
    };
    ui.label(theme::quiet(what));
    ui.add_space(8.0);
    buttons(ui, |ui| {
        if primary(ui, "Save", true) {
            return Verdict::SaveThen(then.clone());
        }
        if ui.button("Discard").clicked() {
            return Verdict::Discard(then.clone());
        }
        if ui.button("Cancel").clicked() { Verdict::Cancelled } else { Verdict::Open }
    })
}

fn recover(ui: &mut Ui, question: &Question) -> Verdict {
    let Question { journal, name, folder, n_steps, when, has_changed } = question;
    let title = format!("There is unsaved work on {name}");
    titled(ui, Icon::History, &title, theme::of(ui).primary);
    ui.add_space(4.0);
    let when = when.as_deref().map(|when| format!(", the last {when}")).unwrap_or_default();
    let text = format!("Sinew was not closed in order. It kept {}{when}.", steps(*n_steps));
    ui.add(egui::Label::new(RichText::new(text).color(theme::of(ui).normal)).wrap());
    if let Some(folder) = folder {
        ui.add(egui::Label::new(theme::quiet(folder.display().to_string())).truncate());
    }
    if *has_changed {
        ui.add_space(4.0);
        let text = "The file has changed since: done again on what is there now, they may come out otherwise.";
        ui.add(egui::Label::new(RichText::new(text).color(theme::of(ui).warning)).wrap());
    }
    ui.add_space(8.0);
    let verb = if *has_changed { "Recover anyway".to_owned() } else { format!("Recover {}", steps(*n_steps)) };
    buttons(ui, |ui| {
        if primary(ui, &verb, true) {
            return Verdict::Recover { journal: journal.clone(), anyway: *has_changed };
        }
        if ui.button("Discard").on_hover_text("Forget this work for good").clicked() {
            return Verdict::DiscardJournal(journal.clone());
        }
        let hint = "Keep it: it is under File, Recover…, and asked about at the next start";
        let later = ui.button("Later").on_hover_text(hint);
        if later.clicked() { Verdict::Cancelled } else { Verdict::Open }
    })
}

fn work_left(ui: &mut Ui, questions: &[Question]) -> Verdict {
    titled(ui, Icon::History, &work_on(questions), theme::of(ui).primary);
    ui.add_space(4.0);
    let text = "Sinew was not closed in order and kept it. Choose what to take up:";
    ui.add(egui::Label::new(RichText::new(text).color(theme::of(ui).normal)).wrap());
    ui.add_space(4.0);
    let mut verdict = Verdict::Open;
    egui::ScrollArea::vertical().max_height(260.0).show(ui, |ui| {
        for question in questions {
            if question_row(ui, question) {
                verdict = Verdict::Next(Action::AskToRecover(question.journal.clone()));
            }
        }
    });
    ui.add_space(8.0);
    let is_closed = buttons(ui, |ui| primary(ui, "Close", true));
    if is_closed { Verdict::Cancelled } else { verdict }
}

/// `Unsaved work on 2 files`.
pub fn work_on(questions: &[Question]) -> String {
    let n = questions.iter().map(|question| (&question.folder, &question.name)).collect::<BTreeSet<_>>().len();
    if n == 1 { "Unsaved work on 1 file".to_owned() } else { format!("Unsaved work on {n} files") }
}

/// A file that there is unsaved work on, as a row that can be clicked.
pub fn question_row(ui: &mut Ui, question: &Question) -> bool {
    let row = Button::new(RichText::new(&question.name).color(theme::of(ui).normal))
        .right_text(theme::quiet(question.summary()))
        .fill(egui::Color32::TRANSPARENT)
        .min_size(egui::vec2(ui.available_width(), 26.0));
    let response = ui.add(row);
    let name = format!("{}: {}", question.name, question.summary());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Button, true, &name));
    let response = match question.folder() {
        Some(folder) => response.on_hover_text(folder.display().to_string()),
        None => response,
    };
    response.clicked()
}

fn changed_on_disk(ui: &mut Ui, text: &str, then: Option<&Then>) -> Verdict {
    titled(ui, Icon::TriangleAlert, "The file has changed on disk", theme::of(ui).warning);
    ui.add_space(4.0);
    ui.add(egui::Label::new(RichText::new(text).color(theme::of(ui).normal)).wrap());
    ui.add_space(8.0);
    buttons(ui, |ui| {
        if ui.button("Overwrite").clicked() {
            return Verdict::Overwrite(then.cloned());
        }
        if ui.button("Save as…").clicked() {
            return Verdict::Next(Action::Do(Do::SaveAs));
        }
        if primary(ui, "Cancel", true) { Verdict::Cancelled } else { Verdict::Open }
    })
}

fn titled(ui: &mut Ui, icon: Icon, title: &str, color: egui::Color32) {
    ui.horizontal(|ui| {
        ui.label(fonts::icon(icon).color(color));
        ui.label(RichText::new(title).color(color).size(14.0));
    });
}

/// The button that Enter presses, unless Tab went to another.
fn primary(ui: &mut Ui, label: &str, is_enabled: bool) -> bool {
    let button = Button::new(RichText::new(label).color(theme::of(ui).primary)).fill(theme::of(ui).teal_fill);
    let response = ui.add_enabled(is_enabled, button);
    let is_free = ui.memory(|memory| memory.focused().is_none()) && !ui.input(|i| i.key_pressed(Key::Tab));
    if is_free && is_enabled {
        response.request_focus();
    }
    response.clicked()
}

fn buttons<R>(ui: &mut Ui, content: impl FnOnce(&mut Ui) -> R) -> R {
    ui.horizontal(|ui| content(ui)).inner
}
