//! What every reconcile shares.

use crate::{
    ControllerConfig, ControllerMetrics, Error,
    events::{self, EventSeverity, Reporter},
    failpoint,
    lease::Leadership,
};
use gleaner_crds::{ApiToken, ApiTokenStatus, TokenLimits};
use gleaner_runtime::{lock, target::TargetRules};
use gleaner_store::Store;
use k8s_openapi::{
    NamespaceResourceScope,
    api::{core::v1::Secret, events::v1::Event},
};
use kube::{
    Api, Client, Resource, ResourceExt as _,
    api::{DeleteParams, Patch, PatchParams, PostParams, Preconditions},
};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::{collections::HashMap, fmt::Debug, sync::Mutex};

/// The name under which the API server knows what this controller wrote.
pub(crate) const FIELD_MANAGER: &str = "gleaner-controller";

/// What every reconcile shares. What writes a resource of ours or a Secret goes through here, so that each write asks first whether
/// this process still leads, and is counted.
pub struct ControllerContext {
    /// A client of the Kubernetes API server.
    pub client: Client,
    /// Where credentials and webhooks are registered.
    pub store: Store,
    /// Who tells tenants what happened.
    pub reporter: Reporter,
    /// Whether this process may write.
    pub leadership: Leadership,
    /// What tokens may be at most.
    pub limits: TokenLimits,
    /// Where webhooks may go.
    pub targets: TargetRules,
    /// Webhooks that a namespace may have.
    pub webhook_cap: u32,
    /// What this process counts.
    pub metrics: ControllerMetrics,
    /// How many times in a row the reconcile of an object failed, by uid. Only objects in trouble are in it.
    pub(crate) failures: Mutex<HashMap<String, u32>>,
    /// The version that this process wrote last of an object, by uid, until the watch has shown it.
    pub(crate) written: Mutex<HashMap<String, u64>>,
}

impl ControllerContext {
    /// Sets the finalizers of ours: one, or none.
    pub(crate) async fn set_finalizers(&self, token: &ApiToken, finalizers: &[&str]) -> Result<ApiToken, Error> {
        let patched = self.apply(token, json!({"metadata": {"finalizers": finalizers}}), false).await?;
        self.remember(&patched);
        Ok(patched)
    }

    /// Writes the whole status, unless the object has changed since it was read.
    pub(crate) async fn set_status(&self, token: &ApiToken, status: &ApiTokenStatus) -> Result<ApiToken, Error> {
        let version = token.metadata.resource_version.as_deref().ok_or(Error::Malformed("a resource version"))?;
        let body = json!({"metadata": {"resourceVersion": version}, "status": status});
        let patched = self.apply(token, body, true).await?;
        self.remember(&patched);
        Ok(patched)
    }

    /// Server-side apply. With its uid an apply to an object that is gone is a conflict, instead of making another.
    pub(crate) async fn apply<K>(&self, resource: &K, mut body: Value, status: bool) -> Result<K, Error>
    where
        K: Resource<DynamicType = (), Scope = NamespaceResourceScope> + Clone + Debug + DeserializeOwned,
    {
        self.leadership.check()?;
        let (namespace, name) = namespaced_name(resource)?;
        body["apiVersion"] = json!(K::api_version(&()));
        body["kind"] = json!(K::kind(&()));
        for (member, value) in
            [("name", json!(name)), ("namespace", json!(namespace)), ("uid", json!(resource.meta().uid))]
        {
            body["metadata"][member] = value;
        }
        let api = Api::<K>::namespaced(self.client.clone(), namespace);
        let (params, patch) = (PatchParams::apply(FIELD_MANAGER).force(), Patch::Apply(&body));
        self.metrics.kubernetes_writes.inc();
        let written =
            if status { api.patch_status(name, &params, &patch).await } else { api.patch(name, &params, &patch).await };
        written.map_err(|error| match error {
            // A write to an object that is gone was decided upon a version that is no more.
            kube::Error::Api(status) if status.code == 404 => Error::Outdated,
            other => other.into(),
        })
    }

    /// An object that is gone will not be shown again.
    fn remember(&self, token: &ApiToken) {
        let (Some(uid), Some(version)) = (token.metadata.uid.clone(), version(token)) else { return };
        let mut written = lock(&self.written);
        if token.metadata.deletion_timestamp.is_some() && token.finalizers().is_empty() {
            written.remove(&uid);
        } else {
            written.insert(uid, version);
        }
    }

    /// Whether the watch is behind what this process wrote itself: the newer version is on its way.
    pub(crate) fn is_behind(&self, token: &ApiToken) -> bool {
        let (Some(uid), Some(version)) = (&token.metadata.uid, version(token)) else { return false };
        let mut written = lock(&self.written);
        let behind = written.get(uid).is_some_and(|last| version < *last);
        if !behind {
            written.remove(uid);
        }
        behind
    }

    /// Makes a Secret; one of that name must not exist.
    pub(crate) async fn create_secret(&self, namespace: &str, secret: &Secret) -> Result<(), Error> {
        self.leadership.check()?;
        let api = Api::<Secret>::namespaced(self.client.clone(), namespace);
        self.metrics.kubernetes_writes.inc();
        api.create(&by_us(), secret).await.map(drop).map_err(Error::from)
    }

    /// Writes over the version of a Secret that its metadata names.
    pub(crate) async fn replace_secret(&self, namespace: &str, name: &str, secret: &Secret) -> Result<(), Error> {
        self.leadership.check()?;
        let api = Api::<Secret>::namespaced(self.client.clone(), namespace);
        self.metrics.kubernetes_writes.inc();
        api.replace(name, &by_us(), secret).await.map(drop).map_err(Error::from)
    }

    /// Deletes the version of a Secret that was read; one that is gone already is as good.
    pub(crate) async fn delete_secret(
        &self,
        namespace: &str,
        name: &str,
        version: Option<String>,
    ) -> Result<(), Error> {
        self.leadership.check()?;
        let api = Api::<Secret>::namespaced(self.client.clone(), namespace);
        let this = Preconditions { resource_version: version, uid: None };
        self.metrics.kubernetes_writes.inc();
        match api.delete(name, &DeleteParams::default().preconditions(this)).await {
            Ok(_) => Ok(()),
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The resources that are watched: all, or those of some namespaces.
    pub(crate) fn apis<K>(&self, config: &ControllerConfig) -> Vec<Api<K>>
    where
        K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    {
        if config.watch_namespaces.is_empty() {
            return vec![Api::all(self.client.clone())];
        }
        config.watch_namespaces.iter().map(|name| Api::namespaced(self.client.clone(), name)).collect()
    }

    /// Tells the tenant. An event that cannot be written is logged: no state hangs on it.
    pub(crate) async fn publish_event(&self, token: &ApiToken, trouble: bool, reason: &str, note: String) {
        let kind = if trouble { EventSeverity::Warning } else { EventSeverity::Normal };
        let event = events::event(token, &self.reporter, kind, reason, &note);
        let namespace = event.metadata.namespace.as_deref().unwrap_or_default();
        let api = Api::<Event>::namespaced(self.client.clone(), namespace);
        if let Err(error) = api.create(&PostParams::default(), &event).await {
            tracing::debug!(%error, event.reason = reason, "An event could not be written");
        }
        failpoint::reached("after-event");
    }

    /// Counts a failure of the object; how many there were in a row before it.
    pub(crate) fn failed(&self, uid: Option<&str>) -> u32 {
        let mut failures = lock(&self.failures);
        let times = failures.entry(uid.unwrap_or_default().to_owned()).or_default();
        *times += 1;
        *times - 1
    }

    /// Forgets the failures of the object.
    pub(crate) fn succeeded(&self, uid: Option<&str>) {
        let mut failures = lock(&self.failures);
        if let Some(uid) = uid {
            failures.remove(uid);
        }
    }
}

/// Namespace and name of a resource.
pub(crate) fn namespaced_name(resource: &impl Resource) -> Result<(&str, &str), Error> {
    let namespace = resource.meta().namespace.as_deref().ok_or(Error::Malformed("a namespace"))?;
    Ok((namespace, resource.meta().name.as_deref().ok_or(Error::Malformed("a name"))?))
}

fn version(token: &ApiToken) -> Option<u64> {
    token.metadata.resource_version.as_deref()?.parse().ok()
}

fn by_us() -> PostParams {
    PostParams { field_manager: Some(FIELD_MANAGER.to_owned()), ..PostParams::default() }
}
