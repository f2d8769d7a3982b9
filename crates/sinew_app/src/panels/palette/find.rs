//! How well typed letters fit a name.

/// How well what is typed fits something: every word must fit its name, its other name, or begin a word of the place
/// where it stands. `None` if it does not.
pub(super) fn score(wanted: &str, name: &str, other_name: &str, place: &str) -> Option<i32> {
    let (wanted, name) = (plain(wanted), plain(name));
    let wanted = wanted.trim();
    let mut score = 0;
    for word in wanted.split_whitespace() {
        let begins = plain(place).split_whitespace().any(|of_place| of_place.starts_with(word));
        let of_place = begins.then_some(10 * word.len() as i32);
        score += fit(word, &name).max(fit(word, other_name)).max(of_place)?;
    }
    let is_whole = !wanted.is_empty() && (wanted == name || wanted == other_name);
    Some(score + if is_whole { 1000 } else { 0 })
}

/// How well letters fit a name: all must occur in order; at the beginning of a word and side by side count more.
pub(super) fn fit(wanted: &str, name: &str) -> Option<i32> {
    let mut score = 0;
    let mut rest = name.chars();
    let (mut before, mut was_hit) = (' ', false);
    for letter in wanted.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase) {
        loop {
            let next = rest.next()?;
            let is_start = !before.is_alphanumeric() || (before.is_lowercase() && next.is_uppercase());
            before = next;
            if next.to_lowercase().eq(std::iter::once(letter)) {
                score += 1 + if is_start { 8 } else { 0 } + if was_hit { 9 } else { 0 };
                was_hit = true;
                break;
            }
            was_hit = false;
        }
    }
    Some(score * 4 - name.chars().count() as i32 / 4)
}

/// A text as it is typed: small letters, the hyphen of the keyboard, no dots that say “more follows”.
fn plain(text: &str) -> String {
    let text = text.trim_end_matches('…').to_lowercase();
    text.replace(['–', '−', '‑'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_in_order_fit_and_beginnings_of_words_fit_better() {
        assert_eq!(fit("xyz", "Limit Influences"), None);
        assert_eq!(fit("tl", "Limit"), None, "order counts");
        assert!(fit("sa", "Save As…") > fit("sa", "Smooth Weights All"));
        assert!(fit("li", "Limit Influences") > fit("li", "Scale In"));
        assert!(fit("", "anything").is_some());
    }

    #[test]
    fn words_fit_in_any_order_and_may_name_the_place() {
        assert!(score("smooth brush", "Smooth", "", "brush").is_some());
        assert!(score("brush smooth", "Smooth", "", "brush").is_some());
        assert_eq!(score("smooth brush", "Smooth Weights", "smooth", "whole mesh"), None);
        assert!(score("left-right", "Show Left–Right", "", "").is_some(), "no keyboard has that dash");
        assert!(
            score("save as", "Save As…", "", "") > score("save as", "Save Assets", "", ""),
            "the whole name is best"
        );
    }
}
