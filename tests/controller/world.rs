//! All that one test needs: a namespace, a store, an API, a controller, and the verbs that a tenant has.

use crate::process::{ControlProcess, ProcessRole};
use gleaner_crds::ApiToken;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    api,
    http::HttpRequest,
    kubernetes::{self, ControlPlane},
};
use k8s_openapi::{api::core::v1::Secret, api::events::v1::Event};
use kube::{
    Api, Client,
    api::{DeleteParams, ListParams, Patch, PatchParams, PostParams},
};
use serde_json::{Value, json};
use std::{net::SocketAddr, path::PathBuf};
use tempfile::TempDir;

pub use gleaner_testkit::wait::until;

/// All that one test needs. `Drop` ends it, and fails the test if a token stands in anything that a process wrote.
pub struct ControllerWorld {
    pub plane: &'static ControlPlane,
    pub client: Client,
    pub namespace: String,
    pub api: api::Api,
    pub controllers: Vec<ControlProcess>,
    folder: TempDir,
    launcher: Launcher,
}

/// Starts controllers for one world.
#[derive(Clone)]
pub struct Launcher {
    folder: PathBuf,
    settings: Vec<(String, String)>,
}

impl Launcher {
    /// Starts a controller that logs under that number, with settings of its own over those that all have.
    pub fn launch(&self, number: usize, more: &[(&str, &str)]) -> ControlProcess {
        let mut settings = self.settings.clone();
        settings.extend(more.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        ControlProcess::start(ProcessRole::Controller, &self.folder, &format!("controller-{number}"), &settings)
    }
}

impl ControllerWorld {
    /// With one controller.
    pub async fn start() -> Self {
        let mut world = Self::without_controller().await;
        world.launch(&[]);
        world
    }

    /// With no controller yet.
    pub async fn without_controller() -> Self {
        Self::on(kubernetes::shared().await).await
    }

    /// With no controller yet, on a control plane of its own choice.
    pub async fn on(plane: &'static ControlPlane) -> Self {
        let (client, namespace) = (plane.admin().await, plane.namespace().await);
        let api = api::Api::start_with(&["--rate-limit-per-minute", "0"]).await;
        let kubeconfig = plane.kubeconfig(kubernetes::CONTROLLER);
        let settings = [
            ("KUBECONFIG", kubeconfig.to_str().unwrap()),
            ("GLEANER_REDIS_URL", &api.redis.url()),
            ("GLEANER_ADMIN_LISTEN", "127.0.0.1:0"),
            ("GLEANER_WATCH_NAMESPACES", &namespace),
            ("GLEANER_LEASE_NAMESPACE", &namespace),
            ("GLEANER_LEASE_TERM_S", "3"),
            ("GLEANER_STORE_CHECK_S", "1"),
            ("GLEANER_LOG", "debug"),
        ]
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .to_vec();
        let folder = tempfile::tempdir().unwrap();
        let launcher = Launcher { folder: folder.path().to_owned(), settings };
        Self { plane, client, namespace, api, controllers: Vec::new(), folder, launcher }
    }

    /// What starts controllers for this world, apart from it.
    pub fn launcher(&self) -> Launcher {
        self.launcher.clone()
    }

    /// Starts a controller, with settings of its own over those that all have.
    pub fn launch(&mut self, more: &[(&str, &str)]) {
        self.controllers.push(self.launcher.launch(self.controllers.len(), more));
    }

    /// Has the controllers that are started from now on serve all namespaces.
    pub fn serve_all_namespaces(&mut self) {
        self.launcher.settings.retain(|(key, _)| key != "GLEANER_WATCH_NAMESPACES");
    }

    /// Starts an API that issues tokens as resources, with the rights that this takes and settings of its own.
    pub async fn issuing_api(&self, more: &[(&str, &str)]) -> ControlProcess {
        let mut settings = self.launcher.settings.clone();
        let kubeconfig = self.plane.kubeconfig(kubernetes::API);
        let own = [
            ("KUBECONFIG", kubeconfig.to_str().unwrap()),
            ("GLEANER_TOKEN_ISSUER", "kubernetes"),
            ("GLEANER_LISTEN", "127.0.0.1:0"),
        ];
        settings.extend(own.iter().chain(more).map(|(key, value)| ((*key).to_owned(), (*value).to_owned())));
        ControlProcess::start(ProcessRole::Api, self.folder.path(), "api", &settings)
    }

    /// Ends all controllers as a crash would, and starts another.
    pub fn crash_and_launch(&mut self, more: &[(&str, &str)]) {
        self.controllers.iter_mut().for_each(ControlProcess::kill);
        self.launch(more);
    }

    /// The controller that was started last.
    pub fn controller(&mut self) -> &mut ControlProcess {
        self.controllers.last_mut().unwrap()
    }

    pub fn tokens(&self) -> Api<ApiToken> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    pub fn secrets(&self) -> Api<Secret> {
        Api::namespaced(self.client.clone(), &self.namespace)
    }

    /// `kubectl create` of an ApiToken.
    pub async fn create(&self, name: &str, spec: Value) -> ApiToken {
        self.try_create(name, spec).await.unwrap()
    }

    pub async fn try_create(&self, name: &str, spec: Value) -> Result<ApiToken, kube::Error> {
        let body = json!({
            "apiVersion": "gleaner.dev/v1alpha1", "kind": "ApiToken",
            "metadata": {"name": name, "namespace": self.namespace}, "spec": spec,
        });
        let api = Api::<kube::api::DynamicObject>::namespaced_with(
            self.client.clone(),
            &self.namespace,
            &kube::api::ApiResource::erase::<ApiToken>(&()),
        );
        let object = serde_json::from_value(body).unwrap();
        let made = api.create(&PostParams::default(), &object).await?;
        Ok(serde_json::from_value(serde_json::to_value(made).unwrap()).unwrap())
    }

    /// `kubectl patch --type merge` of an ApiToken's spec.
    pub async fn edit(&self, name: &str, spec: Value) -> ApiToken {
        self.patch(name, json!({"spec": spec})).await.unwrap()
    }

    /// `kubectl annotate apitoken NAME gleaner.dev/rotate=VALUE`.
    pub async fn rotate(&self, name: &str, value: &str) {
        self.patch(name, json!({"metadata": {"annotations": {"gleaner.dev/rotate": value}}})).await.unwrap();
    }

    pub async fn patch(&self, name: &str, patch: Value) -> Result<ApiToken, kube::Error> {
        self.tokens().patch(name, &PatchParams::default(), &Patch::Merge(&patch)).await
    }

    pub async fn delete(&self, name: &str) {
        self.tokens().delete(name, &DeleteParams::default()).await.unwrap();
    }

    pub async fn get(&self, name: &str) -> ApiToken {
        self.tokens().get(name).await.unwrap()
    }

    /// Waits until the condition `Ready` has this reason for the present generation.
    pub async fn until_ready_says(&self, name: &str, reason: &str) -> ApiToken {
        let what = format!("{name} to be {reason}");
        until(&what, || async {
            let token = self.get(name).await;
            let said = condition(&token, "Ready");
            (said["reason"] == reason && said["observedGeneration"] == json!(token.metadata.generation))
                .then_some(token)
        })
        .await
    }

    /// Waits until the token is accepted; returns the ApiToken and the token in its Secret.
    pub async fn until_issued(&self, name: &str) -> (ApiToken, String) {
        let token = self.until_ready_says(name, "Registered").await;
        let (text, _) = self.secret(&token.secret_name()).await.expect("a Secret");
        (token, text)
    }

    /// The keys `token` and `tokenId` of a Secret.
    pub async fn secret(&self, name: &str) -> Option<(String, String)> {
        let secret = self.secrets().get_opt(name).await.unwrap()?;
        let data = secret.data.unwrap_or_default();
        let text = |key: &str| data.get(key).map(|bytes| String::from_utf8(bytes.0.clone()).unwrap());
        Some((text("token")?, text("tokenId")?))
    }

    /// The API's answer to `GET /tokens/me`.
    pub async fn me(&self, token: &str) -> gleaner_testkit::http::HttpResponse {
        HttpRequest::new(self.api.address, "GET", "/tokens/me").token(token).send().await
    }

    /// Waits until the API answers `GET /tokens/me` with this status.
    pub async fn until_answered(&self, token: &str, status: u16) {
        until(&format!("the answer {status}"), || async { (self.me(token).await.status == status).then_some(()) })
            .await;
    }

    /// Empties the store, and waits until it knows every token again that it knew.
    pub async fn empty_store(&self) {
        let store = self.store().await;
        let tenant = self.namespace.parse().unwrap();
        let before = store.list_credentials(&tenant).await.unwrap();
        self.api.redis.cli(&["FLUSHALL"]);
        for known in &before {
            until("a credential", || async { store.find_credential(&known.hash).await.unwrap() }).await;
        }
    }

    /// The reasons of the events about an ApiToken, with their notes.
    pub async fn events(&self, name: &str) -> Vec<(String, String)> {
        let api = Api::<Event>::namespaced(self.client.clone(), &self.namespace);
        let all = api.list(&ListParams::default()).await.unwrap();
        let about = |event: &Event| event.regarding.as_ref().is_some_and(|it| it.name.as_deref() == Some(name));
        let told = |event: Event| (event.reason.unwrap_or_default(), event.note.unwrap_or_default());
        all.items.into_iter().filter(about).map(told).collect()
    }

    pub async fn until_event(&self, name: &str, reason: &str) -> String {
        until(&format!("an event {reason}"), || async {
            self.events(name).await.into_iter().find(|(said, _)| said == reason).map(|(_, note)| note)
        })
        .await
    }

    /// A counter of the controller that was started last.
    pub async fn counter(&self, name: &str) -> u64 {
        let address = self.admin().await;
        let text = HttpRequest::new(address, "GET", "/metrics").send().await.text();
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("gleaner_controller_{name}")));
        let value = line.unwrap_or_else(|| panic!("{name} in {text}")).rsplit(' ').next().unwrap();
        value.parse().unwrap()
    }

    async fn admin(&self) -> SocketAddr {
        until("the admin port", || async { self.controllers.last().unwrap().address() }).await
    }

    /// The store, beside the API's own connection.
    pub async fn store(&self) -> Store {
        Store::connect(&StoreConfig::at(self.api.redis.url())).await.unwrap()
    }

    /// Everything that the processes wrote, and what Kubernetes shows of ApiTokens and events: places without a token.
    pub async fn everything_written(&self) -> String {
        let mut text = self.logs();
        for token in self.tokens().list(&ListParams::default()).await.unwrap() {
            text += &serde_json::to_string(&token).unwrap();
        }
        let events = Api::<Event>::namespaced(self.client.clone(), &self.namespace);
        for event in events.list(&ListParams::default()).await.unwrap() {
            text += &serde_json::to_string(&event).unwrap();
        }
        text + &HttpRequest::new(self.admin().await, "GET", "/metrics").send().await.text()
    }

    pub fn logs(&self) -> String {
        let files = std::fs::read_dir(self.folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let logs = files.filter(|path| path.extension().is_some_and(|end| end == "log"));
        logs.map(|path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()).collect()
    }
}

impl Drop for ControllerWorld {
    fn drop(&mut self) {
        self.controllers.iter_mut().for_each(ControlProcess::kill);
        if std::thread::panicking() {
            let logs = self.logs();
            let telling = logs.lines().filter(|line| !line.contains(r#""level":"DEBUG""#)).collect::<Vec<_>>();
            eprintln!("{}", telling.join("\n"));
        } else {
            assert_eq!(tokens_in(&self.logs()), 0, "a token stands in a log");
        }
    }
}

/// How many tokens stand in a text.
pub fn tokens_in(text: &str) -> usize {
    let is_token = |rest: &str| rest.len() >= 50 && rest.bytes().take(50).all(|c| c.is_ascii_alphanumeric());
    text.split("gln_").skip(1).filter(|rest| is_token(rest)).count()
}

/// A condition, as JSON; null when it is not there.
pub fn condition(token: &ApiToken, kind: &str) -> Value {
    let all = token.status.as_ref().map(|status| serde_json::to_value(&status.conditions).unwrap());
    let found = all.as_ref().and_then(Value::as_array).and_then(|all| all.iter().find(|one| one["type"] == kind));
    found.cloned().unwrap_or(Value::Null)
}
