//! A Kubernetes control plane for the whole test binary, and a namespace for each test.

use k8s_openapi::{
    api::{
        core::v1::Namespace,
        rbac::v1::{ClusterRole, ClusterRoleBinding, PolicyRule, RoleRef, Subject},
    },
    apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition,
};
use kube::{
    Api, Client, Config, CustomResourceExt as _,
    api::{ObjectMeta, PostParams},
    config::{KubeConfigOptions, Kubeconfig},
    runtime::{conditions, wait::await_condition},
};
use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};
use tokio::sync::OnceCell;

/// Who the controller is to the API server: a user who may do what the controller's documentation lists, and no more.
pub const CONTROLLER: &str = "gleaner-controller";

/// Who the API is to the API server: a user who may do what issuing tokens takes.
pub const API: &str = "gleaner-api";

/// A running control plane. It ends when its standard input closes, which the end of this process does.
struct ControlPlane {
    folder: PathBuf,
    _script: Child,
}

static CONTROL_PLANE: OnceCell<ControlPlane> = OnceCell::const_new();
static NAMESPACES: AtomicU32 = AtomicU32::new(0);

/// The folder of the control plane, which is started by the first to ask.
pub async fn folder() -> &'static Path {
    &CONTROL_PLANE.get_or_init(start).await.folder
}

/// A client that may do everything.
pub async fn admin() -> Client {
    client(folder().await, "admin").await
}

/// The kubeconfig of a user.
pub async fn kubeconfig(user: &str) -> PathBuf {
    folder().await.join(format!("{user}.kubeconfig"))
}

async fn client(folder: &Path, user: &str) -> Client {
    gleaner_crds::choose_cryptography();
    let file = Kubeconfig::read_from(folder.join(format!("{user}.kubeconfig"))).unwrap();
    let config = Config::from_custom_kubeconfig(file, &KubeConfigOptions::default()).await.unwrap();
    Client::try_from(config).unwrap()
}

async fn start() -> ControlPlane {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cluster/control-plane.sh");
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
    let admin = client(&folder, "admin").await;
    install_crd(&admin).await;
    bind_role(&admin, CONTROLLER, controller_rules()).await;
    bind_role(&admin, API, vec![rule("gleaner.dev", "apitokens", &["create", "delete"])]).await;
    ControlPlane { folder, _script: child }
}

async fn install_crd(admin: &Client) {
    let api = Api::<CustomResourceDefinition>::all(admin.clone());
    let crd = gleaner_crds::ApiToken::crd();
    api.create(&PostParams::default(), &crd).await.unwrap();
    await_condition(api, "apitokens.gleaner.dev", conditions::is_crd_established()).await.unwrap();
}

/// What the controller's documentation lists. The Lease is cluster-wide here because each test has one of its own.
fn controller_rules() -> Vec<PolicyRule> {
    vec![
        rule("gleaner.dev", "apitokens", &["get", "list", "watch", "patch"]),
        rule("gleaner.dev", "apitokens/status", &["patch"]),
        rule("gleaner.dev", "apitokens/finalizers", &["update"]),
        rule("", "secrets", &["get", "create", "update", "delete"]),
        rule("events.k8s.io", "events", &["create", "patch"]),
        rule("coordination.k8s.io", "leases", &["get", "create", "update"]),
    ]
}

fn rule(group: &str, resource: &str, verbs: &[&str]) -> PolicyRule {
    PolicyRule {
        api_groups: Some(vec![group.to_owned()]),
        resources: Some(vec![resource.to_owned()]),
        verbs: verbs.iter().map(ToString::to_string).collect(),
        ..PolicyRule::default()
    }
}

async fn bind_role(admin: &Client, user: &str, rules: Vec<PolicyRule>) {
    let metadata = ObjectMeta { name: Some(user.to_owned()), ..ObjectMeta::default() };
    let role = ClusterRole { metadata: metadata.clone(), rules: Some(rules), aggregation_rule: None };
    Api::all(admin.clone()).create(&PostParams::default(), &role).await.unwrap();
    let group = "rbac.authorization.k8s.io".to_owned();
    let binding = ClusterRoleBinding {
        metadata,
        role_ref: RoleRef { api_group: Some(group.clone()), kind: "ClusterRole".to_owned(), name: user.to_owned() },
        subjects: Some(vec![Subject {
            api_group: Some(group),
            kind: "User".to_owned(),
            name: user.to_owned(),
            namespace: None,
        }]),
    };
    Api::all(admin.clone()).create(&PostParams::default(), &binding).await.unwrap();
}

/// A new namespace.
pub async fn namespace(admin: &Client) -> String {
    let name = format!("team-{}", NAMESPACES.fetch_add(1, Ordering::Relaxed));
    let metadata = ObjectMeta { name: Some(name.clone()), ..ObjectMeta::default() };
    let namespace = Namespace { metadata, ..Namespace::default() };
    Api::all(admin.clone()).create(&PostParams::default(), &namespace).await.unwrap();
    name
}
