//! The chart on a real cluster: Helm installs it, kubelets run it, clients use it through Services and a proxy.
//!
//! A file for each thing that an admin does to an installation. `make cluster-test` brings the cluster up and runs this
//! suite one test at a time, because an installation is a thing of the whole cluster. Tests print what they measured.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod client;
mod footprint;
mod install;
mod installation;
mod load;
mod pages;
mod recover;
mod rights;
mod scale;
mod tenant;
mod tools;
mod uninstall;
mod upgrade;
