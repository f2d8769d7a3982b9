//! The strip under the view where the file has clips: which clip moves the character, and the moment that is shown.
//! It changes the session's pose and nothing else; turns made by hand stay on top of the clip.

use egui::{Slider, Ui};
use lucide_icons::Icon;
use sinew_edit::Editor;
use sinew_model::{ClipIndex, ClipTime, Document};

use super::controls;
use crate::theme;

/// Longest step of one frame while playing, seconds: after a hitch the clip goes on where it was.
const MAX_STEP_S: f32 = 0.1;
/// Less room than this leaves out what can be spared, points.
const NARROW: f32 = 240.0;
/// One frame of the arrow keys, seconds.
const FRAME_S: f64 = 1.0 / 30.0;

/// Whether the clip runs. The moment itself is in the pose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Playback {
    is_playing: bool,
    /// Whether the clip begins again at its end.
    pub loops: bool,
}

impl Default for Playback {
    fn default() -> Self {
        Self { is_playing: false, loops: true }
    }
}

impl Playback {
    /// Whether the clip runs.
    pub const fn is_playing(self) -> bool {
        self.is_playing
    }

    /// Stops where it is.
    pub fn pause(&mut self) {
        self.is_playing = false;
    }

    /// Runs or stops; from the end it begins again. With no clip the first one is taken.
    pub fn toggle(&mut self, editor: &mut Editor) {
        if self.is_playing {
            self.is_playing = false;
            return;
        }
        if editor.session.pose.clip.is_none() {
            let Some(first) = playable(editor.document()).next() else { return };
            editor.session.pose.clip = Some(ClipTime { clip: first, time_s: 0.0 });
        }
        let Some(moment) = &mut editor.session.pose.clip else { return };
        let moment = *moment;
        let duration_s = duration_s(editor.document(), moment.clip);
        if moment.time_s >= duration_s {
            editor.session.pose.clip = Some(ClipTime { time_s: 0.0, ..moment });
        }
        self.is_playing = duration_s > 0.0;
    }

    /// Lets `step_s` seconds pass. At the end it begins again or stops.
    pub fn advance(&mut self, editor: &mut Editor, step_s: f32) {
        if !self.is_playing {
            return;
        }
        let Some(moment) = editor.session.pose.clip else {
            self.is_playing = false;
            return;
        };
        let duration_s = duration_s(editor.document(), moment.clip);
        let mut time_s = moment.time_s + step_s.clamp(0.0, MAX_STEP_S);
        if time_s >= duration_s {
            if self.loops && duration_s > 0.0 {
                time_s %= duration_s;
            } else {
                time_s = duration_s;
                self.is_playing = false;
            }
        }
        editor.session.pose.clip = Some(ClipTime { time_s, ..moment });
    }
}

/// Whether there is something to play.
pub fn has_clips(document: &Document) -> bool {
    playable(document).next().is_some()
}

/// Draws the strip.
pub fn show(ui: &mut Ui, editor: &mut Editor, playback: &mut Playback) {
    ui.horizontal_centered(|ui| {
        choose_clip(ui, editor, playback);
        let moment = editor.session.pose.clip;
        let duration_s = moment.map_or(0.0, |moment| duration_s(editor.document(), moment.clip));
        let is_enabled = moment.is_some();
        if controls::icon_button(ui, Icon::SkipBack, "To the start", is_enabled, "Show the clip's first moment")
            .clicked()
        {
            set_time(editor, 0.0);
        }
        let (icon, name, hint) = if playback.is_playing {
            (Icon::Pause, "Pause", "Stop at this moment (Space)")
        } else {
            (Icon::Play, "Play", "Let the clip run (Space)")
        };
        if controls::icon_button(ui, icon, name, true, hint).clicked() {
            playback.toggle(editor);
        }
        if controls::icon_toggle(ui, Icon::Repeat, "Loop", playback.loops, "Begin again at the end").clicked() {
            playback.loops ^= true;
        }
        if is_enabled {
            scrub(ui, editor, playback, duration_s);
        } else {
            first_step(ui);
        }
    });
}

/// What to do first, as far as there is room to say it.
fn first_step(ui: &mut Ui) {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let fits = |text: &&&str| {
        let text = ui.painter().layout_no_wrap((**text).to_owned(), font.clone(), egui::Color32::PLACEHOLDER);
        text.size().x <= ui.available_width()
    };
    if let Some(text) = ["Choose a clip to see the character move", "Choose a clip"].iter().find(fits) {
        ui.label(theme::quiet(*text));
    }
}

fn choose_clip(ui: &mut Ui, editor: &mut Editor, playback: &mut Playback) {
    let document = editor.document();
    let names: Vec<(Option<ClipIndex>, String)> = std::iter::once((None, "None".to_owned()))
        .chain(playable(document).map(|clip| (Some(clip), label(document, clip))))
        .collect();
    let chosen = editor.session.pose.clip.map(|moment| moment.clip);
    let shown = names.iter().find(|(clip, _)| *clip == chosen).map_or("", |(_, name)| name.as_str());
    let mut picked = None;
    let width = if ui.available_width() < 2.0 * NARROW { 84.0 } else { 120.0 };
    let name = ui.label(theme::quiet("Clip"));
    let list = egui::ComboBox::from_id_salt("clip").selected_text(shown).width(width).show_ui(ui, |ui| {
        for (clip, name) in &names {
            if controls::menu_entry(ui, name, "", *clip == chosen, true).clicked() {
                picked = Some(*clip);
            }
        }
    });
    list.response.labelled_by(name.id).on_hover_text("What moves the character under the turns made by hand");
    if let Some(picked) = picked.filter(|picked| *picked != chosen) {
        editor.session.pose.clip = picked.map(|clip| ClipTime { clip, time_s: 0.0 });
        if picked.is_none() {
            playback.pause();
        }
    }
}

fn scrub(ui: &mut Ui, editor: &mut Editor, playback: &mut Playback, duration_s: f32) {
    let is_narrow = ui.available_width() < NARROW;
    let read_out = if is_narrow { 70.0 } else { 136.0 };
    let mut time_s = editor.session.pose.clip.map_or(0.0, |moment| moment.time_s.clamp(0.0, duration_s));
    let before = time_s;
    ui.spacing_mut().slider_width = (ui.available_width() - read_out).max(40.0);
    let slider = Slider::new(&mut time_s, 0.0..=duration_s.max(f32::MIN_POSITIVE)).show_value(false).step_by(0.0);
    let slider = ui.add(slider).on_hover_text("Drag through the clip; arrow keys go frame by frame");
    slider.widget_info(|| egui::WidgetInfo::slider(true, f64::from(time_s), "Moment"));
    if slider.has_focus() {
        let frames = ui.input(|i| {
            let n = |key| i.num_presses(key) as f64;
            n(egui::Key::ArrowRight) - n(egui::Key::ArrowLeft)
        });
        if frames != 0.0 {
            time_s = (f64::from(before) + frames * FRAME_S) as f32;
        }
    }
    let field = controls::field(ui, egui::vec2(54.0, 22.0), &mut time_s, |field| {
        field.range(0.0..=duration_s).speed(0.01).fixed_decimals(2).suffix(" s")
    });
    controls::name_number(&field, "Time", time_s, true);
    if !is_narrow {
        ui.label(theme::quiet(format!("/ {duration_s:.2} s")));
    }
    if time_s != before {
        playback.pause();
        set_time(editor, time_s.clamp(0.0, duration_s));
    }
}

fn set_time(editor: &mut Editor, time_s: f32) {
    if let Some(moment) = &mut editor.session.pose.clip {
        moment.time_s = time_s;
    }
}

/// Clips that move something.
fn playable(document: &Document) -> impl Iterator<Item = ClipIndex> + '_ {
    let clips = document.clips().iter().enumerate().filter(|(_, clip)| !clip.channels.is_empty());
    clips.map(|(i, _)| ClipIndex::from_idx(i))
}

fn label(document: &Document, clip: ClipIndex) -> String {
    let name = document.clips().get(clip.idx()).and_then(|clip| clip.name.clone());
    name.filter(|name| !name.trim().is_empty()).unwrap_or_else(|| format!("Clip {}", clip.idx() + 1))
}

fn duration_s(document: &Document, clip: ClipIndex) -> f32 {
    document.clips().get(clip.idx()).map_or(0.0, sinew_model::Clip::duration_s)
}
