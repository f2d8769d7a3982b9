//! A pose as text for the clipboard: `NAME:rx,ry,rz;…`, degrees, the same as in command lines, so that poses go from
//! one window to another, into scripts and into mails.

use sinew_edit::args::{self, ArgError};
use sinew_edit::{Editor, Line};
use sinew_model::Pose;

/// The longest text that is looked at, bytes: a clipboard may hold anything.
const MAX_BYTES: usize = 1 << 20;

/// All turned joints as text; `None` if none is.
pub fn of(editor: &Editor) -> Option<String> {
    let mut turns = Pose::rest();
    for (joint, euler_deg) in editor.session.pose.turns() {
        turns.set_turn_deg(joint, euler_deg);
    }
    let line = args::with_pose(Line::new("pose"), editor.document(), None, &turns);
    line.get("pose").map(str::to_owned)
}

/// Why a text is no pose of this model.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum PoseTextError {
    /// It cannot be read, or names joints that are not there.
    #[error(transparent)]
    Arg(#[from] ArgError),
    /// It turns nothing.
    #[error("it turns no joint; expected NAME:rx,ry,rz;…")]
    Empty,
}

/// Turns the joints as a text says, all others back to rest; clip and morphs stay. Returns how many joints are turned.
/// A text that is no pose of this model changes nothing.
pub fn give_to(editor: &mut Editor, text: &str) -> Result<usize, PoseTextError> {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut pose = editor.session.pose.clone();
    pose.reset_turns();
    args::pose_turns(editor.document(), None, text[..end].trim(), &mut pose)?;
    let n_joints = pose.turns().len();
    if n_joints == 0 {
        return Err(PoseTextError::Empty);
    }
    editor.session.pose = pose;
    Ok(n_joints)
}

/// What a text holds, in a few words.
pub fn summary(text: &str) -> String {
    n_joints(text.split(';').count())
}

/// `1 joint`, `3 joints`.
pub fn n_joints(n: usize) -> String {
    if n == 1 { "1 joint".to_owned() } else { format!("{n} joints") }
}
