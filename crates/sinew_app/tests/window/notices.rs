//! What the status line says: for a while, and to be found again.

use egui::Key;
use egui_kittest::kittest::Queryable;
use sinew_app::action::{Action, Notice};

use super::driver::{CTRL, NONE, Window, arm};

fn say(window: &mut Window, notice: Notice) {
    let ctx = window.harness.ctx.clone();
    window.harness.state_mut().perform(&ctx, Action::Say(notice));
    window.harness.run();
}

fn is_said(window: &Window, text: &str) -> bool {
    window.harness.query_by_label(text).is_some()
}

#[test]
fn a_message_makes_room_for_the_keys_again_and_is_found_by_a_click() {
    let mut window = Window::open(&arm());
    window.wait(60.0);
    let is_hinted = |window: &Window| window.harness.query_by_label("bend joint").is_some();
    assert!(is_hinted(&window), "the keys have the line");
    let long = "This is a message of so many words that it takes the whole line, ".repeat(4);
    say(&mut window, Notice::refused(&long));
    assert!(is_said(&window, &long) && !is_hinted(&window));
    let delay = window.repaint_delay();
    assert!(delay.as_secs() > 5 && delay.as_secs() < 120, "the window sleeps until it goes: {delay:?}");
    window.wait(3.0);
    assert!(is_said(&window, &long), "not before it can be read");
    window.wait(60.0);
    assert!(!is_said(&window, &long) && is_hinted(&window));
    assert!(window.app().notice().is_none());

    window.click_label("Messages");
    assert!(is_said(&window, &long));
    window.key(Key::Escape, NONE);
    assert!(!is_said(&window, &long));
}

#[test]
fn a_message_that_is_pointed_at_stays_and_a_click_on_it_shows_those_before() {
    let mut window = Window::open(&arm());
    say(&mut window, Notice::done("the first"));
    say(&mut window, Notice::done("the second"));
    let on_it = window.harness.get_by_label("the second").rect().center();
    window.hover(on_it);
    window.wait(60.0);
    assert!(is_said(&window, "the second"), "it stays under the pointer");
    assert!(!is_said(&window, "the first"));
    window.click(on_it, NONE);
    assert!(is_said(&window, "the first"));
    window.click(on_it, NONE);
    assert!(!is_said(&window, "the first"), "the second click closes the list");
    // What goes on with the work takes the line, too.
    window.key(Key::Z, CTRL);
    assert!(!is_said(&window, "the second"));
}
