//! The list: what the window can be told, its label, hint, menu, and its keys in the first preset.

use egui::{Key, KeyboardShortcut, Modifiers};

use super::{Do, overrides};
use crate::viewport::options::Show;

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
    /// The keys of the first preset; the first is shown.
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

const fn brush(i: usize, keys: &'static [KeyboardShortcut], label: &'static str, hint: &'static str) -> Binding {
    line(Do::Brush(i), None, keys, label, hint)
}

const fn show(show: Show, label: &'static str) -> Binding {
    line(Do::Show(show), VIEW, &[], label, show.hint())
}

const FILE: Option<&str> = Some("File");
const EDIT: Option<&str> = Some("Edit");
const VIEW: Option<&str> = Some("View");
const JOINTS: Option<&str> = Some("Joints");
const SELECT: Option<&str> = Some("Select");

/// The list.
pub static BINDINGS: &[Binding] = &[
    line(Do::Open, FILE, &[ctrl(Key::O)], "Open…", "Open a glTF file (.glb, .gltf, .vrm)"),
    line(Do::OpenDemo, FILE, &[], "Open Demo Character", "The character that comes with Sinew, to try things on"),
    line(Do::Recover, FILE, &[], "Recover…", "Take up work on files that were not closed in order"),
    group(line(Do::Save, FILE, &[ctrl(Key::S)], "Save", "Write the weights back; nothing else in the file changes")),
    line(Do::SaveAs, FILE, &[ctrl_shift(Key::S)], "Save As…", "Save under another name and go on with that file"),
    line(Do::SaveCopy, FILE, &[], "Save a Copy…", "Save under another name and stay with this file"),
    group(line(Do::SaveScript, FILE, &[], "Save History as Script…", "Write what was done as lines that do it again")),
    line(Do::RunScript, FILE, &[], "Run Script…", "Do the lines of a script to this file"),
    group(line(Do::Settings, FILE, &[ctrl(Key::Comma)], "Settings…", "Theme and size of the window, the pen, keys")),
    line(Do::EditKeys, FILE, &[], "Keys…", "Every key, to be found and changed; presets for Blender and Maya"),
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
    line(
        Do::Flex,
        JOINTS,
        &[key(Key::G)],
        "Flex Joint",
        "Hold and drag to bend the active joint, click and paint while it is bent; let go and it springs back",
    ),
    line(
        Do::FlexAndStay,
        JOINTS,
        &[shift(Key::G)],
        "Flex and Stay",
        "Hold and drag to bend the active joint: it stays so for painting until Flex Joint lets it spring back",
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
    line(Do::InvertLocks, JOINTS, &[], "Invert Locks", "Lock what is unlocked, unlock what is locked"),
    line(Do::UnlockAll, JOINTS, &[], "Unlock All", "Let all weights change again"),
    line(Do::LockAll, JOINTS, &[], "Lock All", "Keep all weights as they are; then unlock what may change"),
    line(
        Do::LockPainted,
        JOINTS,
        &[],
        "Lock Painted",
        "Lock every joint that was painted since opening, but the active one",
    ),
    line(
        Do::ToggleLockHere,
        JOINTS,
        &[alt(Key::L)],
        "Lock / Unlock Joint under Pointer",
        "The joint of the dot, the bone or the skin that the pointer is on",
    ),
    line(Do::LockPie, JOINTS, &[key(Key::K)], "Lock Pie", "Lock commands around the pointer"),
    group(line(
        Do::ParentJoint,
        JOINTS,
        &[key(Key::ArrowUp), ctrl(Key::OpenBracket)],
        "Parent Joint",
        "Go to the parent",
    )),
    line(
        Do::ChildJoint,
        JOINTS,
        &[key(Key::ArrowDown), ctrl(Key::CloseBracket)],
        "Child Joint",
        "Go to the first child; from there back up comes here again",
    ),
    line(Do::PreviousJoint, JOINTS, &[key(Key::ArrowLeft)], "Previous Sibling", "Go to the joint before, same parent"),
    line(Do::NextJoint, JOINTS, &[key(Key::ArrowRight)], "Next Sibling", "Go to the joint after, same parent"),
    line(
        Do::TakeJoint,
        JOINTS,
        &[key(Key::S)],
        "Joint from Skin",
        "Hold and point at the skin: its strongest joint becomes active",
    ),
    line(
        Do::Flood,
        Some("Weights"),
        &[ctrl(Key::X)],
        "Flood",
        "Apply the brush in hand to the selection, or the whole mesh, at once",
    ),
    line(
        Do::SettleToJoint,
        Some("Weights"),
        &[],
        "Assign Unweighted to Active Joint",
        "Give vertices without weight wholly to the active joint",
    ),
    line(
        Do::SettleNearest,
        Some("Weights"),
        &[],
        "Settle Unassigned: Nearest Joints",
        "Give shares that no joint has to the joints of the nearest whole vertex",
    ),
    line(
        Do::SettleScaling,
        Some("Weights"),
        &[],
        "Settle Unassigned: Scale Up",
        "Scale rows up that have a share that no joint has",
    ),
    line(Do::SelectTool, SELECT, &[key(Key::P)], "Select Tool", "Select vertices: click, or drag a box or a lasso"),
    line(Do::MaskBrush, SELECT, &[shift(Key::P)], "Mask Brush", "Paint how much of a change each vertex takes"),
    group(line(Do::SelectAll, SELECT, &[ctrl(Key::A)], "Select All", "Select every vertex that is not hidden")),
    line(Do::SelectNone, SELECT, &[ctrl_shift(Key::A)], "Select None", "Select no vertex"),
    line(Do::InvertSelection, SELECT, &[ctrl(Key::I)], "Invert Selection", "Select what is not selected"),
    line(Do::GrowSelection, SELECT, &[shift(Key::Period)], "Grow Selection", "Select the neighbours, too"),
    line(Do::ShrinkSelection, SELECT, &[shift(Key::Comma)], "Shrink Selection", "Select the rim no longer"),
    line(Do::SelectLinked, SELECT, &[ctrl(Key::L)], "Select Linked", "Select all that hangs together with it"),
    line(
        Do::MirrorSelection,
        SELECT,
        &[ctrl_shift(Key::M)],
        "Mirror Selection",
        "Select the mirror images of what is selected, too",
    ),
    group(line(Do::Isolate, SELECT, &[key(Key::Slash)], "Isolate", "Show only what is selected")),
    line(Do::HideSelected, SELECT, &[ctrl(Key::H)], "Hide", "Hide what is selected; hidden vertices never change"),
    line(Do::Reveal, SELECT, &[alt(Key::H)], "Reveal", "Show all vertices again"),
    line(Do::CycleReach, EDIT, &[key(Key::O)], "Next Reach", "Surface, volume or screen: how far the brush reaches"),
    line(Do::ToggleMirror, EDIT, &[key(Key::X)], "Mirror Strokes", "Paint the other side, too, in any pose"),
    line(Do::StraightLine, EDIT, &[key(Key::Y)], "Straight Stroke", "Hold and drag to paint along a straight line"),
    group(line(
        Do::LinearGradient,
        Some("Weights"),
        &[shift(Key::A)],
        "Linear Gradient",
        "Drag from where the weight begins to where it ends",
    )),
    line(
        Do::RadialGradient,
        Some("Weights"),
        &[alt_shift(Key::A)],
        "Radial Gradient",
        "Drag from the middle to the rim",
    ),
    brush(0, &[key(Key::B)], "Brush: Replace", "Paint toward the value"),
    brush(1, &[key(Key::A)], "Brush: Add", "Add the value"),
    brush(2, &[key(Key::D)], "Brush: Subtract", "Take the value away"),
    brush(3, &[key(Key::M)], "Brush: Smooth", "Toward the neighbours' weights"),
    brush(4, &[key(Key::U)], "Brush: Scale", "Multiply by the value"),
    brush(5, &[shift(Key::U)], "Brush: Grow", "Divide by the value, only where there is weight"),
    brush(6, &[key(Key::I)], "Brush: Lighten", "Raise to the value what is lower"),
    brush(7, &[shift(Key::I)], "Brush: Darken", "Lower to the value what is higher"),
    brush(8, &[shift(Key::M)], "Brush: Sharpen", "Steeper ramps, firmer borders"),
    brush(9, &[key(Key::N)], "Brush: Average", "Toward the one mixture under the brush"),
    brush(10, &[shift(Key::N)], "Brush: Smear", "Push weights along the stroke"),
    brush(11, &[shift(Key::H)], "Brush: Hammer", "Repair vertices that do not fit those around them"),
    brush(12, &[shift(Key::D)], "Brush: Erase", "Take the joint out"),
    line(Do::Frame, VIEW, &[key(Key::Home)], "Frame Model", "Fit the whole model into the view"),
    line(Do::FrameJoint, VIEW, &[key(Key::Period)], "Frame Joint", "Fit the active joint into the view"),
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
    group(show(Show::Weights, "Show Weights")),
    show(Show::JointColors, "Show Joint Colours"),
    show(Show::Textured, "Show Textured"),
    show(Show::Clay, "Show Clay"),
    show(Show::LeftRight, "Show Left–Right"),
    show(Show::Difference, "Show Difference"),
    group(line(
        Do::ToggleTextured,
        VIEW,
        &[key(Key::T)],
        "Weights / Textured",
        "Show weights or the file's own colours; held, only as long",
    )),
    line(Do::CycleDisplay, VIEW, &[], "Next Display", "Weights, joint colours, textured, clay, in turn"),
    line(Do::ToggleContours, VIEW, &[key(Key::C)], "Contours", "Lines of equal weight"),
    line(Do::ToggleWire, VIEW, &[key(Key::W)], "Wire", "The mesh's edges"),
    line(Do::ToggleJoints, VIEW, &[key(Key::J)], "Joints", "Joints and bones over the skin"),
    line(Do::ToggleGizmo, VIEW, &[key(Key::E)], "Gizmo", "Rings that turn the active joint"),
    line(Do::ToggleRigid, VIEW, &[], "Rigid Parts", "Parts that no weights move: hidden they are in nobody's way"),
    line(Do::ToggleDots, VIEW, &[shift(Key::V)], "Vertex Dots", "A dot on every vertex, coloured by its weight"),
    line(Do::ToggleSeams, VIEW, &[], "Seams", "Where vertices share a place, and where those are torn"),
    line(
        Do::ToggleGhosts,
        VIEW,
        &[alt(Key::G)],
        "Ghosts",
        "Where each joint alone would take the vertex under the brush",
    ),
    line(
        Do::ToggleLocksApart,
        VIEW,
        &[],
        "Without Locked Joints",
        "Show weights as shares of what locked joints leave",
    ),
    line(Do::DisplayCard, VIEW, &[], "Display…", "How weights are shown: colours, lines, marks, dots, ghosts"),
    group(line(Do::KeysCard, VIEW, &[key(Key::H)], "Keys of This Tool", "What keys and mouse buttons do now")),
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

impl Binding {
    /// The first key as text, empty if there is none.
    pub fn key_text(&self, ctx: &egui::Context) -> String {
        overrides::key_text(ctx, self.what)
    }

    /// Hint and key, for tooltips.
    pub fn tooltip(&self, ctx: &egui::Context) -> String {
        match self.key_text(ctx) {
            key if key.is_empty() => self.hint.to_owned(),
            key => format!("{} ({key})", self.hint),
        }
    }

    /// The heading under which lists have it.
    pub fn group(&self) -> &'static str {
        match self.what {
            Do::Brush(_) => "Brushes",
            _ => self.menu.unwrap_or("Window"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keymap::{Keys, Preset};

    #[test]
    fn every_brush_has_a_key_under_its_own_name_in_every_preset() {
        for (i, brush) in sinew_edit::BRUSHES.iter().enumerate() {
            assert_eq!(binding(Do::Brush(i)).label, format!("Brush: {}", brush.label));
            for (preset, name, _) in Preset::ALL {
                let keys = Keys::of_preset(preset);
                assert!(!keys.of(Do::Brush(i)).is_empty(), "{} has no key in {name}", brush.label);
            }
        }
    }
}
