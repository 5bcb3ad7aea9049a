//! A real API server takes every object that the chart renders, and admits its pods to a restricted namespace.

use crate::render::{combinations, render, run};
use gleaner_testkit::kubernetes;
use std::path::PathBuf;

/// Kinds of the Prometheus operator, whose definitions are not at hand.
const UNKNOWN: &str = "apiVersion: monitoring.coreos.com/v1";

#[tokio::test]
async fn the_api_server_takes_every_combination_of_values_and_finds_its_pods_restricted() {
    let kubeconfig = kubernetes::shared().await.kubeconfig("admin");
    let folder = definitions();
    let kubectl = |args: &[&str], input: &str| {
        run("kubectl", &[&["--kubeconfig", kubeconfig.to_str().unwrap()], args].concat(), input)
    };
    kubectl(&["apply", "--server-side", "-f", folder.to_str().unwrap()], "").unwrap();
    let wait = ["wait", "--for=condition=Established", "customresourcedefinitions", "--all", "--timeout=60s"];
    kubectl(&wait, "").unwrap();
    for namespace in ["gleaner", "team-a", "team-b"] {
        let labels =
            "labels: {pod-security.kubernetes.io/enforce: restricted, pod-security.kubernetes.io/warn: restricted}";
        let manifest = format!("{{apiVersion: v1, kind: Namespace, metadata: {{name: {namespace}, {labels}}}}}");
        kubectl(&["apply", "-f", "-"], &manifest).unwrap();
    }
    // No controller makes it here, and the chart's test pod runs as it.
    kubectl(&["create", "serviceaccount", "default", "-n", "gleaner"], "").unwrap();
    for (name, values) in combinations() {
        let rendered = render(&values).unwrap();
        let known: Vec<_> = rendered.split("\n---").filter(|object| !object.contains(UNKNOWN)).collect();
        let apply = ["apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-"];
        let said = kubectl(&apply, &known.join("\n---")).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!said.1.contains("Warning"), "{name}: {}", said.1);
    }
}

/// The definitions of the kinds that other projects brought to Kubernetes.
fn definitions() -> PathBuf {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/cluster/parts.sh");
    let made = std::process::Command::new(script).arg("definitions").output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    PathBuf::from(String::from_utf8(made.stdout).unwrap().trim()).join("definitions")
}
