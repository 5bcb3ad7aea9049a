//! Where new tokens are registered: in the store, or as an ApiToken resource, which carries only the hash.
//!
//! In Kubernetes the resources are the truth, and the store a copy. So the resource comes first; then the credential is
//! written as the controller would write it, and the token works at once. Whatever crash lies between, the controller
//! brings the copy in line. The one file of this crate that knows Kubernetes.

use crate::problem::{Code, Problem};
use clap::ValueEnum;
use gleaner_crds::{ApiToken, ImportedToken};
use gleaner_model::{PlainToken, TenantId};
use gleaner_store::{Credential, Origin};
use kube::{
    Api, Client,
    api::{DeleteParams, PostParams},
};
use std::{future::Future, time::Duration};

/// How long the Kubernetes API may take.
const KUBERNETES_TIMEOUT: Duration = Duration::from_millis(1_700);

/// Where new tokens are registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TokenIssuer {
    /// In the store itself
    Store,
    /// As an ApiToken resource in the caller's namespace
    Kubernetes,
    /// Nowhere: tokens are made by other means
    None,
}

/// What registers new tokens, and takes them away.
pub enum Issuer {
    /// The store itself.
    Store,
    /// ApiToken resources.
    Kubernetes(Client),
    /// Nothing: tokens are made by other means.
    None,
}

impl Issuer {
    /// What the setting names; the cluster and the account come from the process's surroundings.
    ///
    /// # Errors
    /// When the process is in no cluster and has no kubeconfig.
    pub async fn new(setting: TokenIssuer) -> Result<Self, kube::Error> {
        Ok(match setting {
            TokenIssuer::Store => Self::Store,
            TokenIssuer::Kubernetes => Self::Kubernetes(gleaner_crds::client().await?.0),
            TokenIssuer::None => Self::None,
        })
    }

    /// Whether tokens are resources.
    pub const fn makes_resources(&self) -> bool {
        matches!(self, Self::Kubernetes(_))
    }

    /// Makes the resource of a token, where tokens are resources, and says whence the credential is.
    ///
    /// # Errors
    /// 405 where tokens are made by other means, what Kubernetes refused, or 503 where it cannot be asked.
    pub async fn create(
        &self,
        token: &PlainToken,
        credential: &Credential,
        maker: &Credential,
    ) -> Result<Origin, Problem> {
        match self {
            Self::Store => Ok(Origin::Store),
            Self::Kubernetes(client) => create(client, token, credential, maker).await,
            Self::None => Err(elsewhere()),
        }
    }

    /// Deletes the resource of a token, if it has one.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub async fn delete(&self, credential: &Credential) -> Result<(), Problem> {
        match (&credential.origin, self) {
            (Origin::Store, _) => Ok(()),
            (Origin::Resource { name, .. }, Self::Kubernetes(client)) => delete(client, &credential.tenant, name).await,
            (Origin::Resource { .. }, _) => Err(elsewhere()),
        }
    }
}

async fn create(
    client: &Client,
    token: &PlainToken,
    credential: &Credential,
    maker: &Credential,
) -> Result<Origin, Problem> {
    let wanted = ImportedToken {
        namespace: credential.tenant.as_str(),
        name: credential.name.as_deref().unwrap_or_default(),
        token,
        scopes: &credential.scopes,
        subject: &credential.subject,
        expires_at: credential.expires_at,
        maker: match &maker.origin {
            Origin::Resource { name, uid, .. } => Some((name, uid)),
            Origin::Store => None,
        },
    };
    let api: Api<ApiToken> = Api::namespaced(client.clone(), credential.tenant.as_str());
    let made = within_timeout(api.create(&PostParams::default(), &wanted.resource())).await?;
    let metadata = made.metadata;
    let version = metadata.resource_version.and_then(|version| version.parse().ok());
    let (Some(uid), Some(name), Some(resource_version)) = (metadata.uid, metadata.name, version) else {
        return Err(Problem::internal("Kubernetes made a resource without name, uid and version"));
    };
    Ok(Origin::Resource { uid, name, resource_version })
}

async fn delete(client: &Client, tenant: &TenantId, name: &str) -> Result<(), Problem> {
    let api: Api<ApiToken> = Api::namespaced(client.clone(), tenant.as_str());
    match within_timeout(api.delete(name, &DeleteParams::default())).await {
        Err(problem) if problem.code == Code::NotFound => Ok(()),
        outcome => outcome.map(drop),
    }
}

async fn within_timeout<T>(question: impl Future<Output = Result<T, kube::Error>>) -> Result<T, Problem> {
    match tokio::time::timeout(KUBERNETES_TIMEOUT, question).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(kube::Error::Api(status))) => Err(refused(status.code, &status.message)),
        Ok(Err(error)) => Err(Problem::store_unavailable(error)),
        Err(_) => Err(Problem::store_unavailable("Kubernetes did not answer in time")),
    }
}

/// What admission refuses is for the caller to mend; what the service may not do is for its operator.
fn refused(code: u16, message: &str) -> Problem {
    match code {
        404 => Problem::not_found(),
        400 | 422 => Problem::invalid("", message.to_owned()),
        _ => Problem::store_unavailable(message).for_the_operator(),
    }
}

fn elsewhere() -> Problem {
    Problem::new(
        Code::MethodNotAllowed,
        "tokens are not made and revoked over HTTP here; apply or delete an ApiToken resource",
    )
}
