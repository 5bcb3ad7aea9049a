//! The plan, as a table of situations.

use super::*;
use gleaner_crds::{ApiTokenSpec, RotationSpec};
use gleaner_model::PlainToken;
use std::collections::BTreeMap;

fn at(text: &str) -> DateTime<Utc> {
    format!("2027-01-{text}Z").parse().unwrap()
}

fn spec() -> ApiTokenSpec {
    ApiTokenSpec { scopes: vec!["tasks:read".to_owned()], ..ApiTokenSpec::default() }
}

fn rotating(every: &str, overlap: &str) -> ApiTokenSpec {
    let rotation = RotationSpec { every: Some(every.to_owned()), overlap: Some(overlap.to_owned()) };
    ApiTokenSpec { rotation: Some(rotation), ..spec() }
}

fn token(spec: ApiTokenSpec) -> (ApiToken, DesiredToken) {
    let wanted = DesiredToken::read(&spec).unwrap();
    (ApiToken::new("bot", spec), wanted)
}

fn issued(spec: ApiTokenSpec, when: DateTime<Utc>) -> (ApiToken, DesiredToken, PlainToken) {
    let (mut resource, wanted) = token(spec);
    let minted = PlainToken::mint().unwrap();
    resource.status = Some(record(&resource, &wanted, Issued::minted(&minted, "bot-token".to_owned()), when));
    (resource, wanted, minted)
}

fn ask(resource: &mut ApiToken, value: &str) {
    let annotation = BTreeMap::from([(ROTATE_ANNOTATION.to_owned(), value.to_owned())]);
    resource.metadata.annotations = Some(annotation);
}

fn registered(resource: &ApiToken, wanted: &DesiredToken, now: DateTime<Utc>) -> Registration {
    let tenant = TenantId::new("team-a").unwrap();
    let status = resource.status.clone().unwrap();
    CredentialSpec { tenant: &tenant, token: resource, wanted, status: &status, origin: Origin::Store }
        .registration(now)
}

#[test]
fn a_new_resource_gets_a_token_and_then_no_other() {
    let (resource, wanted) = token(spec());
    assert_eq!(required_issue(&resource, &wanted, at("01T00:00:00")), Some(Issue::Mint(Cause::First)));
    let (resource, wanted, _) = issued(spec(), at("01T00:00:00"));
    assert_eq!(required_issue(&resource, &wanted, at("31T00:00:00")), None);
}

#[test]
fn an_annotation_asks_once_for_each_value() {
    let (mut resource, wanted, _) = issued(spec(), at("01T00:00:00"));
    ask(&mut resource, "1");
    assert_eq!(required_issue(&resource, &wanted, at("02T00:00:00")), Some(Issue::Mint(Cause::Asked("1".to_owned()))));
    let next = Issued::minted(&PlainToken::mint().unwrap(), "bot-token".to_owned());
    resource.status = Some(record(&resource, &wanted, next, at("02T00:00:00")));
    assert_eq!(required_issue(&resource, &wanted, at("03T00:00:00")), None);
}

#[test]
fn an_annotation_that_was_there_from_the_start_asks_for_nothing_more() {
    let (mut resource, wanted) = token(spec());
    ask(&mut resource, "1");
    let first = Issued::minted(&PlainToken::mint().unwrap(), "bot-token".to_owned());
    resource.status = Some(record(&resource, &wanted, first, at("01T00:00:00")));
    assert_eq!(required_issue(&resource, &wanted, at("01T00:00:01")), None);
}

#[test]
fn a_schedule_replaces_the_token_when_it_is_due() {
    let (resource, wanted, _) = issued(rotating("24h", "1h"), at("01T00:00:00"));
    assert_eq!(required_issue(&resource, &wanted, at("01T23:59:59")), None);
    let due = Some(Issue::Mint(Cause::Due(at("01T00:00:00"))));
    assert_eq!(required_issue(&resource, &wanted, at("02T00:00:00")), due);
    let status = resource.status.as_ref().unwrap();
    assert_eq!(next_deadline(status, &wanted, at("01T12:00:00")), Some(at("02T00:00:00")));
}

#[test]
fn a_schedule_does_not_outlive_a_fixed_end() {
    let end = ApiTokenSpec { expires_at: Some("2027-01-01T12:00:00Z".to_owned()), ..rotating("24h", "1h") };
    let (resource, wanted, _) = issued(end, at("01T00:00:00"));
    assert_eq!(required_issue(&resource, &wanted, at("03T00:00:00")), None);
}

#[test]
fn the_old_token_lives_through_the_overlap_and_no_longer() {
    let (mut resource, wanted, old) = issued(rotating("24h", "1h"), at("01T00:00:00"));
    let new = PlainToken::mint().unwrap();
    let next = Issued::minted(&new, "bot-token".to_owned());
    resource.status = Some(record(&resource, &wanted, next, at("02T00:00:00")));
    let during = registered(&resource, &wanted, at("02T00:59:59"));
    assert_eq!(during.keep.iter().map(|one| one.hash).collect::<Vec<_>>(), [new.hash(), old.hash()]);
    assert_eq!(during.keep[1].expires_at, Some(at("02T01:00:00")));
    let after = registered(&resource, &wanted, at("02T01:00:00"));
    assert_eq!((after.keep.len(), after.remove), (1, vec![old.hash()]));
}

#[test]
fn without_an_overlap_the_old_token_is_removed_and_not_forgotten_before() {
    let (mut resource, wanted, old) = issued(spec(), at("01T00:00:00"));
    let next = Issued::minted(&PlainToken::mint().unwrap(), "bot-token".to_owned());
    resource.status = Some(record(&resource, &wanted, next, at("02T00:00:00")));
    assert_eq!(registered(&resource, &wanted, at("02T00:00:00")).remove, [old.hash()]);
}

#[test]
fn an_expired_token_leaves_the_store_and_comes_back_when_its_end_moves() {
    let (resource, _, minted) = issued(spec(), at("01T00:00:00"));
    let ends = |ttl: &str| DesiredToken::read(&ApiTokenSpec { ttl: Some(ttl.to_owned()), ..spec() }).unwrap();
    assert_eq!(registered(&resource, &ends("1h"), at("01T01:00:00")).remove, [minted.hash()]);
    assert_eq!(registered(&resource, &ends("2h"), at("01T01:00:00")).keep[0].expires_at, Some(at("01T02:00:00")));
}

#[test]
fn an_imported_hash_replaces_the_one_before_it_at_once() {
    let import = |text: &str| ApiTokenSpec { token_hash: Some(TokenHash::of(text).to_string()), ..spec() };
    let (mut resource, wanted) = token(import("one"));
    assert_eq!(required_issue(&resource, &wanted, at("01T00:00:00")), Some(Issue::Import(TokenHash::of("one"))));
    let first = Issued::imported(&resource, TokenHash::of("one")).unwrap();
    assert_eq!(first.id.as_str(), &TokenHash::of("one").hex()[..12]);
    resource.status = Some(record(&resource, &wanted, first, at("01T00:00:00")));
    let wanted = DesiredToken::read(&import("two")).unwrap();
    let second = Issued::imported(&resource, TokenHash::of("two")).unwrap();
    resource.status = Some(record(&resource, &wanted, second, at("02T00:00:00")));
    assert_eq!(registered(&resource, &wanted, at("02T00:00:00")).remove, [TokenHash::of("one")]);
}

#[test]
fn a_token_in_our_secret_is_taken_only_for_the_cause_it_was_minted_for() {
    let written = |mark: &str| SecretState::Ours {
        token: PlainToken::mint().ok(),
        mark: Some(mark.to_owned()),
        version: Some("1".to_owned()),
    };
    let asked = Cause::Asked("7".to_owned());
    assert!(matches!(secret_action(&Cause::First, &SecretState::Absent), SecretAction::Create));
    assert!(matches!(secret_action(&Cause::First, &SecretState::Foreign), SecretAction::Conflict));
    assert!(matches!(secret_action(&Cause::First, &written("asked 7")), SecretAction::Adopt(_)));
    assert!(matches!(secret_action(&asked, &written("asked 7")), SecretAction::Adopt(_)));
    assert!(matches!(secret_action(&asked, &written("first")), SecretAction::Replace));
    assert!(matches!(secret_action(&asked, &SecretState::Absent), SecretAction::Create));
}
