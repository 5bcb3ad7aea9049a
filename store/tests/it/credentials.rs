use crate::world::*;
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::{PlainToken, Scope, Subject, TokenHash};
use gleaner_store::{Credential, Notice, Origin, WriteOutcome};
use std::time::Duration;

fn credential(to: &str) -> Credential {
    let token = PlainToken::mint().unwrap();
    Credential {
        hash: token.hash(),
        token_id: token.id(),
        tenant: tenant(to),
        name: Some("bot".to_owned()),
        subject: Subject::named("Dana Reyes"),
        scopes: [Scope::TasksRead].into_iter().collect(),
        created_at: DateTime::from_timestamp_millis(Utc::now().timestamp_millis()).unwrap(),
        expires_at: None,
        suspended: false,
        last_used_at: None,
        made_by: None,
        origin: Origin::Store,
    }
}

fn resource(resource_version: i64) -> Origin {
    Origin::Resource { uid: "u-1".to_owned(), name: "ci-bot".to_owned(), resource_version }
}

#[tokio::test]
async fn a_credential_is_found_by_its_hash_alone() {
    let store = store().await;
    let mine = credential("a");
    assert_eq!(store.put_credential(&mine).await.unwrap(), WriteOutcome::Written);
    assert_eq!(store.put_credential(&mine).await.unwrap(), WriteOutcome::Unchanged);
    assert_eq!(store.find_credential(&mine.hash).await.unwrap(), Some(mine.clone()));
    assert_eq!(store.find_credential(&TokenHash::of("other")).await.unwrap(), None);
    assert_eq!(store.list_credentials(&tenant("a")).await.unwrap(), [mine]);
    assert!(store.list_credentials(&tenant("b")).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_removed_credential_is_gone_from_every_list() {
    let (store, keys) = store_with_keys().await;
    let (one, two) = (credential("a"), credential("a"));
    for credential in [&one, &two] {
        store.put_credential(credential).await.unwrap();
    }
    assert!(store.remove_credential(&one.hash).await.unwrap());
    assert!(!store.remove_credential(&one.hash).await.unwrap());
    assert!(!store.remove_token(&tenant("b"), &two.token_id).await.unwrap(), "another tenant's token");
    assert!(store.remove_token(&tenant("a"), &two.token_id).await.unwrap());
    assert_eq!(store.find_credential(&two.hash).await.unwrap(), None);
    assert!(!keys().iter().any(|key| key.contains("{cred}")), "{:?}", keys());
}

#[tokio::test]
async fn an_older_version_of_a_resource_undoes_nothing() {
    let store = store().await;
    let mut one = credential("a");
    one.origin = resource(2);
    assert_eq!(store.put_credential(&one).await.unwrap(), WriteOutcome::Written);
    let mut older = one.clone();
    older.origin = resource(1);
    older.suspended = true;
    assert_eq!(store.put_credential(&older).await.unwrap(), WriteOutcome::Stale);
    assert_eq!(store.find_credential(&one.hash).await.unwrap(), Some(one.clone()));
    store.remove_credential(&one.hash).await.unwrap();
    assert_eq!(store.put_credential(&older).await.unwrap(), WriteOutcome::Stale, "nor what a newer one removed");
    let mut newer = one.clone();
    newer.origin = resource(3);
    assert_eq!(store.put_credential(&newer).await.unwrap(), WriteOutcome::Written);
}

#[tokio::test]
async fn rotation_holds_two_credentials_of_one_resource() {
    let store = store().await;
    let (mut old, mut new) = (credential("a"), credential("a"));
    old.origin = resource(1);
    new.origin = resource(1);
    for credential in [&old, &new] {
        assert_eq!(store.put_credential(credential).await.unwrap(), WriteOutcome::Written);
    }
    assert_eq!(store.list_credentials(&tenant("a")).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_token_id_belongs_to_one_token() {
    let store = store().await;
    let one = credential("a");
    store.put_credential(&one).await.unwrap();
    let mut other = credential("a");
    other.token_id = one.token_id.clone();
    let taken = store.put_credential(&other).await;
    assert!(matches!(taken, Ok(WriteOutcome::Taken)), "{taken:?}");
    store.remove_credential(&one.hash).await.unwrap();
    assert_eq!(store.put_credential(&other).await.unwrap(), WriteOutcome::Written);
}

#[tokio::test]
async fn use_is_written_down_once_an_hour_and_survives_a_write() {
    let store = store().await;
    let mut mine = credential("a");
    store.touch_credential(&mine.hash).await.unwrap();
    assert_eq!(store.find_credential(&mine.hash).await.unwrap(), None, "a use makes no credential");
    store.put_credential(&mine).await.unwrap();
    store.touch_credential(&mine.hash).await.unwrap();
    let first = store.find_credential(&mine.hash).await.unwrap().unwrap().last_used_at.unwrap();
    tokio::time::sleep(Duration::from_millis(5)).await;
    store.touch_credential(&mine.hash).await.unwrap();
    mine.suspended = true;
    store.put_credential(&mine).await.unwrap();
    let found = store.find_credential(&mine.hash).await.unwrap().unwrap();
    assert_eq!((found.last_used_at, found.suspended), (Some(first), true));
}

#[tokio::test]
async fn an_expired_credential_can_be_seen_for_a_week_and_then_leaves_the_lists() {
    let store = store().await;
    let (mut fresh, mut old) = (credential("a"), credential("a"));
    fresh.expires_at = Some(fresh.created_at - TimeDelta::hours(1));
    old.expires_at = Some(old.created_at - TimeDelta::days(8));
    for credential in [&fresh, &old] {
        store.put_credential(credential).await.unwrap();
    }
    assert_eq!(store.list_credentials(&tenant("a")).await.unwrap(), [fresh]);
}

#[tokio::test]
async fn all_credentials_come_in_pages() {
    let store = store().await;
    let mut hashes = Vec::new();
    for tenant in ["a", "b", "a", "c", "a"] {
        let credential = credential(tenant);
        store.put_credential(&credential).await.unwrap();
        hashes.push(credential.hash);
    }
    hashes.sort();
    let (mut seen, mut next) = (Vec::new(), None);
    loop {
        let (page, after) = store.all_credentials(next.as_ref(), 2).await.unwrap();
        seen.extend(page.iter().map(|credential| credential.hash));
        next = after;
        if next.is_none() {
            break;
        }
    }
    assert_eq!(seen, hashes);
}

#[tokio::test]
async fn what_a_token_made_is_refused_while_it_is_suspended_and_what_that_made_in_turn() {
    let store = store().await;
    let (mut maker, mut child, mut feed) = (credential("a"), credential("a"), credential("a"));
    maker.origin = resource(1);
    child.made_by = Some(maker.maker().to_owned());
    feed.made_by = Some(child.maker().to_owned());
    let refused = || async {
        let mut refused = Vec::new();
        for one in [&maker, &child, &feed] {
            refused.push(store.find_credential(&one.hash).await.unwrap().unwrap().suspended);
        }
        refused
    };
    for one in [&maker, &child, &feed] {
        store.put_credential(one).await.unwrap();
    }
    let suspend = async |one: &Credential, suspended| {
        store.put_credential(&Credential { suspended, ..one.clone() }).await.unwrap();
    };
    suspend(&maker, true).await;
    assert_eq!(refused().await, [true, true, true]);
    suspend(&child, true).await;
    suspend(&maker, false).await;
    assert_eq!(refused().await, [false, true, true], "the child is suspended itself");
    suspend(&child, false).await;
    assert_eq!(refused().await, [false, false, false]);

    suspend(&maker, true).await;
    for one in [&feed, &child] {
        store.remove_credential(&one.hash).await.unwrap();
    }
    for one in [&feed, &child] {
        store.put_credential(one).await.unwrap();
    }
    assert_eq!(refused().await, [true, true, true], "whichever is written first");
}

#[tokio::test]
async fn what_a_token_made_that_a_release_before_suspended_is_refused_once_it_is_looked_at() {
    let (store, keys) = store_with_keys().await;
    let (maker, mut feed) = (Credential { suspended: true, ..credential("a") }, credential("a"));
    feed.made_by = Some(maker.maker().to_owned());
    store.put_credential(&maker).await.unwrap();
    store.put_credential(&feed).await.unwrap();
    // As that release leaves it.
    let all = keys();
    cli(&["DEL", all.iter().find(|key| key.contains(":suspended:")).unwrap()]);
    let record = all.iter().find(|key| key.ends_with(&format!("record:{}", feed.hash.hex()))).unwrap();
    cli(&["HDEL", record, "held"]);
    assert!(!store.find_credential(&feed.hash).await.unwrap().unwrap().suspended);
    assert_eq!(store.put_credential(&maker).await.unwrap(), WriteOutcome::Unchanged);
    assert!(store.find_credential(&feed.hash).await.unwrap().unwrap().suspended);
}

#[tokio::test]
async fn resources_that_made_each_other_are_resumed_and_removed_all_the_same() {
    let store = store().await;
    let [one, other] = [("u-1", "u-2"), ("u-2", "u-1")].map(|(uid, maker)| {
        let origin = Origin::Resource { uid: uid.to_owned(), name: uid.to_owned(), resource_version: 1 };
        Credential { origin, made_by: Some(maker.to_owned()), ..credential("a") }
    });
    let suspended = async |of: &Credential| store.find_credential(&of.hash).await.unwrap().unwrap().suspended;
    store.put_credential(&other).await.unwrap();
    for wanted in [false, true, false] {
        let changed = Credential { suspended: wanted, ..one.clone() };
        assert_eq!(store.put_credential(&changed).await.unwrap(), WriteOutcome::Written);
        assert_eq!([suspended(&one).await, suspended(&other).await], [wanted, wanted]);
    }
    assert_eq!(store.remove_made_by(&tenant("a"), "u-1").await.unwrap().len(), 2);
}

#[tokio::test]
async fn every_process_hears_of_a_change() {
    let store = store().await;
    let mut notices = store.notices();
    let mine = credential("a");
    let changing = async {
        let mut mine = mine.clone();
        loop {
            mine.suspended = !mine.suspended;
            store.put_credential(&mine).await.unwrap();
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::select! {
        heard = notices.recv() => assert_eq!(heard.unwrap(), Notice::Credential(mine.hash)),
        () = changing => {}
        () = tokio::time::sleep(Duration::from_secs(60)) => panic!("nothing was heard"),
    }
}
