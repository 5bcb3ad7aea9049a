//! Where new tokens are registered: in the store, or as an ApiToken resource, which carries only the hash.
//!
//! In Kubernetes the resources are the truth, and the store a copy. So the resource comes first; then the credential is
//! written as the controller would write it, and the token works at once. Whatever crash lies between, the controller
//! brings the copy in line. The one file of this crate that knows Kubernetes.

use crate::{app::App, problem::Problem};
use clap::ValueEnum;
use gleaner_crds::{ApiToken, ImportedToken};
use gleaner_model::{PlainToken, TenantId, TokenId};
use gleaner_store::{Credential, Origin, Written};
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
    /// Nobody.
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

    /// Registers a token that was just minted for a caller, and says how the credential came out.
    ///
    /// # Errors
    /// 422 where the tenant has made as many as it may, 401 where the caller's token was revoked meanwhile, what Kubernetes
    /// refused, or 503 where it or the store cannot be asked.
    pub async fn register(
        &self,
        app: &App,
        token: &PlainToken,
        mut credential: Credential,
        maker: &Credential,
    ) -> Result<Credential, Problem> {
        let most = app.config.max_tokens;
        let written = match self {
            Self::Store => app.ask(app.store.make_credential(&credential, &maker.hash, most)).await?,
            Self::Kubernetes(client) => {
                if most > 0 && app.ask(app.store.made_tokens(&credential.tenant)).await? >= most {
                    return Err(full(most));
                }
                credential.origin = create(client, token, &credential, maker).await?;
                // That the resource was made decides. Its maker may be gone by now: the controller sees to that.
                app.ask(app.store.make_credential(&credential, &maker.hash, 0)).await?
            }
            Self::None => return Err(elsewhere()),
        };
        match written {
            Written::Written | Written::Unchanged => Ok(credential),
            // The controller was quicker, which is as good.
            Written::Stale if matches!(credential.origin, Origin::Resource { .. }) => Ok(credential),
            Written::Orphaned => Err(Problem::invalid_token()),
            Written::Full => Err(full(most)),
            Written::Stale | Written::Taken => Err(Problem::internal("a fresh token was refused by the store")),
        }
    }

    /// Takes a token away with all that it made, and the resources that account for them. False when the tenant has no
    /// such token.
    ///
    /// # Errors
    /// What Kubernetes refused, or 503 where it or the store cannot be asked.
    pub async fn revoke(&self, app: &App, tenant: &TenantId, id: &TokenId) -> Result<bool, Problem> {
        let Some(credential) = app.ask(app.store.find_token(tenant, id)).await? else { return Ok(false) };
        let made = app.ask(app.store.made_by(tenant, credential.maker())).await?;
        for one in std::iter::once(&credential).chain(&made) {
            if let Origin::Resource { name, .. } = &one.origin {
                let Self::Kubernetes(client) = self else { return Err(elsewhere()) };
                delete(client, tenant, name).await?;
            }
        }
        // Not there any more: the controller was quicker.
        app.ask(app.store.remove_token(tenant, id)).await.map(|_| true)
    }
}

/// The tenant has made as many tokens as it may.
fn full(most: u32) -> Problem {
    let detail = format!("this tenant has made {most} tokens, which is as many as it may have: revoke one first");
    Problem::new(crate::problem::Code::InvalidRequest, detail)
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
    let made = asked(api.create(&PostParams::default(), &wanted.resource())).await?;
    let metadata = made.metadata;
    let version = metadata.resource_version.and_then(|version| version.parse().ok());
    let (Some(uid), Some(name), Some(resource_version)) = (metadata.uid, metadata.name, version) else {
        return Err(Problem::internal("Kubernetes made a resource without name, uid and version"));
    };
    Ok(Origin::Resource { uid, name, resource_version })
}

async fn delete(client: &Client, tenant: &TenantId, name: &str) -> Result<(), Problem> {
    let api: Api<ApiToken> = Api::namespaced(client.clone(), tenant.as_str());
    match asked(api.delete(name, &DeleteParams::default())).await {
        Err(problem) if problem.code == crate::problem::Code::NotFound => Ok(()),
        outcome => outcome.map(drop),
    }
}

async fn asked<T>(question: impl Future<Output = Result<T, kube::Error>>) -> Result<T, Problem> {
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
        _ => Problem::store_unavailable(message),
    }
}

fn elsewhere() -> Problem {
    Problem::new(
        crate::problem::Code::MethodNotAllowed,
        "tokens are not made and revoked over HTTP here; apply or delete an ApiToken resource",
    )
}
