//! Splicing gives what editing the parsed value gives, and leaves other bytes alone.

use proptest::prelude::*;
use serde_json::Value;

use super::*;

fn edited(text: &str, edit: impl FnOnce(&mut JsonText<'_>)) -> String {
    let mut json = JsonText::new(text);
    edit(&mut json);
    json.finish().unwrap()
}

#[test]
fn without_edits_the_text_is_the_same() {
    let text = "\u{feff} {\"a\" :1.50 ,\n\"b\":[ ] , \"a\": -0.0e+1}\n\n";
    assert_eq!(edited(text, |_| {}), text);
}

#[test]
fn a_member_is_replaced_and_everything_else_keeps_its_spelling() {
    let text = r#"{ "x\u0065" : 1.50, "list":[1 , {"max" :[ 1.0,2 ]}], "é\/": "\"}" }"#;
    let out = edited(text, |json| {
        json.set_member(&[], "xe", "7".into()).unwrap();
        json.set_numbers(at!["list", 1], "max", &["3".into(), "2".into()]).unwrap();
    });
    assert_eq!(out, r#"{ "x\u0065" : 7, "list":[1 , {"max" :[ 3,2 ]}], "é\/": "\"}" }"#);
}

#[test]
fn a_repeated_key_is_edited_where_parsers_read_it() {
    let out = edited(r#"{"a":1,"b":2,"a":3}"#, |json| json.set_member(&[], "a", "9".into()).unwrap());
    assert_eq!(out, r#"{"a":1,"b":2,"a":9}"#);
    let out = edited(r#"{"a":1,"b":2,"a":3}"#, |json| json.remove_member(&[], "a").unwrap());
    assert_eq!(out, r#"{"b":2}"#);
}

#[test]
fn new_members_and_elements_copy_the_local_layout() {
    let text = "{\n  \"views\": [\n    {\n      \"buffer\": 0\n    }\n  ],\n  \"one\": {\n    \"a\": 1\n  }\n}\n";
    let out = edited(text, |json| {
        let view = json.object_like_last_of(at!["views"], &[("buffer", "1".into()), ("byteLength", "8".into())]);
        json.append(at!["views"], view).unwrap();
        json.set_member(at!["one"], "b", "2".into()).unwrap();
    });
    let expected = "{\n  \"views\": [\n    {\n      \"buffer\": 0\n    },\n    {\n      \"buffer\": 1,\n      \
                    \"byteLength\": 8\n    }\n  ],\n  \"one\": {\n    \"a\": 1,\n    \"b\": 2\n  }\n}\n";
    assert_eq!(out, expected);
}

#[test]
fn removing_the_last_member_and_adding_another_leaves_one_comma() {
    let out = edited(r#"{"a":1, "sparse":{"n":[1,2]}}"#, |json| {
        json.remove_member(&[], "sparse").unwrap();
        json.set_member(&[], "view", "4".into()).unwrap();
    });
    assert_eq!(out, r#"{"a":1, "view":4}"#);
    let out = edited(r#"{"sparse":1}"#, |json| {
        json.remove_member(&[], "sparse").unwrap();
        json.set_member(&[], "view", "4".into()).unwrap();
        json.set_member(&[], "offset", "8".into()).unwrap();
    });
    assert_eq!(out, r#"{"view":4,"offset":8}"#);
}

#[test]
fn elements_go_into_an_empty_array() {
    let out = edited(r#"{"a":[ ]}"#, |json| {
        json.append(at!["a"], "1".into()).unwrap();
        json.append(at!["a"], "2".into()).unwrap();
    });
    assert_eq!(out, r#"{"a":[1,2 ]}"#);
}

#[test]
fn overlapping_edits_are_refused() {
    let mut json = JsonText::new(r#"{"a":{"b":1}}"#);
    json.set_member(&[], "a", "2".into()).unwrap();
    json.set_member(at!["a"], "b", "3".into()).unwrap();
    assert!(matches!(json.finish(), Err(JsonTextError::Overlap { .. })));
}

#[test]
fn broken_or_deep_text_is_not_found_rather_than_a_panic() {
    let deep = "[".repeat(1_000_000);
    for text in ["", "{", "{\"a", "{\"a\"", "{\"a\":", "[1,", "{\"a\":\"\\", "}", "[}", deep.as_str(), "{1:2}"] {
        let mut json = JsonText::new(text);
        assert_eq!(json.find(at!["a"]), None, "{text:.20}");
        assert_eq!(json.find(at![0]).filter(|_| text != "[1,"), None, "{text:.20}");
    }
}

/// JSON values of some depth, with awkward strings as keys.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        (-8000i32..8000).prop_map(|eighths| Value::from(f64::from(eighths) / 8.0)),
        "[\\\\\"{}\\[\\], :a-cé\n]{0,6}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map("[\\\\\"{}\\[\\], :a-cé~/]{0,4}", inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn containers<'v>(value: &'v Value, at: Vec<Step<'v>>, out: &mut Vec<Vec<Step<'v>>>) {
    match value {
        Value::Array(elements) => {
            for (i, element) in elements.iter().enumerate() {
                containers(element, [at.clone(), vec![Step::At(i)]].concat(), out);
            }
            out.push(at);
        }
        Value::Object(members) => {
            for (key, member) in members {
                containers(member, [at.clone(), vec![Step::Key(key)]].concat(), out);
            }
            out.push(at);
        }
        _ => {}
    }
}

proptest! {
    #[test]
    fn splicing_then_parsing_equals_editing_the_parsed_value(
        value in any_value(), new in any_value(), pick in any::<prop::sample::Index>(),
        child in any::<prop::sample::Index>(), pretty in any::<bool>(),
    ) {
        let value = Value::Array(vec![value]);
        let text = if pretty { serde_json::to_string_pretty(&value).unwrap() } else { value.to_string() };
        let mut all = Vec::new();
        containers(&value, Vec::new(), &mut all);
        let at = pick.get(&all).clone();
        let mut expected = value.clone();
        let mut json = JsonText::new(&text);
        let span = json.find(&at).unwrap();
        match expected.pointer_mut(&pointer(&at)).unwrap() {
            Value::Array(elements) => {
                json.append(&at, new.to_string()).unwrap();
                elements.push(new);
            }
            Value::Object(members) => {
                if !members.is_empty() {
                    let key = child.get(&members.keys().cloned().collect::<Vec<_>>()).clone();
                    json.remove_member(&at, &key).unwrap();
                    members.remove(&key);
                }
                json.set_member(&at, "new \"key\"", new.to_string()).unwrap();
                members.insert("new \"key\"".to_owned(), new);
            }
            _ => unreachable!("only containers were gathered"),
        }
        let out = json.finish().unwrap();
        prop_assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), expected);
        prop_assert_eq!(&out[..=span.start], &text[..=span.start]);
        prop_assert!(out.ends_with(&text[span.end - 1..]));
    }
}
