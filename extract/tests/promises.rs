//! Several promises in one text: each keeps its own words.

use crate::tasks_of;

#[test]
fn what_another_promises_afterwards_is_no_title() {
    let contract = "Sam: Lovely.\nDana: I'll send the signed contract to Northwind by Friday.";
    for (promise, title) in [("I'll think about it tonight.", "Think about it"), ("I'll do it tonight.", "Do it")] {
        let tasks = tasks_of("meeting", &format!("Priya: {promise}\n{contract}")).tasks;
        let titles: Vec<_> = tasks.iter().map(|task| task.title.as_str()).collect();
        assert_eq!(titles, [title, "Send the signed contract to Northwind"]);
    }
}

#[test]
fn what_is_asked_of_two_people_is_two_tasks() {
    let asked = [
        "Ana: Tom, please book the room. Lea, please order the cake.\nTom: OK.\nLea: OK.",
        "Ana: Tom, please book the room for the dinner.\nAna: Lea, please order the cake.",
        "Ana: I'll forward the old drawings tomorrow. Could you book the cherry picker, Tom?",
    ];
    for text in asked {
        assert_eq!(tasks_of("meeting", text).tasks.len(), 2, "{text}");
    }
}
