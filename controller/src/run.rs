//! The process: campaign, lead for as long as the Lease is held, campaign again.

use crate::{
    ControllerConfig, ControllerMetrics, Error, api_token,
    context::{ControllerContext, FIELD_MANAGER},
    events::Reporter,
    lease::Elector,
    resync::{self, Resync, ResyncIntervals},
    uninstall, webhook,
};
use futures::{StreamExt as _, future::join_all, stream};
use gleaner_crds::{ApiToken, Webhook};
use gleaner_runtime::{Shutdown, target::TargetRules};
use gleaner_store::Store;
use kube::runtime::{Controller, controller::Config as Pace, watcher};
use std::sync::Arc;
use tokio::sync::watch;

/// Runs until the process ends.
///
/// # Errors
/// When no API server is configured.
pub async fn run(
    config: ControllerConfig,
    store: Store,
    metrics: ControllerMetrics,
    shutdown: Shutdown,
) -> Result<(), Error> {
    let (client, home) = gleaner_crds::client().await?;
    let namespace = config.lease_namespace.clone().unwrap_or(home);
    let identity = config.identity();
    let mut elector = Elector::new(client.clone(), &namespace, &config.lease_name, &identity, config.lease_term());
    let context = Arc::new(ControllerContext {
        reporter: Reporter { controller: FIELD_MANAGER, instance: identity.clone() },
        client,
        store,
        leadership: elector.leadership(),
        limits: config.limits.clone(),
        targets: TargetRules::new(config.targets.clone()),
        webhook_cap: config.webhook_cap,
        metrics,
        failures: std::sync::Mutex::default(),
        written: std::sync::Mutex::default(),
    });
    if config.uninstall {
        return uninstall::uninstall(&context, &mut elector, &config).await;
    }
    tracing::info!(lease.namespace = namespace, lease.identity = identity, "Campaigning to lead");
    let stopping = {
        let shutdown = shutdown.clone();
        async move { shutdown.stopping().await }
    };
    tokio::select! {
        () = lead(&mut elector, &context, &config) => {}
        () = stopping => {}
    }
    context.metrics.leading.set(0);
    elector.release().await;
    Ok(())
}

/// Terms of leadership, one after the other.
async fn lead(elector: &mut Elector, context: &Arc<ControllerContext>, config: &ControllerConfig) {
    loop {
        elector.acquire().await;
        tracing::info!("Leading");
        context.metrics.leading.set(1);
        tokio::select! {
            () = elector.hold() => tracing::warn!("Not leading any more; campaigning again"),
            () = serve(context, config) => tracing::error!("A watch ended; starting over"),
        }
        context.metrics.leading.set(0);
    }
}

/// Watches and reconciles. Breaking it off in the middle of anything is as safe as a crash.
async fn serve(context: &Arc<ControllerContext>, config: &ControllerConfig) {
    let (resync_all, asked) = watch::channel(0_u64);
    let webhooks = context.apis::<Webhook>(config).into_iter().map(|api| {
        Controller::new(api, watcher::Config::default())
            .with_config(Pace::default().concurrency(config.reconcile_concurrency))
            .reconcile_all_on(changes(asked.clone()))
            .run(webhook::reconcile, webhook::on_error, context.clone())
            .for_each(|passed| log_watch(passed.err()))
    });
    let controllers = context.apis::<ApiToken>(config).into_iter().map(|api| {
        let controller = Controller::new(api, watcher::Config::default())
            .with_config(Pace::default().concurrency(config.reconcile_concurrency))
            .reconcile_all_on(changes(asked.clone()));
        let cache = controller.store();
        let passes = controller.run(api_token::reconcile, api_token::on_error, context.clone());
        (cache, passes.for_each(|passed| log_watch(passed.err())))
    });
    let (caches, passes): (Vec<_>, Vec<_>) = controllers.unzip();
    let resync = Resync {
        context: context.clone(),
        caches,
        webhooks: context.apis(config),
        namespaces: config.watch_namespaces.iter().cloned().collect(),
        resync_all,
        intervals: ResyncIntervals { check: config.store_check(), whole: config.resync() },
    };
    tokio::select! {
        _ = join_all(passes) => {}
        _ = join_all(webhooks) => {}
        () = resync::run_resync(resync) => {}
    }
}

/// One item each time that the number changes.
fn changes(asked: watch::Receiver<u64>) -> impl futures::Stream<Item = ()> + Send {
    stream::unfold(asked, |mut asked| async move { asked.changed().await.ok().map(|()| ((), asked)) })
}

/// A pass that failed has been handled by `on_error`; a watch that failed restarts by itself.
async fn log_watch(error: Option<kube::runtime::controller::Error<Error, watcher::Error>>) {
    if let Some(kube::runtime::controller::Error::QueueError(error)) = error {
        tracing::warn!(%error, "A watch failed; it starts again");
    }
}
