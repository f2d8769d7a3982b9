//! What is shown, and how a hand gets there.

use super::Scene;
use super::Step::{
    self, All, Along, Click, Drag, Hold, Keys, LetGo, Line, Move, Panel, Press, Release, Settle, Type, Wheel,
};

/// The left elbow, large, in the middle of the view.
const ELBOW: &[Step] = &[
    Line("joint name=LeftLowerArm"),
    Keys(&["period"]),
    Settle,
    Move(760, 400),
    Wheel(1),
    Settle,
    Drag(2, "shift", &[(500, 420), (640, 420)]),
    Move(1000, 200),
    Settle,
];
/// The bent left arm at the bottom left of the view, over the legend.
const ARM: &[Step] = &[
    Line("joint name=LeftLowerArm"),
    Line("pose turns=LeftUpperArm:0,0,-10;LeftLowerArm:75,0,0"),
    Keys(&["period"]),
    Settle,
    Drag(2, "shift", &[(592, 455), (250, 610)]),
    Move(700, 800),
    Settle,
];
/// The bent elbow; half a row.
const HALF: [u32; 4] = [230, 130, 712, 420];
/// The view's bottom left corner, with the legend; a third and a quarter of a row.
const THIRD: [u32; 4] = [44, 435, 472, 400];
const QUARTER: [u32; 4] = [44, 435, 352, 400];

/// Every picture. Points are in pixels of the window.
#[rustfmt::skip]
pub const SCENES: &[Scene] = &[
    Scene { name: "start", file: "", steps: &[] },
    Scene {
        name: "bend",
        file: "",
        steps: &[
            All(ELBOW),
            Keys(&["r", "x", "1", "0", "0"]),
        ],
    },
    Scene {
        name: "lbs_dqs",
        file: "",
        steps: &[
            All(ELBOW),
            Keys(&["r", "x", "1", "3", "0", "Return"]), Move(600, 760), Settle, Panel(HALF),
            Keys(&["q"]), Settle, Panel(HALF),
        ],
    },
    Scene {
        name: "paint",
        file: "",
        steps: &[
            All(ELBOW),
            Keys(&["r", "x", "9", "0", "Return"]), Settle,
            Drag(1, "shift", &[(745, 348), (772, 372)]), Settle,
            Drag(1, "shift", &[(740, 345), (765, 368)]), Settle,
            Move(752, 356),
        ],
    },
    Scene {
        name: "save",
        file: "assets/biped.glb",
        steps: &[
            All(ELBOW),
            Keys(&["r", "x", "9", "0", "Return"]), Settle,
            Drag(1, "shift", &[(745, 348), (772, 372)]), Settle,
            Keys(&["ctrl+s"]), Settle,
            Move(600, 760),
        ],
    },
    Scene {
        name: "textured",
        file: "",
        steps: &[
            Line("pose turns=LeftUpperArm:0,0,-25;LeftLowerArm:80,0,0;RightUpperLeg:-55,0,0;RightLowerLeg:60,0,0;Head:0,15,0"),
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
            All(ELBOW),
            Keys(&["r", "x", "9", "0", "Return"]), Settle,
            Line("budget influences=8"),
            Line("smooth iterations=30"),
            Line("view_as profile=4xu8"),
            Move(440, 93), Click, Settle, Move(1000, 560),
        ],
    },
    Scene {
        name: "light",
        file: "",
        steps: &[
            Keys(&["ctrl+comma"]), Settle, Move(509, 409), Click, Settle, Keys(&["ctrl+comma"]), Settle,
            Line("joint name=LeftUpperLeg"),
            Move(580, 520),
        ],
    },
    Scene {
        name: "mirror",
        file: "",
        steps: &[
            Line("joint name=LeftLowerArm"),
            Line("pose turns=LeftLowerArm:80,0,0;RightLowerArm:80,0,0"),
            Keys(&["x"]), Settle,
            Move(575, 330), Wheel(3), Settle,
            Drag(1, "shift", &[(872, 390), (895, 425)]), Settle,
            Move(884, 412),
        ],
    },
    // Pain 22
    Scene {
        name: "ramps",
        file: "",
        steps: &[
            All(ARM), Keys(&["j", "c"]), Panel(QUARTER),
            Keys(&["c"]), Line("Display"), Move(215, 167), Click, Line("Display"), Move(700, 800), Panel(QUARTER),
            Line("Display"), Move(266, 167), Click, Line("Display"), Move(700, 800), Panel(QUARTER),
            Line("Display"), Move(161, 167), Click, Line("Display"), Line("lock joint=LeftUpperArm"),
            Line("Without Locked"), Move(700, 800), Panel(QUARTER),
        ],
    },
    // Pains 4, 15 and 18
    Scene {
        name: "marks",
        file: "",
        steps: &[
            All(ARM), Keys(&["j"]),
            Line("Display"), Move(237, 283), Click, Line("Display"), Move(700, 800), Panel(QUARTER),
            Line("Display"), Move(315, 283), Click, Line("Display"),
            Line("select joint=LeftLowerArm min=0.2 max=0.97"), Line("flood joint=LeftLowerArm brush=erase unassigned=yes"),
            Line("flood joint=LeftUpperArm brush=erase unassigned=yes"), Line("flood joint=LeftHand brush=erase unassigned=yes"),
            Keys(&["ctrl+shift+a"]), Move(700, 800), Panel(QUARTER),
            Keys(&["ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z", "ctrl+z"]), Settle,
            Line("lock joint=LeftUpperArm"), Drag(1, "", &[(310, 520), (330, 560)]), Move(318, 528), Panel(QUARTER),
            Keys(&["ctrl+z", "ctrl+z"]), Settle,
            Line("budget influences=8"), Line("smooth iterations=12"), Line("budget influences=4"),
            Line("Display"), Move(192, 312), Click, Line("Display"), Move(700, 800), Panel(QUARTER),
        ],
    },
    // Pains 19, 20 and 22
    Scene {
        name: "vertices",
        file: "",
        steps: &[
            All(ARM), Keys(&["j", "shift+v"]), Panel(THIRD),
            Keys(&["shift+v"]), Line("Seams"), Panel(THIRD),
            Line("Seams"), Keys(&["j", "alt+g"]), Move(352, 503), Panel([230, 435, 472, 400]),
        ],
    },
    // Pain 12
    Scene {
        name: "reaches",
        file: "",
        steps: &[
            All(ARM), Move(290, 620), Panel([158, 435, 480, 400]), Keys(&["o"]), Panel([158, 435, 480, 400]),
            Keys(&["o"]), Panel([158, 435, 480, 400]),
        ],
    },
    // Pains 5 and 6
    Scene {
        name: "sides",
        file: "",
        steps: &[
            Line("joint name=LeftLowerArm"), Line("pose turns=LeftLowerArm:80,0,0;RightLowerArm:80,0,0"), Keys(&["x"]),
            Move(592, 360), Wheel(2), Settle, Drag(2, "shift", &[(592, 360), (400, 590)]), Settle,
            Move(606, 596), Press, Along(&[(606, 596), (614, 606)]), Panel([44, 395, 712, 440]), Release, Keys(&["ctrl+z"]),
            Keys(&["x"]), Drag(1, "", &[(606, 600), (614, 610)]), Line("Left-right"), Move(1000, 560),
            Panel([44, 395, 712, 440]),
        ],
    },
    // Pain 12
    Scene {
        name: "parts",
        file: "",
        steps: &[
            All(ARM), Keys(&["j"]), Line("select joint=LeftLowerArm min=0.3"), Move(700, 800), Panel(THIRD),
            Line("mask from=inverse"), Keys(&["ctrl+shift+a"]), Move(700, 800), Panel(THIRD),
            Keys(&["ctrl+z", "ctrl+z"]), Keys(&["slash"]), Keys(&["ctrl+shift+a"]), Move(700, 800), Panel(THIRD),
        ],
    },
    // Pains 1, 3 and 11
    Scene {
        name: "strokes",
        file: "",
        steps: &[
            All(ARM), Move(280, 640), Hold("g"), Press, Along(&[(280, 640), (300, 590)]), Panel(THIRD),
            Release, LetGo("g"), Settle, Drag(2, "shift", &[(250, 610), (820, 600)]), Settle,
            Drag(1, "", &[(838, 496), (850, 512)]), Move(844, 504), Panel([756, 435, 384, 400]),
            Keys(&["ctrl+z"]), Keys(&["alt+shift+r"]), Line("joint name=LeftLowerLeg"), Keys(&["period"]), Settle,
            Line("select joint=LeftUpperLeg min=0.3"), Line("select joint=LeftLowerLeg min=0.3 how=add"),
            Drag(2, "shift", &[(592, 455), (340, 350)]), Settle,
            Keys(&["shift+a"]), Drag(1, "", &[(352, 352), (352, 150)]), Move(700, 800), Panel([44, 36, 560, 400]),
        ],
    },
    // Pain 4
    Scene {
        name: "locks",
        file: "",
        steps: &[
            All(ARM), Move(270, 630), Keys(&["k"]), Panel([44, 435, 624, 400]), Keys(&["Escape", "shift+l"]), Move(700, 800),
            Panel([44, 435, 328, 400]), Drag(1, "", &[(310, 520), (330, 560)]), Move(350, 520), Panel([254, 435, 464, 400]),
        ],
    },
    // Pain 7
    Scene { name: "keys", file: "", steps: &[Keys(&["h"]), Panel([44, 72, 1096, 763])] },
    Scene { name: "empty", file: "", steps: &[Keys(&["ctrl+w"]), Settle, Move(600, 860)] },
    Scene {
        name: "palette",
        file: "",
        steps: &[Keys(&["ctrl+shift+p"]), Type("limit")],
    },
];
