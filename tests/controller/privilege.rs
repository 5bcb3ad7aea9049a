//! Least privilege: the controller runs under a ServiceAccount with what the chart grants, and with that short of one
//! right after the other. Each right that is missing is missed, and there is none beside them; both where the controller
//! serves all namespaces, and where it serves a list.

use crate::world::{ControllerWorld, condition, until};
use futures::{StreamExt as _, stream};
use gleaner_model::{PlainToken, Scope};
use gleaner_store::{Credential, Origin};
use gleaner_testkit::{
    fixture::credential,
    kubernetes::{self, ControlPlane, bind_everywhere, bind_in, chart_rules, rule, service_account},
};
use k8s_openapi::api::{
    authorization::v1::{SelfSubjectRulesReview, SelfSubjectRulesReviewSpec},
    core::v1::{Pod, Secret},
    rbac::v1::PolicyRule,
};
use kube::{
    Api, Client,
    api::{DeleteParams, ListParams, PostParams},
};
use serde_json::json;
use std::{collections::BTreeSet, path::PathBuf};

/// What somebody sees when a right is missing.
#[derive(Clone, Copy)]
enum Breaks {
    /// No token is issued.
    Issuing,
    /// The Secret cannot be written, and the ApiToken says so.
    Delivery,
    /// An ApiToken made after the start is not seen.
    Watching,
    /// A rotation does not happen.
    Rotation,
    /// No event is written.
    Telling,
    /// A credential that names an ApiToken which is not there stays.
    Repair,
    /// The installation cannot be ended.
    Uninstallation,
    /// The leadership is lost.
    Leading,
    /// A Webhook is not taken up.
    Webhooks,
}

/// What the controller is granted: a verb, a resource, and what breaks without.
const NEEDS: [(&str, &str, Breaks); 17] = [
    ("get", "apitokens", Breaks::Repair),
    ("list", "apitokens", Breaks::Issuing),
    ("watch", "apitokens", Breaks::Watching),
    ("patch", "apitokens", Breaks::Issuing),
    ("patch", "apitokens/status", Breaks::Issuing),
    ("get", "secrets", Breaks::Rotation),
    ("create", "secrets", Breaks::Delivery),
    ("update", "secrets", Breaks::Rotation),
    ("delete", "secrets", Breaks::Uninstallation),
    ("create", "events", Breaks::Telling),
    ("get", "leases", Breaks::Issuing),
    ("create", "leases", Breaks::Issuing),
    ("update", "leases", Breaks::Leading),
    ("list", "webhooks", Breaks::Webhooks),
    ("watch", "webhooks", Breaks::Webhooks),
    ("patch", "webhooks", Breaks::Webhooks),
    ("patch", "webhooks/status", Breaks::Webhooks),
];

#[derive(Clone, Copy, PartialEq)]
enum Serves {
    AllNamespaces,
    AList,
}

/// What the chart grants for the Lease, in the controller's own namespace.
fn lease_rules() -> Vec<PolicyRule> {
    let named = PolicyRule {
        resource_names: Some(vec!["gleaner-controller".to_owned()]),
        ..rule("coordination.k8s.io", "leases", &["get", "update"])
    };
    vec![rule("coordination.k8s.io", "leases", &["create"]), named]
}

fn without(rules: Vec<PolicyRule>, verb: &str, resource: &str) -> Vec<PolicyRule> {
    let names = |rule: &PolicyRule| rule.resources.iter().flatten().any(|one| one == resource);
    let less = |mut rule: PolicyRule| {
        if names(&rule) {
            rule.verbs.retain(|one| one != verb);
        }
        rule
    };
    rules.into_iter().map(less).filter(|rule| !rule.verbs.is_empty()).collect()
}

/// One line for each verb on each resource.
fn spelled_out(rules: &[PolicyRule]) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for rule in rules {
        let names = rule.resource_names.clone().unwrap_or_default().join(",");
        for group in rule.api_groups.iter().flatten() {
            for resource in rule.resources.iter().flatten() {
                all.extend(rule.verbs.iter().map(|verb| format!("{verb} {resource} {group} {names}")));
            }
        }
    }
    all
}

/// A ServiceAccount of the name `controller` in the namespace, with rules as the chart binds them.
async fn account(
    plane: &ControlPlane,
    namespace: &str,
    serves: Serves,
    own: Vec<PolicyRule>,
    lease: Vec<PolicyRule>,
) -> PathBuf {
    let (admin, config) = (plane.admin().await, plane.account(namespace, "controller").await);
    let whom = || service_account(namespace, "controller");
    let granted = [own.clone(), lease.clone()].concat();
    bind_in(&admin, namespace, "lease", lease, whom()).await;
    match serves {
        Serves::AllNamespaces => bind_everywhere(&admin, namespace, own, whom()).await,
        Serves::AList => bind_in(&admin, namespace, "controller", own, whom()).await,
    }
    let client = kubernetes::client(&config).await;
    until("the rights to be known", || async {
        allowed(&client, namespace).await.is_superset(&spelled_out(&granted)).then_some(())
    })
    .await;
    config
}

/// What somebody may do in a namespace, as the API server says.
async fn allowed(client: &Client, namespace: &str) -> BTreeSet<String> {
    let asked = SelfSubjectRulesReview {
        spec: SelfSubjectRulesReviewSpec { namespace: Some(namespace.to_owned()) },
        ..SelfSubjectRulesReview::default()
    };
    let answer = Api::all(client.clone()).create(&PostParams::default(), &asked).await.unwrap();
    let rules = answer.status.unwrap().resource_rules.into_iter().map(|rule| PolicyRule {
        api_groups: rule.api_groups,
        resources: rule.resources,
        resource_names: rule.resource_names,
        verbs: rule.verbs,
        ..PolicyRule::default()
    });
    spelled_out(&rules.collect::<Vec<_>>())
}

#[test]
fn each_right_that_the_chart_grants_is_in_the_table() {
    let granted = [chart_rules(), lease_rules()].concat();
    let granted = spelled_out(&granted).into_iter().map(|line| {
        let mut words = line.split(' ').map(str::to_owned);
        (words.next().unwrap(), words.next().unwrap())
    });
    let tabled = NEEDS.map(|(verb, resource, _)| (verb.to_owned(), resource.to_owned()));
    assert_eq!(granted.collect::<BTreeSet<_>>(), tabled.into_iter().collect());
}

#[tokio::test]
async fn each_right_is_missed_where_a_list_of_namespaces_is_served() {
    let plane = kubernetes::shared().await;
    let cases = NEEDS.into_iter().map(|(verb, resource, breaks)| async move {
        assert_missed(plane, Serves::AList, verb, resource, breaks).await;
    });
    stream::iter(cases).buffer_unordered(3).collect::<Vec<()>>().await;
}

#[tokio::test]
async fn each_right_is_missed_where_all_namespaces_are_served() {
    let plane = kubernetes::alone().await;
    assert_enough(plane, Serves::AllNamespaces).await;
    for (verb, resource, breaks) in NEEDS {
        assert_missed(plane, Serves::AllNamespaces, verb, resource, breaks).await;
    }
}

#[tokio::test]
async fn the_rights_are_enough_where_a_list_of_namespaces_is_served() {
    assert_enough(kubernetes::shared().await, Serves::AList).await;
}

/// From the first token to the end of the installation, and nothing is refused.
async fn assert_enough(plane: &'static ControlPlane, serves: Serves) {
    let mut world = world(plane, serves).await;
    let config = account(plane, &world.namespace, serves, chart_rules(), lease_rules()).await;
    let own = [("KUBECONFIG", config.to_str().unwrap())];
    world.launch(&own);
    world.create("bot", json!({"scopes": ["tasks:read"]})).await;
    let (_, text) = world.until_issued("bot").await;
    world.rotate("bot", "1").await;
    world.until_answered(&text, 401).await;
    world.until_event("bot", "Rotated").await;
    world.create("other", json!({"scopes": ["tasks:read"]})).await;
    world.until_issued("other").await;
    world.delete("other").await;
    until("the ApiToken to go", || async { world.tokens().get_opt("other").await.unwrap().is_none().then_some(()) })
        .await;
    world.controller().stop();
    world.launch(&[own[0], ("GLEANER_CONTROLLER_UNINSTALL", "true")]);
    until_ended(&mut world).await;
    assert_eq!(world.secret("bot-token").await, None);
    assert!(!world.logs().contains("is forbidden"), "{}", world.logs());
}

async fn world(plane: &'static ControlPlane, serves: Serves) -> ControllerWorld {
    let mut world = ControllerWorld::on(plane).await;
    if serves == Serves::AllNamespaces {
        world.serve_all_namespaces();
    }
    world
}

async fn until_ended(world: &mut ControllerWorld) {
    until("the end of the process", || {
        let ended = world.controller().has_died();
        async move { ended.then_some(()) }
    })
    .await;
}

/// Without this one right, something breaks that somebody sees, and the log says which right it was.
async fn assert_missed(plane: &'static ControlPlane, serves: Serves, verb: &str, resource: &str, breaks: Breaks) {
    let mut world = world(plane, serves).await;
    let (own, lease) = (without(chart_rules(), verb, resource), without(lease_rules(), verb, resource));
    let config = account(plane, &world.namespace, serves, own, lease).await;
    let more = [("KUBECONFIG", config.to_str().unwrap()), ("GLEANER_RESYNC_S", "1")];
    world.launch(&more);
    let refusal = format!("cannot {verb} resource \\\"{resource}\\\"");
    broken(&mut world, &more, &refusal, breaks).await;
    world.controllers.iter_mut().for_each(crate::process::ControlProcess::kill);
    crate::webhook::release(&world).await;
    for token in world.tokens().list(&ListParams::default()).await.unwrap() {
        world.patch(token.metadata.name.as_deref().unwrap(), json!({"metadata": {"finalizers": null}})).await.unwrap();
    }
}

async fn broken(world: &mut ControllerWorld, settings: &[(&str, &str)], refusal: &str, breaks: Breaks) {
    let scopes = json!({"scopes": ["tasks:read"]});
    world.create("bot", scopes.clone()).await;
    match breaks {
        Breaks::Issuing => {
            until_refused(world, refusal, 0).await;
            assert_eq!(world.get("bot").await.status.and_then(|status| status.token_hash), None, "{refusal}");
        }
        Breaks::Webhooks => {
            crate::webhook::make(world, "tracker").await;
            until_refused(world, refusal, 0).await;
        }
        Breaks::Delivery => {
            let token = world.until_ready_says("bot", "SecretNotWritten").await;
            assert!(condition(&token, "Ready")["message"].as_str().unwrap().contains("cannot"), "{refusal}");
        }
        Breaks::Watching => {
            world.until_issued("bot").await;
            world.create("later", scopes).await;
            until_refused(world, refusal, refusals(world, refusal)).await;
            assert_eq!(world.get("later").await.status, None);
        }
        Breaks::Rotation => {
            let (_, text) = world.until_issued("bot").await;
            world.rotate("bot", "1").await;
            until("the refusal", || async { says(world, "bot", refusal).await.then_some(()) }).await;
            assert_eq!(world.secret("bot-token").await.unwrap().0, text, "{refusal}");
        }
        Breaks::Telling => {
            world.until_issued("bot").await;
            until_refused(world, refusal, 0).await;
            assert_eq!(world.events("bot").await, []);
        }
        Breaks::Repair => {
            world.until_issued("bot").await;
            let forged = PlainToken::mint().unwrap();
            let origin = Origin::Resource { uid: "u-1".to_owned(), name: "gone".to_owned(), resource_version: 1 };
            let forgery = Credential { origin, ..credential(&forged, &world.namespace, &[Scope::TasksRead]) };
            world.api.put(forgery).await;
            until_refused(world, refusal, 0).await;
            world.me(forged.expose()).await.expect(200);
        }
        Breaks::Uninstallation => {
            world.until_issued("bot").await;
            world.controller().stop();
            world.launch(&[settings, &[("GLEANER_CONTROLLER_UNINSTALL", "true")]].concat());
            until_ended(world).await;
            assert!(refusals(world, refusal) > 0, "{refusal}");
            assert!(world.secret("bot-token").await.is_some());
        }
        Breaks::Leading => {
            world.until_issued("bot").await;
            until_refused(world, refusal, 0).await;
            until("the loss of the leadership", || async {
                world.logs().contains("Not leading any more").then_some(())
            })
            .await;
        }
    }
}

fn refusals(world: &ControllerWorld, refusal: &str) -> usize {
    world.logs().matches(refusal).count()
}

async fn until_refused(world: &ControllerWorld, refusal: &str, before: usize) {
    until(refusal, || async { (refusals(world, refusal) > before).then_some(()) }).await;
}

/// Whether the log or the ApiToken tells of a refusal.
async fn says(world: &ControllerWorld, name: &str, refusal: &str) -> bool {
    let token = world.get(name).await;
    let message = condition(&token, "Ready")["message"].as_str().unwrap_or_default().replace('"', "\\\"");
    message.contains(refusal) || refusals(world, refusal) > 0
}

#[tokio::test]
async fn the_account_may_do_what_is_documented_and_nothing_else() {
    let plane = kubernetes::shared().await;
    for serves in [Serves::AList, Serves::AllNamespaces] {
        let (home, other) = (plane.namespace().await, plane.namespace().await);
        let client = kubernetes::client(&account(plane, &home, serves, chart_rules(), lease_rules()).await).await;
        let nobody = kubernetes::client(&plane.account(&home, "nobody").await).await;
        let (own, all) = (spelled_out(&chart_rules()), spelled_out(&[chart_rules(), lease_rules()].concat()));
        let anybody = allowed(&nobody, &home).await;
        assert_eq!(&allowed(&client, &home).await - &anybody, all);
        let elsewhere = if serves == Serves::AList { BTreeSet::new() } else { own };
        assert_eq!(&allowed(&client, &other).await - &anybody, elsewhere);
        assert_refused(&client, &home, &other, serves).await;
    }
}

/// What would be worth stealing, asked for.
async fn assert_refused(client: &Client, home: &str, other: &str, serves: Serves) {
    let list = ListParams::default();
    let secrets = |namespace: &str| Api::<Secret>::namespaced(client.clone(), namespace);
    let tokens = Api::<gleaner_crds::ApiToken>::namespaced(client.clone(), home);
    refused(secrets(home).list(&list).await);
    refused(Api::<Secret>::all(client.clone()).list(&list).await);
    if serves == Serves::AList {
        refused(secrets(other).get("any").await);
        refused(Api::<gleaner_crds::ApiToken>::all(client.clone()).list(&list).await);
    }
    refused(Api::<Pod>::namespaced(client.clone(), home).list(&list).await);
    refused(tokens.create(&PostParams::default(), &gleaner_crds::ApiToken::new("mine", Default::default())).await);
    refused(tokens.delete("any", &DeleteParams::default()).await);
}

fn refused<T: std::fmt::Debug>(answer: Result<T, kube::Error>) {
    assert!(matches!(&answer, Err(kube::Error::Api(status)) if status.code == 403), "{answer:?}");
}
