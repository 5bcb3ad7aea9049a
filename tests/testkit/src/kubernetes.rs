//! A Kubernetes control plane for the whole test binary, and a namespace for each test.

use k8s_openapi::{
    api::{
        authentication::v1::TokenRequest,
        core::v1::{Namespace, ServiceAccount},
        rbac::v1::{ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject},
    },
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, Config, CustomResourceExt as _,
    api::{ObjectMeta, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
    runtime::{conditions, wait::await_condition},
};
use serde_json::json;
use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};
use tokio::sync::OnceCell;

/// Who the controller is to the API server: a user who may do what the controller's documentation lists, and no more.
pub const CONTROLLER: &str = "gleaner-controller";

const RBAC: &str = "rbac.authorization.k8s.io";

/// Who the API is to the API server: a user who may do what issuing tokens takes.
pub const API: &str = "gleaner-api";

/// A running control plane. It ends when its standard input closes, which the end of this process does.
pub struct ControlPlane {
    folder: PathBuf,
    _script: Child,
}

static SHARED: OnceCell<ControlPlane> = OnceCell::const_new();
static ALONE: OnceCell<ControlPlane> = OnceCell::const_new();
static NAMESPACES: AtomicU32 = AtomicU32::new(0);

/// The control plane that tests share, each in its own namespace. The first to ask starts it.
pub async fn shared() -> &'static ControlPlane {
    SHARED.get_or_init(start).await
}

/// Another one, for a controller that serves all namespaces.
pub async fn alone() -> &'static ControlPlane {
    ALONE.get_or_init(start).await
}

async fn start() -> ControlPlane {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../cluster/control-plane.sh");
    let mut child = Command::new(script)
        .args([CONTROLLER, API])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{script} cannot run: {error}"));
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let folder = line.trim().strip_prefix("ready ").map(PathBuf::from);
    let folder = folder.expect("no Kubernetes for the tests: what is missing stands above");
    let plane = ControlPlane { folder, _script: child };
    let admin = plane.admin().await;
    install_crd(&admin).await;
    let everything =
        [chart_rules(), vec![rule("coordination.k8s.io", "leases", &["get", "create", "update"])]].concat();
    bind_everywhere(&admin, CONTROLLER, everything, user(CONTROLLER)).await;
    bind_everywhere(&admin, API, vec![rule("gleaner.dev", "apitokens", &["create", "delete"])], user(API)).await;
    plane
}

impl ControlPlane {
    /// A client that may do everything.
    pub async fn admin(&self) -> Client {
        client(&self.kubeconfig("admin")).await
    }

    /// The kubeconfig of a user.
    pub fn kubeconfig(&self, user: &str) -> PathBuf {
        self.folder.join(format!("{user}.kubeconfig"))
    }

    /// What the API server wrote down of the requests so far, one in a line.
    pub fn audit(&self) -> String {
        String::from_utf8_lossy(&std::fs::read(self.folder.join("audit.log")).unwrap()).into_owned()
    }

    /// A new namespace.
    pub async fn namespace(&self) -> String {
        let name = format!("team-{}", NAMESPACES.fetch_add(1, Ordering::Relaxed));
        let metadata = ObjectMeta { name: Some(name.clone()), ..ObjectMeta::default() };
        let namespace = Namespace { metadata, ..Namespace::default() };
        Api::all(self.admin().await).create(&PostParams::default(), &namespace).await.unwrap();
        name
    }

    /// A new ServiceAccount that may do nothing yet; the kubeconfig of a pod that runs under it.
    pub async fn account(&self, namespace: &str, name: &str) -> PathBuf {
        let api = Api::<ServiceAccount>::namespaced(self.admin().await, namespace);
        let metadata = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
        let made = ServiceAccount { metadata, ..ServiceAccount::default() };
        api.create(&PostParams::default(), &made).await.unwrap();
        let asked = api.create_token_request(name, &PostParams::default(), &TokenRequest::default()).await.unwrap();
        let admin = Kubeconfig::read_from(self.kubeconfig("admin")).unwrap();
        let mut config = serde_json::to_value(admin).unwrap();
        config["users"][0]["user"] = json!({"token": asked.status.unwrap().token});
        let path = self.kubeconfig(&format!("{namespace}-{name}"));
        std::fs::write(&path, config.to_string()).unwrap();
        path
    }
}

/// A client for whom a kubeconfig names.
pub async fn client(kubeconfig: &Path) -> Client {
    gleaner_crds::choose_cryptography();
    let file = Kubeconfig::read_from(kubeconfig).unwrap();
    let config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await.unwrap();
    Client::try_from(config).unwrap()
}

async fn install_crd(admin: &Client) {
    let api = Api::<CustomResourceDefinition>::all(admin.clone());
    for crd in [gleaner_crds::ApiToken::crd(), gleaner_crds::Webhook::crd()] {
        api.create(&PostParams::default(), &crd).await.unwrap();
    }
    for name in ["apitokens.gleaner.dev", "webhooks.gleaner.dev"] {
        await_condition(api.clone(), name, conditions::is_crd_established()).await.unwrap();
    }
}

/// What the chart lets the controller do, in the whole cluster or in each namespace that it serves.
pub fn chart_rules() -> Vec<PolicyRule> {
    serde_yaml_ng::from_str(include_str!("../../../charts/gleaner/files/controller-rules.yaml")).unwrap()
}

/// A rule for one kind of resource.
pub fn rule(group: &str, resource: &str, verbs: &[&str]) -> PolicyRule {
    PolicyRule {
        api_groups: Some(vec![group.to_owned()]),
        resources: Some(vec![resource.to_owned()]),
        verbs: verbs.iter().map(ToString::to_string).collect(),
        ..PolicyRule::default()
    }
}

/// Whom a certificate names.
fn user(name: &str) -> Subject {
    Subject { api_group: Some(RBAC.to_owned()), kind: "User".to_owned(), name: name.to_owned(), namespace: None }
}

/// A ServiceAccount.
pub fn service_account(namespace: &str, name: &str) -> Subject {
    let namespace = Some(namespace.to_owned());
    Subject { api_group: None, kind: "ServiceAccount".to_owned(), name: name.to_owned(), namespace }
}

/// Lets somebody do something in all namespaces.
pub async fn bind_everywhere(admin: &Client, name: &str, rules: Vec<PolicyRule>, whom: Subject) {
    let metadata = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    let role = ClusterRole { metadata: metadata.clone(), rules: Some(rules), aggregation_rule: None };
    Api::all(admin.clone()).create(&PostParams::default(), &role).await.unwrap();
    let role_ref = RoleRef { api_group: Some(RBAC.to_owned()), kind: "ClusterRole".to_owned(), name: name.to_owned() };
    let binding = ClusterRoleBinding { metadata, role_ref, subjects: Some(vec![whom]) };
    Api::all(admin.clone()).create(&PostParams::default(), &binding).await.unwrap();
}

/// Lets somebody do something in one namespace.
pub async fn bind_in(admin: &Client, namespace: &str, name: &str, rules: Vec<PolicyRule>, whom: Subject) {
    let metadata = ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    let role = Role { metadata: metadata.clone(), rules: Some(rules) };
    Api::namespaced(admin.clone(), namespace).create(&PostParams::default(), &role).await.unwrap();
    let role_ref = RoleRef { api_group: Some(RBAC.to_owned()), kind: "Role".to_owned(), name: name.to_owned() };
    let binding = RoleBinding { metadata, role_ref, subjects: Some(vec![whom]) };
    Api::namespaced(admin.clone(), namespace).create(&PostParams::default(), &binding).await.unwrap();
}
