//! Everything the window can be told by a key, with its label and hint: menus, tooltips, key handling and the status
//! line all read this list. Which keys that are follows from a preset and what a person chose instead.

pub mod bindings;
pub mod hints;
pub mod overrides;
pub mod presets;

pub use bindings::{BINDINGS, Binding, binding};
pub use overrides::{Keys, install, key_text, meaning, of, shortcut_text};
pub use presets::Preset;

use crate::viewport::options::Show;

/// Something the window can be told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Do {
    /// Ask for a file and open it.
    Open,
    /// Open the character that comes with the program.
    OpenDemo,
    /// Take up work that a crash left.
    Recover,
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
    /// Open the settings' page of keys.
    EditKeys,
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
    /// Lock what is unlocked and the other way round.
    InvertLocks,
    /// Unlock all joints.
    UnlockAll,
    /// Lock all joints.
    LockAll,
    /// Lock what was painted.
    LockPainted,
    /// Lock the joint under the pointer, or unlock it.
    ToggleLockHere,
    /// Choose a lock command around the pointer.
    LockPie,
    /// Show weights as if locked joints were not there.
    ToggleLocksApart,
    /// Make the active joint's parent active.
    ParentJoint,
    /// Make the active joint's first child active.
    ChildJoint,
    /// Make the joint after the active one, under the same parent, active.
    NextJoint,
    /// Make the joint before the active one, under the same parent, active.
    PreviousJoint,
    /// Take the joint from the skin while the key is held.
    TakeJoint,
    /// Bend the active joint while the key is held; let one that stays flexed spring back.
    Flex,
    /// Bend the active joint while the key is held; it stays flexed.
    FlexAndStay,
    /// Let the clip run or stop it.
    PlayClip,
    /// Give vertices without weight to the active joint.
    SettleToJoint,
    /// Give shares that no joint has to the nearest vertex's joints.
    SettleNearest,
    /// Scale rows up that have a share that no joint has.
    SettleScaling,
    /// Apply the brush in hand everywhere at once.
    Flood,
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
    /// Fit the active joint into the view.
    FrameJoint,
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
    /// Parts that no weights move.
    ToggleRigid,
    /// Show or hide a dot on every vertex.
    ToggleDots,
    /// Show or hide seams.
    ToggleSeams,
    /// Show or hide where each joint alone would take the vertex under the brush.
    ToggleGhosts,
    /// What surfaces show.
    Show(Show),
    /// The next way to show surfaces.
    CycleDisplay,
    /// Open or close the card that says how weights are shown.
    DisplayCard,
    /// The next reach: surface, volume, screen.
    CycleReach,
    /// Mirror strokes, or no longer.
    ToggleMirror,
    /// Paint in a straight line while the key is held.
    StraightLine,
    /// Paint the mask.
    MaskBrush,
    /// Select vertices.
    SelectTool,
    /// Lay a linear gradient.
    LinearGradient,
    /// Lay a radial gradient.
    RadialGradient,
    /// Select every vertex that is not hidden.
    SelectAll,
    /// Select no vertex.
    SelectNone,
    /// Select what is not selected.
    InvertSelection,
    /// Select the neighbours, too.
    GrowSelection,
    /// Select the rim no longer.
    ShrinkSelection,
    /// Select whole shells.
    SelectLinked,
    /// Select the mirror images, too.
    MirrorSelection,
    /// Hide what is selected.
    HideSelected,
    /// Hide what is not selected.
    Isolate,
    /// Show what is hidden.
    Reveal,
    /// Show the keys of the tool in hand.
    KeysCard,
}

impl Do {
    /// Whether it means something while nothing is open.
    pub fn needs_no_file(self) -> bool {
        matches!(
            self,
            Self::Open
                | Self::OpenDemo
                | Self::Recover
                | Self::Quit
                | Self::Palette
                | Self::Settings
                | Self::EditKeys
                | Self::LargerUi
                | Self::SmallerUi
        )
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
    /// A joint is bent while a key is held.
    Flexing,
    /// The pointer is free, and a joint stays flexed.
    Flexed,
    /// Size, strength or value of the brush is being dragged.
    Sizing,
    /// A command is being chosen from those around the pointer.
    Choosing,
    /// A joint is being taken from the skin.
    Taking,
    /// The pointer is free, and vertices are selected with it.
    Selecting,
    /// A gradient is laid and can still be changed.
    Laying,
    /// The camera is being moved.
    Looking,
}
