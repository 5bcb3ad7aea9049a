//! Threads of mails, and chats: a day counts from when its message was sent, not from when the thread was submitted.

use crate::tasks_of;

#[test]
fn tomorrow_in_a_quoted_mail_is_the_day_after_that_mail() {
    let thread = "From: Ida Holm <ida@h.example>\nTo: Dana Reyes <dana@d.example>\nDate: Tue, 3 Mar 2026 14:00:00 +0000\n\
        Subject: Re: lease\n\nHi Dana,\n\ngood, thank you.\n\nIda\n\nOn Mon, 23 Feb 2026 at 09:00, Dana Reyes <dana@d.example> wrote:\n\
        > Hi Ida,\n>\n> I'll send you the signed lease tomorrow.\n>\n> Dana\n";
    let tasks = tasks_of("email", thread).tasks;
    let days: Vec<_> = tasks.iter().filter_map(|task| task.due.as_ref()).map(|due| due.date.to_string()).collect();
    assert_eq!(days, ["2026-02-24"]);
}

#[test]
fn tomorrow_in_a_chat_counts_from_the_day_of_its_message() {
    let chat = "[26.02.26, 18:02:11] Bruno: who calls the plumber?\n\
                [27.02.26, 18:03:40] Dana: I'll call the plumber tomorrow morning\n\
                [27.02.26, 18:04:02] Bruno: thanks!\n";
    let tasks = tasks_of("chat", chat).tasks;
    let due: Vec<_> = tasks.iter().filter_map(|task| task.due.as_ref()).map(|due| due.date.to_string()).collect();
    assert_eq!(due, ["2026-02-28"]);
}
