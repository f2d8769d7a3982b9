//! A hand that clicks, drags and presses anything anywhere: the window lives on, rows stay rows, and undo leads back.

use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, pos2, vec2};
use sinew_model::Row;

use super::driver::{ALT, CTRL, CTRL_SHIFT, NONE, SHIFT, Setup, Window, arm};

/// Numbers that look random and are the same in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Mostly over the view, where there is most to do.
    fn pos(&mut self) -> Pos2 {
        if self.below(3) == 0 {
            pos2(self.below(1100) as f32, self.below(720) as f32)
        } else {
            pos2(400.0 + self.below(260) as f32, 150.0 + self.below(420) as f32)
        }
    }
}

/// Keys that lead nowhere outside the window.
const KEYS: &[Key] = &[
    Key::A,
    Key::B,
    Key::C,
    Key::D,
    Key::E,
    Key::F,
    Key::G,
    Key::H,
    Key::J,
    Key::K,
    Key::L,
    Key::M,
    Key::N,
    Key::O,
    Key::P,
    Key::Q,
    Key::R,
    Key::T,
    Key::U,
    Key::V,
    Key::W,
    Key::X,
    Key::Y,
    Key::Z,
    Key::Num0,
    Key::Num1,
    Key::Num3,
    Key::Num5,
    Key::Num7,
    Key::Enter,
    Key::Escape,
    Key::Escape,
    Key::Tab,
    Key::Space,
    Key::Backspace,
    Key::Home,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::OpenBracket,
    Key::CloseBracket,
    Key::Minus,
    Key::Period,
];

/// Held with a key: opening, saving, closing and quitting ask for files, which other tests do.
fn modifiers_for(key: Key, dice: &mut Dice) -> Modifiers {
    let leads_away = matches!(key, Key::O | Key::Q | Key::W | Key::S);
    if leads_away { dice.pick(&[NONE, SHIFT]) } else { dice.pick(&[NONE, NONE, NONE, SHIFT, CTRL, CTRL_SHIFT, ALT]) }
}

fn act(window: &mut Window, dice: &mut Dice) {
    let held = dice.pick(&[NONE, NONE, SHIFT, CTRL, ALT]);
    let button =
        dice.pick(&[PointerButton::Primary, PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle]);
    let event = |window: &mut Window, event| {
        window.harness.event(event);
        window.harness.step();
    };
    match dice.below(8) {
        0..3 => {
            let key = dice.pick(KEYS);
            let modifiers = modifiers_for(key, dice);
            let is_held = dice.below(6) == 0;
            event(window, Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers });
            if is_held {
                event(window, Event::PointerMoved(dice.pos()));
            }
            event(window, Event::Key { key, physical_key: None, pressed: false, repeat: false, modifiers });
        }
        3 => event(window, Event::PointerMoved(dice.pos())),
        4 => event(
            window,
            Event::MouseWheel {
                unit: MouseWheelUnit::Line,
                delta: vec2(0.0, dice.below(9) as f32 - 4.0),
                modifiers: NONE,
                phase: egui::TouchPhase::Move,
                source: egui::MouseWheelSource::Wheel,
            },
        ),
        5 => {
            let text = dice.pick(&["0.5", "-", "1e9", "smooth", "NaN", "é"]);
            event(window, Event::Text(text.to_owned()));
        }
        6 => {
            let pos = dice.pos();
            event(window, Event::PointerMoved(pos));
            event(window, Event::PointerButton { pos, button, pressed: true, modifiers: held });
            event(window, Event::PointerButton { pos, button, pressed: false, modifiers: held });
        }
        _ => {
            event(window, Event::ModifiersChanged(held));
            let mut pos = dice.pos();
            event(window, Event::PointerMoved(pos));
            event(window, Event::PointerButton { pos, button, pressed: true, modifiers: held });
            for _ in 0..dice.below(5) {
                pos = dice.pos();
                event(window, Event::PointerMoved(pos));
            }
            event(window, Event::PointerButton { pos, button, pressed: false, modifiers: held });
            event(window, Event::ModifiersChanged(NONE));
        }
    }
}

fn rows(window: &Window) -> Vec<Row> {
    let meshes = window.editor().document().meshes().iter();
    meshes.flat_map(|mesh| mesh.weights.vertices().map(|v| mesh.weights.get(v)).collect::<Vec<_>>()).collect()
}

#[test]
fn a_wild_hand_breaks_nothing_and_undo_leads_back() {
    for seed in 0..6 {
        let mut dice = Dice(seed);
        let mut window = Window::new(Setup { path: Some(arm()), ..Setup::default() });
        let first = rows(&window);
        for i in 0..160 {
            act(&mut window, &mut dice);
            if i % 40 == 39 {
                let size = dice.pick(&[vec2(1100.0, 720.0), vec2(300.0, 200.0), vec2(1600.0, 300.0)]);
                window.harness.set_size(size);
                window.harness.step();
            }
        }
        window.harness.set_size(vec2(1100.0, 720.0));
        for _ in 0..4 {
            window.harness.key_press_modifiers(NONE, Key::Escape);
            window.harness.step();
        }
        // A clip may still be playing: the window need not come to rest.
        while window.app().is_busy() {
            window.harness.step();
        }
        window.harness.run_steps(4);
        if window.app().file().is_none() {
            continue;
        }
        window.editor_mut().abort_stroke();
        for row in rows(&window) {
            let leaves_share = window.editor().session.paint.leaves_unassigned;
            assert!(row.check().is_ok() || (leaves_share && row.sum() < 1.0), "seed {seed}: {row:?}");
        }
        while window.editor_mut().undo().is_ok() {}
        assert!(rows(&window) == first, "seed {seed}: undo leads back");
    }
}
