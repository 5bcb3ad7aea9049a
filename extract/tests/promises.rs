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

#[test]
fn an_invitation_tells_of_an_event_and_says_when_it_is() {
    let mail = "From: Sam Keller <sam@k.example>\nTo: Dana Reyes <dana@k.example>\nSubject: Kick-off\n\nHi Dana,\n\n\
        What: Kick-off workshop\nWhen: Friday, 13 March, 10:00\nWhere: Zoom\n\nCould you prepare the slides for it by then?\n\nSam\n";
    let tasks = tasks_of("email", mail).tasks;
    let found: Vec<_> =
        tasks.iter().map(|task| (task.title.as_str(), task.due.as_ref().map(|due| due.date.to_string()))).collect();
    assert_eq!(found, [("Prepare the slides", Some("2026-03-13".to_owned()))]);
    let lunch = tasks_of("note", "What: Team lunch\nWhen: 12 March, 1pm\n").tasks;
    assert!(lunch.is_empty(), "{lunch:?}");
}

#[test]
fn what_is_to_be_done_when_and_by_whom_is_a_task() {
    let cake = tasks_of("note", "What: Pick up the cake\nWhen: Friday 10am\nWhere: Bakery, Main St\n").tasks;
    assert_eq!(cake.len(), 1, "{cake:?}");
    let tasks = tasks_of("note", "What: Send the deposit to the caterer\nWhen: Friday 13 March\nWho: Lea\n").tasks;
    let found: Vec<_> = tasks
        .iter()
        .map(|task| {
            let due = task.due.as_ref().map(|due| due.date.to_string());
            (task.title.as_str(), task.owner.as_deref(), due)
        })
        .collect();
    assert_eq!(found, [("Send the deposit to the caterer", Some("Lea"), Some("2026-03-13".to_owned()))]);
}

#[test]
fn a_line_with_a_box_is_a_task_whatever_its_words_are() {
    for line in ["Black Friday", "Friday 14 March", "Check that the dog sleeps inside", "Check that the lights off"] {
        let tasks = tasks_of("note", &format!("- [ ] {line}\n")).tasks;
        assert_eq!(tasks.len(), 1, "{line}: {tasks:?}");
    }
}

#[test]
fn what_a_labelled_line_speaks_of_is_not_taken_for_whoever_is_to_do_it() {
    let owner = |line: &str| {
        let text = format!("Present: Hana Rossi, Sam Okafor, Lea Brandt\n\n- {line}\n");
        tasks_of("note", &text).tasks.first().and_then(|task| task.owner.clone())
    };
    assert_eq!(owner("ACTION: After the demo Sam will send the notes").as_deref(), Some("Sam Okafor"));
    assert_ne!(owner("HR orders the badges").as_deref(), Some("Hana Rossi"));
}
