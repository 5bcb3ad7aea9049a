//! What titles are made of a few lines, by the served weights.

use super::*;
use crate::weights::weights;

fn title(owner: Option<&str>, lines: &[(&str, &str)]) -> String {
    let said = lines.iter().map(|(speaker, text)| Said { text, speaker: Some(speaker) }).collect();
    let title_lines: Vec<TitleLine> = (0..lines.len()).map(|line| (line, Some(Strength::default()))).collect();
    let mut context = TitleContext::new(said, &["Sam Ortiz", "Dana Reyes"], "", "en");
    let asked = TitleRequest { lines: &title_lines, owner, others: &[] };
    weights().map(|weights| super::title(&mut context, &asked, &weights.title).text).unwrap_or_default()
}

fn promise(text: &str) -> String {
    title(Some("Dana Reyes"), &[("Dana Reyes", text)])
}

#[test]
fn readers_choose_among_the_titles_that_are_worth_most() {
    let titles = || [(1.0, "send it to dana"), (0.8, "send the file"), (0.9, "send it to dana")].into_iter();
    let readers = |at: usize| [-2.0, 1.0, 9.0][at];
    assert_eq!(best(titles(), |_| 0.0), Some(0));
    assert_eq!(best(titles(), readers), Some(1), "a text counts once, as where it is worth most");
    let texts: Vec<String> = (0..=CHOICES).map(|at| format!("title {at}")).collect();
    let many = || texts.iter().enumerate().map(|(at, text)| (-(at as f32), text.as_str()));
    assert_eq!(best(many(), |at| if at == CHOICES { 99.0 } else { 0.0 }), Some(0), "the ninth is not weighed");
    assert_eq!(best(many(), |at| if at == CHOICES - 1 { 99.0 } else { 0.0 }), Some(CHOICES - 1));
    assert_eq!(best([].into_iter(), readers), None);
}

#[test]
fn a_promise_loses_its_lead_and_its_date() {
    let title = promise("I'll get the revised SOW over to Northwind by Friday");
    assert_eq!(title, "Get the revised SOW over to Northwind");
    assert_eq!(promise("I'll do the dishes after dinner"), "Do the dishes");
}

#[test]
fn stumbles_of_speech_are_left_out() {
    let lines = [("Dana Reyes", "Sam, can you, uh, check the the proto- prototype of the remote?")];
    assert_eq!(title(Some("Sam Ortiz"), &lines), "Check the prototype of the remote");
}

#[test]
fn a_request_loses_the_one_who_is_asked() {
    assert_eq!(title(Some("Sam Ortiz"), &[("Dana Reyes", "Sam, can you check the logs?")]), "Check the logs");
}

#[test]
fn who_is_spoken_to_is_no_part_of_it_and_what_it_is_stands_a_line_above() {
    assert_eq!(promise("I'll send the parking map tonight, Sam"), "Send the parking map");
    let lines = [
        ("Dana Reyes", "okay, the boathouse."),
        ("Dana Reyes", "Sam, would you book it?"),
        ("Sam Ortiz", "yes, I'll book it this week before somebody has a wedding"),
    ];
    assert_eq!(title(Some("Sam Ortiz"), &lines), "Book the boathouse");
}

#[test]
fn what_a_clause_does_not_say_may_stand_in_brackets() {
    let lines = [("Dana Reyes", "what about the speeches?"), ("Sam Ortiz", "I'll ring the minister's office tonight")];
    let said = lines.iter().map(|&(speaker, text)| Said { text, speaker: Some(speaker) }).collect();
    let title_lines = [(0, Some(Strength::default())), (1, Some(Strength::default()))];
    let mut context = TitleContext::new(said, &["Sam Ortiz", "Dana Reyes"], "", "en");
    let asked = TitleRequest { lines: &title_lines, owner: Some("Sam Ortiz"), others: &[] };
    let window = window(&mut context, &asked);
    let (Some(window), Some(weights)) = (window, weights()) else { panic!("English is read") };
    let offered = candidates(&mut context, &asked, Some(weights.title.tagger.tags(&window)));
    let title = offered.iter().find(|offered| offered.title.text == "Ring the minister's office (speeches)");
    assert_eq!(title.map(|offered| &offered.title.lines[..]), Some(&[0, 1][..]));
    assert!(!offered.iter().any(|offered| offered.title.text.ends_with("office (minister's office)")));
}

#[test]
fn her_is_no_thing() {
    let lines =
        [("Dana Reyes", "I've got my intro call with Odette tomorrow so I'll ask her for the one-month sample.")];
    let asked = title(Some("Dana Reyes"), &lines);
    assert!(["Ask her for", "Ask Odette for"].iter().any(|ask| asked.starts_with(ask)), "{asked}");
}

#[test]
fn what_there_is_is_no_action() {
    let acts = |said: &str| !head::heads(&word::split(said, "en")).is_empty();
    assert!(!acts("we have some new microphones"));
    assert!(acts("we order some new microphones"));
}

#[test]
fn a_note_loses_box_owner_and_bracket() {
    assert_eq!(title(Some("Sam Ortiz"), &[("", "- [ ] @sam: update docs (due 3/14)")]), "Update docs");
    let other = [("Sam Ortiz", "ACTION: Maria Lopez to circulate the minutes by Wednesday")];
    assert_eq!(title(Some("Maria Lopez"), &other), "Circulate the minutes");
    assert_eq!(title(None, &[("", "TODO: Access to repo")]), "Access to repo");
}

#[test]
fn what_needs_doing_becomes_an_order() {
    assert_eq!(title(None, &[("Dana Reyes", "the first aid kits need checking")]), "Check the first aid kits");
}

/// The titles that a line of Dana's may have, of a task of somebody's.
fn offered_to(owner: &str, text: &str) -> Vec<String> {
    let mut context = TitleContext::new(vec![Said { text, speaker: Some("Dana Reyes") }], &["Dana Reyes"], "", "en");
    let lines = [(0, Some(Strength::default()))];
    let asked = TitleRequest { lines: &lines, owner: Some(owner), others: &[] };
    candidates(&mut context, &asked, None).into_iter().map(|offered| offered.title.text).collect()
}

fn offered(text: &str) -> Vec<String> {
    offered_to("Sam Ortiz", text)
}

/// Whether a title is offered for each line, and none that begins otherwise.
fn check(lines: &[(&str, &str)]) {
    for (said, title) in lines {
        let offered = offered(said);
        assert!(offered.iter().any(|other| other == title), "{said}: {offered:?}");
        let verb = title.split(' ').next().unwrap_or_default();
        assert!(offered.iter().all(|other| other.starts_with(verb)), "{said}: {offered:?}");
    }
}

#[test]
fn what_is_to_be_done_to_a_thing_becomes_an_order() {
    check(&[
        ("The slides need to be sent to the board by Thursday", "Send the slides to the board"),
        ("The letter still has to be signed by Friday", "Sign the letter"),
        ("The contract must be countersigned and scanned", "Countersign and scan the contract"),
        ("Labels to be printed by Sam", "Print labels"),
        ("The tiles haven't been ordered yet", "Order the tiles"),
        ("I think the NDA should be checked", "Check the NDA"),
        ("it has to be signed", "Sign it"),
    ]);
}

#[test]
fn a_polite_request_is_what_it_asks_for() {
    check(&[
        ("Would you mind calling the vet tomorrow?", "Call the vet"),
        ("Do you mind checking the gate?", "Check the gate"),
        ("How about calling the vet tomorrow?", "Call the vet"),
        ("I'd appreciate it if you checked the gate", "Check the gate"),
        ("Please make sure you lodge the return by Friday", "Lodge the return"),
        ("can u order the dishes :pray:", "Order the dishes"),
        ("I'll mind the shop tomorrow", "Mind the shop"),
    ]);
}

#[test]
fn what_somebody_wants_to_have_is_to_be_given() {
    check(&[
        ("I need the keys by Friday", "Get Dana the keys"),
        ("I need a quote from you by Friday", "Get Dana a quote"),
        ("We still need two photos", "Get two photos"),
        ("you owe me the list", "Give Dana the list"),
        ("Can I have the keys by Friday?", "Give Dana the keys"),
        ("I need to ring the bank", "Ring the bank"),
    ]);
    let comments = offered("let me have your comments");
    assert!(comments.contains(&"Give Dana the comments".to_owned()), "{comments:?}");
    assert!(comments.iter().all(|title| !title.starts_with("Have")), "{comments:?}");
}

#[test]
fn who_is_to_act_is_no_part_of_it_whoever_that_is() {
    let lines = [
        "Mrs Teale to order the gravel by Friday",
        "Piet van Dijk to order the gravel",
        "Mark to order the gravel",
        "@Kelly Tran please order the gravel",
        "Kostas / Dimitra: order the gravel",
        "Dr Patel agreed to order the gravel",
    ];
    check(&lines.map(|said| (said, "Order the gravel")));
    let stands = |owner: &str, said: &str| offered_to(owner, said).iter().any(|title| title == said);
    assert!(!stands("Finance", "Finance to order the gravel"));
    assert!(stands("Sam Ortiz", "Link to test environment"));
    assert!(stands("Sam Ortiz", "Reply to email from Tom"));
}

#[test]
fn a_title_keeps_what_belongs_to_its_verb_and_no_date() {
    check(&[
        ("I'll reply by Friday", "Reply"),
        ("I'll ring the gas man first thing tomorrow", "Ring the gas man"),
        ("I'll submit the report by COP Friday", "Submit the report"),
        ("I'll fill it in by Friday", "Fill it in"),
        ("I'll look into this tomorrow", "Look into this"),
        ("I'll call the service guys tomorrow", "Call the service guys"),
        ("I'll be there on Friday", "Be there"),
        ("I'll cover the 12th", "Cover the 12th"),
        ("I'll inform supplier A tomorrow", "Inform supplier A"),
        ("I'll pay inv. 4471 tomorrow", "Pay inv. 4471"),
        ("I'll send it to the U.S. team tomorrow", "Send it to the U.S. team"),
        ("please visit my mum by Friday", "Visit Dana's mum"),
        ("please send me the list you made by Friday", "Send Dana the list you made"),
    ]);
    let invoice = offered("Invoice 4471: please pay by Friday.");
    assert!(invoice.contains(&"Pay Invoice 4471".to_owned()), "{invoice:?}");
}

#[test]
fn it_may_be_what_another_cannot_do() {
    let lines =
        [("Dana Reyes", "I can't pick up the kids today."), ("Dana Reyes", "Could you do it?"), ("Sam Ortiz", "ok")];
    assert_eq!(title(Some("Sam Ortiz"), &lines), "Pick up the kids");
    assert!(!offered("I can't come on Friday").contains(&"Come".to_owned()));
}

#[test]
fn me_is_the_one_who_asks() {
    let lines = [("Dana Reyes", "Sam, could you send me the cost centre today please?")];
    let title = title(Some("Sam Ortiz"), &lines);
    assert!(["Send Dana the cost centre", "Send the cost centre"].contains(&title.as_str()), "{title}");
}

#[test]
fn who_goes_somewhere_goes_and_who_goes_and_asks_asks() {
    assert_eq!(promise("I'll go to the bank tomorrow"), "Go to the bank");
    assert_eq!(promise("I'll go and ask the bank tomorrow"), "Ask the bank");
    assert_eq!(promise("I am going to ask the bank tomorrow"), "Ask the bank");
    assert_eq!(promise("I'll try to reach the bank tomorrow"), "Reach the bank");
}

#[test]
fn a_verb_of_no_list_is_known_by_what_stands_before_it() {
    assert_eq!(promise("I'll re-run the tests tonight"), "Re-run the tests");
    assert_eq!(promise("I'll Slack Sam the link tomorrow"), "Slack Sam the link");
    assert_eq!(promise("I'll be at the venue by nine on Monday"), "Be at the venue");
    assert_eq!(promise("I'll be sending the invoice tomorrow"), "Send the invoice");
    assert_eq!(promise("I'll make sure the door is locked tonight"), "Make sure the door is locked");
}

#[test]
fn whose_day_it_is_says_which_thing_is_meant() {
    let lines = [("Dana Reyes", "Sam, could you please send me last year's answers today?")];
    assert!(title(Some("Sam Ortiz"), &lines).ends_with("last year's answers"));
    assert_eq!(promise("I'll check the numbers before Friday's call"), "Check the numbers");
}

#[test]
fn who_takes_on_what_was_asked_for_does_that() {
    let lines = [
        ("Dana Reyes", "Somebody also has to order the badges."),
        ("Sam Ortiz", "I'll take the badges, I know the shop."),
    ];
    assert_eq!(title(Some("Sam Ortiz"), &lines), "Order the badges");
    assert_eq!(promise("I'll take the badges to the front desk"), "Take the badges to the front desk");
}

#[test]
fn an_acceptance_takes_its_action_from_the_ask() {
    let lines = [("Dana Reyes", "could you forward that reply to legal?"), ("Sam Ortiz", "yep, I'll do it tonight")];
    assert_eq!(title(Some("Sam Ortiz"), &lines), "Forward that reply to legal");
}

/// Whether a title is offered for each line, and another one is not.
fn check_whole(lines: &[(&str, &str, &str)]) {
    for (said, whole, cut) in lines {
        let offered = offered(said);
        assert!(offered.iter().any(|title| title == whole), "{said}: {offered:?}");
        assert!(!offered.iter().any(|title| title == cut), "{said}: {offered:?}");
    }
}

#[test]
fn a_title_does_not_end_within_a_phrase() {
    check_whole(&[
        ("find out which one it is", "Find out which one it is", "Find out"),
        ("find out what time they come", "Find out what time they come", "Find out what time"),
        ("see if they came", "See if they came", "See"),
        ("fill in the form as far as you can", "Fill in the form", "Fill in the form as far"),
        ("decide what we're going to order", "Decide what we're going to order", "Decide what we're going"),
        ("ask the shop to send the keys", "Ask the shop to send the keys", "Ask the shop"),
        ("I'll get Mr Ito to sign it", "Get Mr Ito to sign it", "Get Mr Ito"),
        ("tell Sam that the slot on the 16th is gone", "Tell Sam that the slot is gone", "Tell Sam that the slot"),
        (
            "I'll get Sam to file it, does he have the key",
            "Get Sam to file it",
            "Get Sam to file it, does he have the key",
        ),
        ("check with Sam what the ceiling is", "Check with Sam what the ceiling is", "Check with Sam what the ceiling"),
        ("ask him whether the 30th is free", "Ask him whether the 30th is free", "Ask him whether is free"),
        (
            "ask the vet for a copy dana can you ask the vet",
            "Ask the vet for a copy",
            "Ask the vet for a copy dana can",
        ),
        ("I'll raise that at our one to one", "Raise that at our one to one", "Raise that at our one"),
        ("I'll answer them once it's in", "Answer them", "Answer them once"),
        (
            "I'll double check with our inspector in the north, and drop the vendor a line",
            "Double check with our inspector in the north",
            "Double check with our inspector in the north, and drop the vendor",
        ),
        ("the beta can be switched on for them, please check", "Check", "The beta can be switched"),
    ]);
}

#[test]
fn a_title_keeps_the_words_that_its_verb_is_about() {
    check_whole(&[
        ("I'll take that", "Take that", "Take"),
        ("please put it in there", "Put it in there", "Put it"),
        ("I need to have a firm yes or no by Friday", "Have a firm yes or no", "Have a firm"),
        ("I'd like a full draft by Friday", "Give Dana a full draft", "I'd a full draft"),
        ("what you could do is to lock the gate", "Lock the gate", "To lock the gate"),
        ("I'll have him send that this week", "Have him send that", "Have him send"),
        (
            "do a summary for the client, at seven, one page",
            "Do a summary for the client, one page",
            "Do a summary for the client,, one page",
        ),
        ("please have a look if you like", "Have a look", "Have a look if"),
    ]);
}

#[test]
fn a_fragment_is_no_title() {
    for said in ["i will by next week though.", "Done, thanks."] {
        assert!(!offered(said).iter().any(|title| matches!(title.as_str(), "I" | "Do, thanks")), "{said}");
    }
    assert_eq!(offered("Black Friday"), ["Black Friday"], "there is no other");
    let lines = [("Dana Reyes", "can you order the keys?"), ("Sam Ortiz", "i will by next week though.")];
    assert_eq!(title(Some("Sam Ortiz"), &lines), "Order the keys");
}

#[test]
fn who_is_left_out_takes_the_word_that_joins_them_along() {
    let offered = offered_to("Dana Reyes", "I'll send an intro mail to you and Clementine");
    assert!(offered.contains(&"Send an intro mail to Clementine".to_owned()), "{offered:?}");
}

#[test]
fn german_prepositions_keep_whom_they_lead_to_and_who_is_ill_does_nothing() {
    let title = |text: &str| {
        let clauses = foreign::clause(&word::split(text, "de"), "de");
        clauses.map(|clause| written(&clause.words))
    };
    let calendar = title("Jemand müsste mal den Kalender bei uns eintragen");
    assert_eq!(calendar.as_deref(), Some("Den Kalender bei uns eintragen"));
    assert_eq!(title("weil der Schröder krank ist"), None);
}
