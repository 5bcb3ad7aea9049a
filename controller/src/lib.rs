//! Reconciles ApiToken resources into hashed, scoped credentials, and Webhook resources into endpoints.
//!
//! Kubernetes is the source, the store a copy. `api_token` brings one resource to what its spec says, `resync`
//! keeps the copy true as a whole, `lease` sees to it that one controller writes at a time.
//!
//! What it needs of the API server, and nothing else:
//!
//! | resource | verbs | what for |
//! | --- | --- | --- |
//! | `apitokens.gleaner.dev` | get, list, watch, patch | the resources; their finalizer |
//! | `webhooks.gleaner.dev` | list, watch, patch | the same |
//! | `apitokens.gleaner.dev/status`, `webhooks.gleaner.dev/status` | patch | conditions and hashes |
//! | `secrets` | get, create, update, delete | handing a token over, reading what a webhook signs with; taking a token away with the installation; never listed or watched |
//! | `events.events.k8s.io` | create | telling the tenant |
//! | `leases.coordination.k8s.io` | get, create, update | leader election, in its own namespace alone |

mod api_token;
mod config;
mod context;
mod error;
mod events;
mod failpoint;
mod lease;
mod metrics;
mod resync;
mod run;
mod uninstall;
mod webhook;

pub use config::ControllerConfig;
pub use error::Error;
pub use metrics::ControllerMetrics;
pub use run::run;
