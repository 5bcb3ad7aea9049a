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

#[test]
fn a_line_that_calls_itself_a_task_is_not_that_of_whom_it_only_speaks_of() {
    let present =
        "# Weekly\nPresent: Priya Nair, Tom Brill, Ana Ruiz, Lea Voss, Bob Stone\n\nTom was late. Ana and Bob too.\n\n";
    for line in [
        "- ACTION: Reply to Priya",
        "- ACTION: Email Tom the figures",
        "- AI: call Ana re invoice",
        "- [ ] chase Bob for the keys",
        "- TODO: thank Lea",
        "- TODO: Try to reach Ana",
        "- ACTION: Email Tom to confirm the figures",
    ] {
        let mut tasks = tasks_of("note", &format!("{present}{line}\n")).tasks;
        tasks.retain(|task| task.explicit);
        let owners: Vec<_> = tasks.iter().filter_map(|task| task.owner.as_deref()).collect();
        assert!(!tasks.is_empty() && owners.iter().all(|owner| *owner == "Dana Reyes"), "{line}: {owners:?}");
    }
    let given = tasks_of("note", &format!("{present}- ACTION: Tom: thank Lea\n- ACTION: Ana to chase Bob\n")).tasks;
    let owners: Vec<_> =
        given.iter().filter(|task| task.explicit).map(|task| task.owner.as_deref().unwrap_or_default()).collect();
    assert_eq!(owners, ["Tom Brill", "Ana Ruiz"]);
}
