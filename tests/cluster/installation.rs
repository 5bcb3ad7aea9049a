//! An installation of the chart, as an admin makes, changes and removes it.

use crate::tools::{Helm, field, helm, kubectl, try_kubectl};
use gleaner_testkit::wait::until;
use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

/// The namespace of the installation, and the name of the release.
pub const NAMESPACE: &str = "gleaner";
/// The chart, from the project's folder.
pub const CHART: &str = "charts/gleaner";
const IMAGES: &str = "tests/cluster/images.yaml";
/// How long Helm may wait for pods.
const TIMEOUT: &str = "--timeout=240s";

/// A release of the chart in a namespace that admits nothing but restricted pods.
pub struct HelmRelease {
    helm: Helm,
    /// From the command to every pod being ready.
    pub took: Duration,
}

impl HelmRelease {
    /// Installs with defaults, after anything that an earlier test left behind is gone.
    pub async fn fresh(helm: Helm) -> Self {
        Self::fresh_with(helm, &[]).await
    }

    /// Installs with values (`--set …`) over the defaults.
    pub async fn fresh_with(helm: Helm, values: &[&str]) -> Self {
        clear().await;
        prepare().await;
        Self::install(helm, CHART, values).await
    }

    /// Installs into a namespace that is there.
    pub async fn install(version: Helm, chart: &str, values: &[&str]) -> Self {
        let began = Instant::now();
        let base = ["install", NAMESPACE, chart, "-n", NAMESPACE, "-f", IMAGES, "--wait", TIMEOUT];
        helm(version, &[&base, values].concat()).await;
        Self { helm: version, took: began.elapsed() }
    }

    /// `helm upgrade`, with values over those of the last revision.
    pub async fn upgrade(&self, chart: &str, values: &[&str]) {
        let base = ["upgrade", NAMESPACE, chart, "-n", NAMESPACE, "--reset-then-reuse-values", "--wait", TIMEOUT];
        helm(self.helm, &[&base, values].concat()).await;
    }

    /// `helm rollback` to a revision.
    pub async fn roll_back(&self, revision: &str) {
        helm(self.helm, &["rollback", NAMESPACE, revision, "-n", NAMESPACE, "--wait", TIMEOUT]).await;
    }

    /// `helm test`: what it printed.
    pub async fn test(&self) -> String {
        helm(self.helm, &["test", NAMESPACE, "-n", NAMESPACE, TIMEOUT]).await
    }

    /// The commands that the chart's notes print, without the words around them.
    pub async fn notes(&self) -> String {
        let notes = helm(self.helm, &["get", "notes", NAMESPACE, "-n", NAMESPACE]).await;
        let commands = notes.lines().filter_map(|line| line.strip_prefix("   "));
        commands.map(|line| format!("{line}\n")).collect()
    }

    /// `helm uninstall`, which waits until everything is gone.
    pub async fn uninstall(&self) {
        helm(self.helm, &["uninstall", NAMESPACE, "-n", NAMESPACE, "--wait", TIMEOUT]).await;
    }

    /// The address of the API's Service.
    pub async fn url(&self) -> String {
        format!("http://{}", field(&["service", "gleaner-api", "-n", NAMESPACE], ".spec.clusterIP").await)
    }
}

/// The names of the pods of a component that are ready and not about to go.
pub async fn ready_pods(component: &str) -> BTreeSet<String> {
    let template = concat!(
        "-ogo-template={{range .items}}{{if not .metadata.deletionTimestamp}}{{$name := .metadata.name}}",
        r#"{{range .status.conditions}}{{if and (eq .type "Ready") (eq .status "True")}}{{$name}} {{end}}{{end}}"#,
        "{{end}}{{end}}",
    );
    let selector = format!("-lapp.kubernetes.io/component={component}");
    let names = kubectl(&["get", "pods", "-n", NAMESPACE, &selector, template]).await;
    names.split_whitespace().map(ToOwned::to_owned).collect()
}

/// Waits until a component has this many ready pods.
pub async fn until_ready(component: &str, count: usize) -> BTreeSet<String> {
    until(&format!("{count} ready pods of {component}"), || async {
        Some(ready_pods(component).await).filter(|pods| pods.len() == count)
    })
    .await
}

/// Makes the namespace of the installation. Whatever a restricted namespace refuses can not run there.
pub async fn prepare() {
    kubectl(&["create", "namespace", NAMESPACE]).await;
    kubectl(&["label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted"]).await;
}

/// Removes every trace of installations and tenants, also when no controller is there to release them.
pub async fn clear() {
    // A controller that still ran would hold on to what is released here.
    kubectl(&["delete", "deployments", "--all", "-n", NAMESPACE, "--cascade=foreground", "--wait"]).await;
    let listed = try_kubectl(&["get", "apitokens", "-A", "--no-headers"]).await.unwrap_or_default();
    for line in listed.lines() {
        let mut words = line.split_whitespace();
        let (Some(namespace), Some(name)) = (words.next(), words.next()) else { continue };
        let freed = r#"--patch={"metadata":{"finalizers":null}}"#;
        let _ = try_kubectl(&["patch", "apitoken", name, "-n", namespace, "--type=merge", freed]).await;
    }
    for kind in ["clusterroles", "clusterrolebindings", "customresourcedefinitions", "priorityclasses"] {
        kubectl(&["delete", kind, "-lapp.kubernetes.io/part-of=gleaner", "--wait"]).await;
    }
    kubectl(&["delete", "namespaces", "-lgleaner-test=tenant", "--wait"]).await;
    kubectl(&["delete", "namespace", NAMESPACE, "--ignore-not-found", "--wait"]).await;
}
