//! One visit of somebody who is signed in: what every page of theirs begins and ends with.

use super::{
    PageError, Web, address,
    client::ApiRefusal,
    flash::{Flash, IncomingFlash},
    frame::{self, PageFrame, SignedInAs},
    session::{Session, SignedIn},
};
use crate::router::EVENTS;
use askama::Template;
use axum::{
    extract::FromRequestParts,
    http::{HeaderValue, Method, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use chrono::{NaiveDate, Utc};
use gleaner_model::{Scope, ScopeSet, Subject};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use std::{future::Future, time::Duration};

/// How often an open stream looks whether its session was ended.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// One visit of somebody who is signed in.
pub struct Visit {
    /// What all pages share.
    pub web: Web,
    /// Whose token it is, and what it allows.
    pub me: OwnToken,
    session: Session,
    theme: Option<String>,
    here: String,
    path: String,
    told: IncomingFlash,
}

/// A token, as `GET /tokens/me` tells of it.
#[derive(Deserialize)]
pub struct OwnToken {
    /// The token's id, the public part of its text.
    pub token_id: String,
    /// Whose data it opens.
    pub tenant: String,
    /// Whom it speaks for.
    pub subject: Subject,
    /// What it allows.
    pub scopes: ScopeSet,
}

impl FromRequestParts<Web> for Visit {
    type Rejection = PageError;
    async fn from_request_parts(parts: &mut Parts, web: &Web) -> Result<Self, PageError> {
        let session = <Session as FromRequestParts<Web>>::from_request_parts(parts, web).await?;
        let mut me: OwnToken = web.client().get(&session, "/tokens/me").await?;
        if let Some(person) = &session.person {
            me.subject = person.clone();
        }
        let Ok(told) = IncomingFlash::from_request_parts(parts, web).await;
        Ok(Self {
            here: frame::here(&parts.extensions, &parts.uri, web.prefix()),
            path: parts.uri.path().to_owned(),
            theme: frame::theme(&parts.headers),
            web: web.clone(),
            me,
            session,
            told,
        })
    }
}

impl Visit {
    /// Whether the token allows it.
    pub fn may(&self, scope: Scope) -> bool {
        self.me.scopes.allows(scope)
    }

    /// Whether the token allows listening to what happens.
    pub fn may_listen(&self) -> bool {
        EVENTS.allows(&self.me.scopes)
    }

    /// Which day it is for whoever looks.
    pub fn today(&self) -> NaiveDate {
        self.me.subject.today(Utc::now())
    }

    /// An address of this site.
    pub fn address(&self, path: &str, parameters: &[(&str, &str)]) -> String {
        address::with_query(&format!("{}{path}", self.web.prefix()), parameters)
    }

    /// Reads a resource of the API.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ApiRefusal> {
        self.web.client().get(&self.session, path).await
    }

    /// Changes something over the API.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn send(&self, method: Method, path: &str, body: Option<Value>) -> Result<Value, ApiRefusal> {
        self.web.client().send_json(&self.session, method, path, body).await
    }

    /// An answer of the API as it comes.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn stream(&self, path: &str) -> Result<Response, ApiRefusal> {
        self.web.client().send(&self.session, Method::GET, path, None).await
    }

    /// The same as another media type than JSON.
    ///
    /// # Errors
    /// What the API refused.
    pub async fn stream_as(&self, path: &str, media_type: HeaderValue) -> Result<Response, ApiRefusal> {
        self.web.client().send_accepting(&self.session, path, media_type).await
    }

    /// Resolves when the session was ended; never where there is none to end.
    pub fn signed_out(&self) -> impl Future<Output = ()> + Send + use<> {
        let (web, signed_in) = (self.web.clone(), self.session.signed_in);
        async move {
            let Some(SignedIn { id, .. }) = signed_in else { return std::future::pending().await };
            loop {
                tokio::time::sleep(LOOK_AGAIN).await;
                // While the store cannot be asked no event comes from it either.
                if let Ok(true) = web.app().ask(web.app().store.session_ended(id)).await {
                    return;
                }
            }
        }
    }

    /// What surrounds the page.
    pub fn frame(&self) -> PageFrame {
        let who = self.me.subject.name.as_ref().or(self.me.subject.email.as_ref());
        let who = who.map_or_else(|| self.me.tenant.clone(), |name| format!("{name} · {}", self.me.tenant));
        PageFrame {
            prefix: self.web.prefix().to_owned(),
            theme: self.theme.clone(),
            session: Some(SignedInAs { who, links: frame::links(&self.me.scopes, &self.path) }),
            here: self.here.clone(),
            done: self.told.done.clone(),
        }
    }

    /// The page, and an end to the word of what was done.
    ///
    /// # Errors
    /// Those of the template.
    pub fn show(self, page: &impl Template) -> Result<Response, PageError> {
        Ok((self.told.jar, frame::html(page)?).into_response())
    }

    /// Back to the page that the form stood on, with word of what was done.
    pub fn back(self, form_back: &str, done: Flash) -> Response {
        let to = address::back(form_back, self.web.prefix());
        let jar = self.told.jar.add(done.cookie(self.web.prefix()));
        (jar, Redirect::to(&to)).into_response()
    }
}
