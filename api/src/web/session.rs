//! The session: a token, sealed into a cookie that every API process with the same key can open and no script can read.

use super::{PageError, Web};
use axum::{extract::FromRequestParts, http::request::Parts};
use axum_extra::extract::{
    PrivateCookieJar,
    cookie::{Cookie, Key, SameSite},
};
use chrono::{DateTime, TimeDelta, Utc};
use gleaner_model::Subject;
use gleaner_runtime::connections::ClientConnection;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::{Digest, Sha512};
use time::Duration;
use uuid::Uuid;

/// Name of the cookie that holds a sealed session.
pub const NAME: &str = "gleaner_session";
/// How long a session lasts, in hours.
pub const HOURS: i64 = 12;

/// The key that seals cookies: from the setting, so that all processes share it, else one for this process alone.
pub fn key(secret: Option<&SecretString>) -> Key {
    match secret {
        Some(secret) => Key::from(&Sha512::digest(secret.expose_secret())),
        None => Key::generate(),
    }
}

/// A cookie to be sealed: for the pages below the prefix, over https alone, and for no script and no other site's form.
pub fn sealed_cookie(name: &'static str, value: String, prefix: &str) -> Cookie<'static> {
    let mut cookie = Cookie::new(name, value);
    cookie.set_path(format!("{prefix}/"));
    cookie.set_http_only(true);
    cookie.set_secure(true);
    cookie.set_same_site(SameSite::Lax);
    cookie
}

/// Somebody who is signed in.
#[derive(Clone)]
pub struct Session {
    /// The token that the session stands for.
    pub token: String,
    /// Whom a trusted proxy says it is; else whom the token speaks for.
    pub person: Option<Subject>,
    /// What the session is known by once it was ended; `None` where a proxy signs people in.
    pub signed_in: Option<SignedIn>,
    /// The connection that the pages are asked for on.
    pub connection: Option<ClientConnection>,
}

/// A session that somebody signed in to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SignedIn {
    /// What it is known by.
    pub id: Uuid,
    /// When it ends by itself.
    pub ends: DateTime<Utc>,
}

impl Session {
    /// The cookie that carries the session.
    pub fn cookie(token: &str, prefix: &str, now: DateTime<Utc>) -> Cookie<'static> {
        let ends = (now + TimeDelta::hours(HOURS)).timestamp();
        let value = format!("{ends} {} {token}", Uuid::now_v7().simple());
        let mut cookie = sealed_cookie(NAME, value, prefix);
        cookie.set_max_age(Duration::hours(HOURS));
        cookie
    }

    /// The cookie that takes it away.
    pub fn gone(prefix: &str) -> Cookie<'static> {
        let mut cookie = Cookie::new(NAME, "");
        cookie.set_path(format!("{prefix}/"));
        cookie
    }

    /// A session of whoever has the token.
    pub fn of(token: &str) -> Self {
        Self { token: token.to_owned(), person: None, signed_in: None, connection: None }
    }

    /// The session in a cookie, unless its time is over.
    pub fn open(jar: &PrivateCookieJar, now: DateTime<Utc>) -> Option<Self> {
        let cookie = jar.get(NAME)?;
        let mut parts = cookie.value().splitn(3, ' ');
        let ends = DateTime::from_timestamp(parts.next()?.parse().ok()?, 0)?;
        let signed_in = SignedIn { id: parts.next()?.parse().ok()?, ends };
        let token = parts.next()?;
        // The end is sealed in as well: a kept cookie opens nothing for longer than the browser was told.
        (now < ends).then(|| Self { signed_in: Some(signed_in), ..Self::of(token) })
    }
}

impl FromRequestParts<Web> for Session {
    type Rejection = PageError;
    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, PageError> {
        let Ok(jar) = PrivateCookieJar::<Key>::from_request_parts(parts, web).await;
        // Who signed in with a token of their own means that one.
        let session = Self::open(&jar, Utc::now()).or_else(|| web.proxy()?.session(&parts.headers));
        let mut session = session.ok_or(PageError::SignIn)?;
        if let Some(SignedIn { id, .. }) = session.signed_in
            && web.app().ask(web.app().store.session_ended(id)).await?
        {
            return Err(PageError::SignIn);
        }
        session.connection = parts.extensions.get().cloned();
        Ok(session)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_opens_with_the_same_key_until_it_ends() {
        let (now, secret) = (Utc::now(), SecretString::from("shared by all processes"));
        let jar = PrivateCookieJar::new(key(Some(&secret))).add(Session::cookie("gln_x", "", now));
        assert_eq!(Session::open(&jar, now).map(|session| session.token).as_deref(), Some("gln_x"));
        assert!(Session::open(&jar, now + TimeDelta::hours(HOURS)).is_none());
    }

    #[test]
    fn the_cookie_is_out_of_reach_for_scripts_and_other_sites() {
        let cookie = Session::cookie("gln_x", "/g", Utc::now());
        assert_eq!(
            (cookie.http_only(), cookie.secure(), cookie.same_site()),
            (Some(true), Some(true), Some(SameSite::Lax))
        );
        assert_eq!(cookie.path(), Some("/g/"));
    }
}
