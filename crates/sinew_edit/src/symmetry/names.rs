//! The name of the joint on the other side.
//!
//! A name is cut into words at separators, digits and capitals; a word that means a side is turned: `arm.L`, `L_leg`,
//! `LeftHand`, `ear_l_end`, `Bip01 L Hand`, `[L] wing`, `leftarm`, `L1`. `lower` holds no such word.

/// Words for left with their counterpart for right, lower case.
const SIDES: &[(&str, &str)] = &[("l", "r"), ("left", "right"), ("lft", "rgt"), ("lf", "rt"), ("lt", "rt")];

/// What a joint's counterpart may be called, lower case, the likeliest first; nothing for a name without a side.
pub(super) fn mirrored(name: &str) -> Vec<String> {
    let words = words(name);
    let turned: Vec<Vec<String>> = words.iter().map(|word| turned(&word.to_lowercase())).collect();
    let sided: Vec<usize> = (0..words.len()).filter(|&at| !turned[at].is_empty()).collect();
    let with = |places: &[usize], which: usize| -> String {
        let word = |(at, word): (usize, &&str)| match turned[at].get(which).or(turned[at].first()) {
            Some(turned) if places.contains(&at) => turned.clone(),
            _ => word.to_lowercase(),
        };
        words.iter().enumerate().map(word).collect()
    };
    let mut names = Vec::new();
    for which in 0..2 {
        names.push(with(&sided, which));
        names.extend(sided.iter().map(|&at| with(&[at], which)));
    }
    let own = name.to_lowercase();
    let mut seen = Vec::new();
    names.retain(|name| {
        let is_new = *name != own && !seen.contains(name);
        seen.push(name.clone());
        is_new
    });
    names
}

/// A lower-case word with its side turned, in every way it can be.
fn turned(word: &str) -> Vec<String> {
    let both_ways = || SIDES.iter().flat_map(|&(left, right)| [(left, right), (right, left)]);
    let mut turned: Vec<String> = both_ways().filter(|&(from, _)| word == from).map(|(_, to)| to.to_owned()).collect();
    if turned.is_empty() {
        // Long words are told from the rest of the word without a separator.
        for (from, to) in [("left", "right"), ("right", "left")] {
            turned.extend(word.strip_prefix(from).map(|rest| format!("{to}{rest}")));
            turned.extend(word.strip_suffix(from).map(|rest| format!("{rest}{to}")));
        }
    }
    turned
}

/// The words, separators between them as words of their own.
fn words(name: &str) -> Vec<&str> {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Lower,
        Upper,
        Digit,
        Other,
    }
    let kind = |c: char| match c {
        c if c.is_uppercase() => Kind::Upper,
        c if c.is_alphabetic() => Kind::Lower,
        c if c.is_numeric() => Kind::Digit,
        _ => Kind::Other,
    };
    let chars: Vec<(usize, Kind)> = name.char_indices().map(|(at, c)| (at, kind(c))).collect();
    let mut words = Vec::new();
    let mut start = 0;
    for i in 1..chars.len() {
        let (before, here) = (chars[i - 1].1, chars[i].1);
        let after = chars.get(i + 1).map(|&(_, kind)| kind);
        let begins = match (before, here) {
            // The last capital of several begins the next word: L in LArm is one, A in LArm another.
            (Kind::Upper, Kind::Upper) => after == Some(Kind::Lower),
            (Kind::Upper, Kind::Lower) => false,
            (a, b) => a != b,
        };
        if begins {
            words.push(&name[start..chars[i].0]);
            start = chars[i].0;
        }
    }
    words.push(&name[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn pairs(a: &str, b: &str) {
        assert!(mirrored(a).contains(&b.to_lowercase()), "{a}: {:?}", mirrored(a));
        assert!(mirrored(b).contains(&a.to_lowercase()), "{b}: {:?}", mirrored(b));
    }

    #[test]
    fn names_with_a_side_find_their_counterpart() {
        // B34
        pairs("arm.L", "arm.R");
        pairs("arm_l", "arm_r");
        pairs("L_leg", "R_leg");
        pairs("LeftHand", "RightHand");
        pairs("ear_l_end", "ear_r_end");
        pairs("Bip01 L Finger02", "Bip01 R Finger02");
        pairs("mixamorig:LeftForeArm", "mixamorig:RightForeArm");
        pairs("[L] wing 3", "[R] wing 3");
        pairs("leftarm", "rightarm");
        pairs("J_Bip_L_UpperArm", "J_Bip_R_UpperArm");
        pairs("lShldr", "rShldr");
        pairs("LArm", "RArm");
        pairs("armL", "armR");
        pairs("L1", "R1");
        pairs("hand-left.001", "hand-right.001");
        pairs("HAND_LEFT", "HAND_RIGHT");
        pairs("lf_wheel", "rt_wheel");
        pairs("lt_wheel", "rt_wheel");
        pairs("L_hand_L", "R_hand_R");
    }

    #[test]
    fn numbers_are_kept_and_words_that_only_hold_the_letter_are_no_side() {
        assert!(!mirrored("arm.L.001").contains(&"arm.r.002".to_owned()));
        for name in ["lower", "root", "lip1", "collar", "", "Bip01", "ball"] {
            assert_eq!(mirrored(name), [""; 0], "{name}");
        }
    }
}
