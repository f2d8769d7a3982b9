//! What is shown, and how a hand gets there.

use super::Scene;
use super::Step::{Click, Drag, Keys, Move, Settle, Type, Wheel};

/// Every picture. Points are in pixels of the window; the elbow of the demo character stands at (690, 380).
#[rustfmt::skip]
pub const SCENES: &[Scene] = &[
    Scene { name: "start", file: "", steps: &[] },
    Scene {
        name: "bend",
        file: "",
        steps: &[
            Keys(&["ctrl+shift+p"]), Type("joint name=LeftLowerArm"), Keys(&["Return"]), Settle,
            Move(690, 380), Wheel(3), Settle,
            Keys(&["r", "x", "1", "0", "0"]),
        ],
    },
    Scene {
        name: "paint",
        file: "",
        steps: &[
            Keys(&["ctrl+shift+p"]), Type("joint name=LeftLowerArm"), Keys(&["Return"]), Settle,
            Move(690, 380), Wheel(3), Settle,
            Keys(&["r", "x", "9", "0", "Return"]), Settle,
            Drag(1, "shift", &[(750, 350), (772, 372)]), Settle,
            Drag(1, "shift", &[(745, 345), (765, 365)]), Settle,
            Move(752, 352),
        ],
    },
    Scene {
        name: "dqs",
        file: "",
        steps: &[
            Keys(&["ctrl+shift+p"]), Type("joint name=LeftLowerArm"), Keys(&["Return"]), Settle,
            Move(690, 380), Wheel(3), Settle,
            Keys(&["r", "x", "1", "0", "0", "Return", "q"]),
        ],
    },
    Scene {
        name: "save",
        file: "assets/biped.glb",
        steps: &[
            Keys(&["ctrl+shift+p"]), Type("joint name=LeftLowerArm"), Keys(&["Return"]), Settle,
            Move(690, 380), Wheel(3), Settle,
            Keys(&["r", "x", "9", "0", "Return"]), Settle,
            Drag(1, "shift", &[(750, 350), (772, 372)]), Settle,
            Keys(&["ctrl+s"]), Settle,
            Move(600, 760),
        ],
    },
    Scene {
        name: "textured",
        file: "",
        steps: &[
            Keys(&["ctrl+shift+p"]), Type("pose turns=LeftUpperArm:0,0,-25;LeftLowerArm:80,0,0;RightUpperLeg:-55,0,0;RightLowerLeg:60,0,0;Head:0,15,0"),
            Keys(&["Return"]), Settle,
            Move(240, 93), Click, Settle, Move(600, 760),
        ],
    },
    Scene {
        name: "joint_colours",
        file: "",
        steps: &[Move(160, 93), Click, Settle, Move(600, 760)],
    },
    Scene {
        name: "as_exported",
        file: "",
        steps: &[
            Keys(&["ctrl+shift+p"]), Type("joint name=LeftLowerArm"), Keys(&["Return"]), Settle,
            Move(690, 380), Wheel(3), Settle,
            Keys(&["r", "x", "9", "0", "Return"]), Settle,
            Keys(&["ctrl+shift+p"]), Type("budget influences=8"), Keys(&["Return"]), Settle,
            Keys(&["ctrl+shift+p"]), Type("smooth iterations=30"), Keys(&["Return"]), Settle,
            Keys(&["ctrl+shift+p"]), Type("view_as profile=4xu8"), Keys(&["Return"]), Settle,
            Move(440, 93), Click, Settle, Move(1000, 560),
        ],
    },
    Scene {
        name: "light",
        file: "",
        steps: &[
            Keys(&["ctrl+comma"]), Settle, Move(516, 301), Click, Settle, Keys(&["ctrl+comma"]), Settle,
            Keys(&["ctrl+shift+p"]), Type("joint name=LeftUpperLeg"), Keys(&["Return"]), Settle,
            Move(580, 520),
        ],
    },
    Scene {
        name: "mirror",
        file: "",
        steps: &[
            Keys(&["ctrl+shift+p"]), Type("joint name=LeftLowerArm"), Keys(&["Return"]), Settle,
            Keys(&["ctrl+shift+p"]), Type("pose turns=LeftLowerArm:80,0,0;RightLowerArm:80,0,0"), Keys(&["Return"]), Settle,
            Keys(&["x"]), Settle,
            Move(575, 330), Wheel(3), Settle,
            Drag(1, "shift", &[(872, 390), (895, 425)]), Settle,
            Move(884, 412),
        ],
    },
    Scene { name: "empty", file: "", steps: &[Keys(&["ctrl+w"]), Settle, Move(600, 860)] },
    Scene {
        name: "palette",
        file: "",
        steps: &[Keys(&["ctrl+shift+p"]), Type("limit")],
    },
];
