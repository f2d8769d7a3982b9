//! Everything the window can be told by a key, with its label and hint: menus, tooltips, key handling and the status
//! line all read this list.

use egui::{Key, KeyboardShortcut, Modifiers};

/// Something the window can be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Do {
    /// Ask for a file and open it.
    Open,
    /// Open the character that comes with the program.
    OpenDemo,
    /// Save to the file that was opened.
    Save,
    /// Save under another name and go on with that file.
    SaveAs,
    /// Save under another name and stay with this file.
    SaveCopy,
    /// Close the file.
    Close,
    /// Close the window.
    Quit,
    /// Find something to do by its name.
    Palette,
    /// Write the history as a script.
    SaveScript,
    /// Do the lines of a script.
    RunScript,
    /// Open or close the settings.
    Settings,
    /// Larger text and controls.
    LargerUi,
    /// Smaller text and controls.
    SmallerUi,
    /// Take a brush: its place in [`sinew_edit::BRUSHES`].
    Brush(usize),
    /// Take the last step back.
    Undo,
    /// Do the first undone step again.
    Redo,
    /// Bend the active joint.
    Bend,
    /// Put the active joint back.
    ResetJoint,
    /// Put all joints back.
    ResetPose,
    /// Lock the active joint, or unlock it.
    ToggleLock,
    /// Lock all joints but the active one.
    LockOthers,
    /// Let the clip run or stop it.
    PlayClip,
    /// Give vertices without weight to the active joint.
    SettleToJoint,
    /// Copy the pose as text.
    CopyPose,
    /// Take the pose that the clipboard holds.
    PastePose,
    /// Size the brush by dragging.
    SizeBrush,
    /// Set the brush's strength by dragging.
    DragStrength,
    /// Set the brush's value by dragging.
    DragValue,
    /// A smaller brush.
    SmallerBrush,
    /// A larger brush.
    LargerBrush,
    /// Linear blend or dual quaternion skinning.
    ToggleDeformer,
    /// The model as edited, or as an engine gets it.
    ToggleExported,
    /// Fit the model into the view.
    Frame,
    /// Look from the front.
    Front,
    /// Look from the side.
    Side,
    /// Look from above.
    Top,
    /// Show weights or the file's colours.
    ToggleTextured,
    /// Show or hide the joints.
    ToggleJoints,
    /// Show or hide the mesh's edges.
    ToggleWire,
    /// Show or hide lines of equal weight.
    ToggleContours,
    /// Show or hide the rings around the active joint.
    ToggleGizmo,
}

/// One line of the list.
pub struct Binding {
    /// What it does.
    pub what: Do,
    /// Its name on screen.
    pub label: &'static str,
    /// One line for tooltips.
    pub hint: &'static str,
    /// The menu it stands in.
    pub menu: Option<&'static str>,
    /// The keys; the first is shown.
    pub keys: &'static [KeyboardShortcut],
    /// A separator stands before it in its menu.
    pub starts_group: bool,
}

const fn key(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::NONE, key)
}

const fn ctrl(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::COMMAND, key)
}

const fn ctrl_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers { shift: true, ..Modifiers::COMMAND }, key)
}

const fn shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::SHIFT, key)
}

const fn alt(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers::ALT, key)
}

const fn alt_shift(key: Key) -> KeyboardShortcut {
    KeyboardShortcut::new(Modifiers { shift: true, ..Modifiers::ALT }, key)
}

const fn line(
    what: Do,
    menu: Option<&'static str>,
    keys: &'static [KeyboardShortcut],
    label: &'static str,
    hint: &'static str,
) -> Binding {
    Binding { what, label, hint, menu, keys, starts_group: false }
}

const fn group(binding: Binding) -> Binding {
    Binding { starts_group: true, ..binding }
}

const FILE: Option<&str> = Some("File");
const EDIT: Option<&str> = Some("Edit");
const VIEW: Option<&str> = Some("View");
const JOINTS: Option<&str> = Some("Joints");

/// The list.
pub static BINDINGS: &[Binding] = &[
    line(Do::Open, FILE, &[ctrl(Key::O)], "Open…", "Open a glTF file (.glb, .gltf, .vrm)"),
    line(Do::OpenDemo, FILE, &[], "Open Demo Character", "The character that comes with Sinew, to try things on"),
    group(line(Do::Save, FILE, &[ctrl(Key::S)], "Save", "Write the weights back; nothing else in the file changes")),
    line(Do::SaveAs, FILE, &[ctrl_shift(Key::S)], "Save As…", "Save under another name and go on with that file"),
    line(Do::SaveCopy, FILE, &[], "Save a Copy…", "Save under another name and stay with this file"),
    group(line(Do::SaveScript, FILE, &[], "Save History as Script…", "Write what was done as lines that do it again")),
    line(Do::RunScript, FILE, &[], "Run Script…", "Do the lines of a script to this file"),
    group(line(Do::Settings, FILE, &[ctrl(Key::Comma)], "Settings…", "Theme and size of the window")),
    group(line(Do::Close, FILE, &[ctrl(Key::W)], "Close File", "Back to the first screen; the window stays")),
    line(Do::Quit, FILE, &[ctrl(Key::Q)], "Quit", "Close the window"),
    line(Do::Undo, EDIT, &[ctrl(Key::Z)], "Undo", "Take the last step back"),
    line(Do::Redo, EDIT, &[ctrl_shift(Key::Z), ctrl(Key::Y)], "Redo", "Do the undone step again"),
    group(line(Do::Palette, EDIT, &[ctrl_shift(Key::P)], "Find a Command…", "Everything that can be done, by name")),
    group(line(
        Do::SizeBrush,
        EDIT,
        &[key(Key::F)],
        "Size Brush",
        "Drag to size the brush; click to keep, Esc to cancel",
    )),
    line(Do::DragStrength, EDIT, &[shift(Key::F)], "Brush Strength", "Drag to set the brush's strength"),
    line(Do::DragValue, EDIT, &[ctrl(Key::F)], "Brush Value", "Drag to set the value the brush paints"),
    line(Do::SmallerBrush, EDIT, &[key(Key::OpenBracket)], "Smaller Brush", "Make the brush a little smaller"),
    line(Do::LargerBrush, EDIT, &[key(Key::CloseBracket)], "Larger Brush", "Make the brush a little larger"),
    line(
        Do::Bend,
        JOINTS,
        &[key(Key::R)],
        "Bend Joint",
        "Turn the active joint: move the mouse, press X, Y or Z, type an angle",
    ),
    line(Do::ResetJoint, JOINTS, &[alt(Key::R)], "Reset Joint", "Put the active joint back to the rest pose"),
    line(Do::ResetPose, JOINTS, &[alt_shift(Key::R)], "Reset Pose", "Put all joints back to the rest pose"),
    group(line(Do::CopyPose, JOINTS, &[ctrl_shift(Key::C)], "Copy Pose", "Copy all turned joints as text")),
    line(Do::PastePose, JOINTS, &[ctrl_shift(Key::V)], "Paste Pose", "Turn the joints as the copied text says"),
    group(line(Do::PlayClip, JOINTS, &[key(Key::Space)], "Play / Pause Clip", "Let the file's clip run, or stop it")),
    group(line(
        Do::ToggleLock,
        JOINTS,
        &[key(Key::L)],
        "Lock / Unlock Active Joint",
        "A locked joint keeps its weights to the bit",
    )),
    line(Do::LockOthers, JOINTS, &[shift(Key::L)], "Lock Others", "Only the active joint's weights may change"),
    line(
        Do::SettleToJoint,
        Some("Weights"),
        &[],
        "Assign Unweighted to Active Joint",
        "Give vertices without weight wholly to the active joint",
    ),
    line(Do::Brush(0), None, &[key(Key::B)], "Brush: Replace", "Paint toward the value"),
    line(Do::Brush(1), None, &[key(Key::A)], "Brush: Add", "Add the value"),
    line(Do::Brush(2), None, &[key(Key::D)], "Brush: Subtract", "Take the value away"),
    line(Do::Brush(3), None, &[key(Key::M)], "Brush: Smooth", "Toward the neighbours' weights"),
    line(Do::Frame, VIEW, &[key(Key::Home), key(Key::Period)], "Frame Model", "Fit the whole model into the view"),
    line(Do::Front, VIEW, &[key(Key::Num1)], "Front View", "Look at the character's front"),
    line(Do::Side, VIEW, &[key(Key::Num3)], "Side View", "Look from the character's left"),
    line(Do::Top, VIEW, &[key(Key::Num7)], "Top View", "Look from above"),
    group(line(
        Do::ToggleDeformer,
        VIEW,
        &[key(Key::Q)],
        "Switch LBS / DQS",
        "Linear blend or dual quaternion skinning",
    )),
    line(
        Do::ToggleExported,
        VIEW,
        &[key(Key::V)],
        "Editing / As Exported",
        "Show the model as edited, or as an engine gets it: limited, rounded and undivided",
    ),
    group(line(
        Do::ToggleTextured,
        VIEW,
        &[key(Key::T)],
        "Weights / Textured",
        "Show weights or the file's own colours",
    )),
    line(Do::ToggleContours, VIEW, &[key(Key::C)], "Contours", "Lines of equal weight"),
    line(Do::ToggleWire, VIEW, &[key(Key::W)], "Wire", "The mesh's edges"),
    line(Do::ToggleJoints, VIEW, &[key(Key::J)], "Joints", "Joints and bones over the skin"),
    line(Do::ToggleGizmo, VIEW, &[key(Key::E)], "Gizmo", "Rings that turn the active joint"),
    group(line(
        Do::LargerUi,
        VIEW,
        &[ctrl(Key::Plus), ctrl(Key::Equals), ctrl_shift(Key::Plus), ctrl_shift(Key::Equals)],
        "Larger Text",
        "Larger text and controls",
    )),
    line(Do::SmallerUi, VIEW, &[ctrl(Key::Minus)], "Smaller Text", "Smaller text and controls"),
];

/// The line of something the window can be told.
pub fn binding(what: Do) -> &'static Binding {
    BINDINGS.iter().find(|binding| binding.what == what).unwrap_or(&BINDINGS[0])
}

/// The first key of something the window can be told, as text; empty if it has none.
pub fn key_text(ctx: &egui::Context, what: Do) -> String {
    let line = BINDINGS.iter().find(|binding| binding.what == what);
    line.map(|binding| binding.key_text(ctx)).unwrap_or_default()
}

/// What a key press means.
pub fn meaning(key: Key, modifiers: Modifiers) -> Option<Do> {
    let pressed =
        |shortcut: &KeyboardShortcut| shortcut.logical_key == key && modifiers.matches_exact(shortcut.modifiers);
    BINDINGS.iter().find(|binding| binding.keys.iter().any(pressed)).map(|binding| binding.what)
}

impl Binding {
    /// The first key as text, empty if there is none.
    pub fn key_text(&self, ctx: &egui::Context) -> String {
        self.keys.first().map(|shortcut| ctx.format_shortcut(shortcut)).unwrap_or_default()
    }

    /// Hint and key, for tooltips.
    pub fn tooltip(&self, ctx: &egui::Context) -> String {
        match self.key_text(ctx) {
            key if key.is_empty() => self.hint.to_owned(),
            key => format!("{} ({key})", self.hint),
        }
    }
}

/// What the mouse buttons and keys do now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Nothing is open.
    Empty,
    /// The pointer is free.
    Idle,
    /// A stroke is under way.
    Painting,
    /// A joint is being bent.
    Bending,
    /// A joint is being turned by its rings.
    Turning,
    /// Size, strength or value of the brush is being dragged.
    Sizing,
    /// A joint is being taken from the skin.
    Taking,
    /// The camera is being moved.
    Looking,
}

impl Mode {
    /// Keys and what they do, most useful first.
    pub const fn hints(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Empty => &[("Ctrl O", "open a file"), ("Ctrl Shift P", "find a command")],
            Self::Idle => &[
                ("LMB", "paint"),
                ("Ctrl", "invert"),
                ("Shift", "smooth"),
                ("F", "size"),
                ("Shift F", "strength"),
                ("R", "bend joint"),
                ("S", "joint from skin"),
                ("Alt click", "pick joint"),
                ("Q", "LBS / DQS"),
                ("V", "as exported"),
                ("MMB", "orbit"),
                ("Shift MMB", "pan"),
                ("Wheel", "zoom"),
            ],
            Self::Painting => &[("Release", "finish the stroke"), ("Esc", "take it back")],
            Self::Bending => &[
                ("Move", "turn"),
                ("X Y Z", "about an axis"),
                ("0–9", "degrees"),
                ("Shift", "precise"),
                ("Enter", "keep"),
                ("Esc", "cancel"),
            ],
            Self::Turning => &[
                ("Move", "turn along the ring"),
                ("0–9", "degrees"),
                ("Shift", "precise"),
                ("Release", "keep"),
                ("Esc", "cancel"),
            ],
            Self::Sizing => &[("Move", "less or more"), ("Click", "keep"), ("Esc", "cancel")],
            Self::Taking => &[("Move", "over the skin"), ("Release S", "take its joint"), ("Esc", "cancel")],
            Self::Looking => &[("Release", "done")],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things() {
        let mut all: Vec<(Key, Modifiers)> =
            BINDINGS.iter().flat_map(|b| b.keys).map(|k| (k.logical_key, k.modifiers)).collect();
        let n = all.len();
        all.sort_by_key(|(key, modifiers)| (*key, modifiers.shift, modifiers.command));
        all.dedup();
        assert_eq!(all.len(), n);
    }

    #[test]
    fn every_brush_has_a_key_under_its_own_name() {
        for (i, brush) in sinew_edit::BRUSHES.iter().enumerate() {
            let line = binding(Do::Brush(i));
            assert_eq!(line.label, format!("Brush: {}", brush.label));
            assert!(!line.keys.is_empty());
        }
    }

    #[test]
    fn redo_is_not_undo() {
        let ctrl = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };
        assert_eq!(meaning(Key::Z, ctrl), Some(Do::Undo));
        assert_eq!(meaning(Key::Z, Modifiers { shift: true, ..ctrl }), Some(Do::Redo));
        assert_eq!(meaning(Key::Z, Modifiers::NONE), None);
    }
}
