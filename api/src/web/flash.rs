//! What was done, told on the next page: one sentence, and how to undo it, sealed into a cookie that lives for one page.

use super::{Web, session::sealed_cookie};
use axum::{extract::FromRequestParts, http::request::Parts};
use axum_extra::extract::{
    PrivateCookieJar,
    cookie::{Cookie, Key},
};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;

const NAME: &str = "gleaner_done";
/// A cookie has at most 4 KiB; sealing makes it longer by half.
const MAX: usize = 2_400;

/// The message that the next page shows: what was done, and how to take it back.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Flash {
    /// What was done, in a sentence.
    pub text: String,
    /// How to take it back.
    pub undo: Option<Undo>,
}

/// A form that takes a step back.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
pub struct Undo {
    /// The path that it is sent to by `POST`.
    pub path: String,
    /// Its fields: names and values.
    pub fields: Vec<(String, String)>,
}

impl Flash {
    /// A message that cannot be taken back.
    pub fn said(text: impl Into<String>) -> Self {
        Self { text: text.into(), undo: None }
    }

    /// Whether a cookie can carry all of it.
    pub fn fits(&self) -> bool {
        self.json().len() <= MAX
    }

    /// The cookie that carries it to the next page; what is too long for one is told without its undoing.
    pub fn cookie(mut self, prefix: &str) -> Cookie<'static> {
        if !self.fits() {
            self.undo = None;
            self.text = self.text.chars().take(200).collect();
        }
        sealed_cookie(NAME, self.json(), prefix)
    }

    fn json(&self) -> String {
        // Strings alone: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What the last step left to tell, and the jar without it.
pub struct IncomingFlash {
    /// What was done, if anything.
    pub done: Option<Flash>,
    /// The cookies to answer with.
    pub jar: PrivateCookieJar,
}

impl FromRequestParts<Web> for IncomingFlash {
    type Rejection = Infallible;
    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, Infallible> {
        let Ok(jar) = PrivateCookieJar::<Key>::from_request_parts(parts, web).await;
        let done: Option<Flash> = jar.get(NAME).and_then(|cookie| serde_json::from_str(cookie.value()).ok());
        if done.is_none() {
            return Ok(Self { done, jar });
        }
        let mut cookie = Cookie::new(NAME, "");
        cookie.set_path(format!("{}/", web.prefix()));
        Ok(Self { done, jar: jar.remove(cookie) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_long_for_a_cookie_is_told_without_its_undoing() {
        let undo = Undo { path: "/x".into(), fields: vec![("title".into(), "t".repeat(5_000))] };
        let cookie = Flash { text: "Changed".into(), undo: Some(undo) }.cookie("");
        assert_eq!(serde_json::from_str::<Flash>(cookie.value()).unwrap(), Flash::said("Changed"));
    }
}
