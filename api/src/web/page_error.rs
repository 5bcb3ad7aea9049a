//! Why a page could not be shown, and what is shown instead.

use super::{
    Web, address,
    client::ApiRefusal,
    frame::{PageFrame, html},
};
use crate::problem::Problem;
use askama::Template;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};

/// Why a page could not be shown.
#[derive(Clone, Debug)]
pub enum PageError {
    /// Nobody is signed in, or no longer.
    SignIn,
    /// The API refused, or the form made no sense; in words.
    Refused(StatusCode, String),
    /// A fault of ours, which the log tells.
    Fault,
}

#[derive(Template)]
#[template(path = "message.html")]
struct ErrorPage {
    frame: PageFrame,
    heading: &'static str,
    detail: String,
}

impl PageError {
    /// What a form lacks.
    pub fn form(detail: impl Into<String>) -> Self {
        Self::Refused(StatusCode::UNPROCESSABLE_ENTITY, detail.into())
    }

    /// What is shown instead of the page.
    pub fn page(self, web: &Web, theme: Option<String>, here: &str) -> Response {
        let (status, heading, detail) = match self {
            Self::SignIn => {
                let path = address::with_query(&format!("{}/app/sign-in", web.prefix()), &[("back", here)]);
                return Redirect::to(&path).into_response();
            }
            Self::Refused(status @ StatusCode::NOT_FOUND, _) => (status, "There is nothing here.", String::new()),
            Self::Refused(StatusCode::FORBIDDEN, detail) => {
                (StatusCode::FORBIDDEN, "Your token does not allow this.", detail)
            }
            Self::Refused(status, detail) if status.is_client_error() => (status, "That did not work.", detail),
            Self::Refused(status, detail) => (status, "Gleaner cannot answer right now.", detail),
            Self::Fault => (StatusCode::INTERNAL_SERVER_ERROR, "Gleaner cannot answer right now.", String::new()),
        };
        let message = ErrorPage { frame: PageFrame::bare(web.prefix(), theme, here), heading, detail };
        match html(&message) {
            Ok(page) => (status, page).into_response(),
            Err(_) => (status, heading).into_response(),
        }
    }
}

impl From<ApiRefusal> for PageError {
    fn from(refusal: ApiRefusal) -> Self {
        match refusal.status {
            StatusCode::UNAUTHORIZED => Self::SignIn,
            status => Self::Refused(status, refusal.detail),
        }
    }
}

impl From<Problem> for PageError {
    fn from(problem: Problem) -> Self {
        let code = problem.code.as_str();
        match &problem.cause {
            Some(cause) if problem.ends_by_itself => {
                tracing::warn!(problem.code = code, cause, "Could not show a page");
            }
            Some(cause) => tracing::error!(problem.code = code, cause, "Could not show a page"),
            None => {}
        }
        Self::Refused(problem.status(), problem.detail.into_owned())
    }
}

impl From<askama::Error> for PageError {
    fn from(error: askama::Error) -> Self {
        tracing::error!(cause = %error, "Could not render a page");
        Self::Fault
    }
}

impl IntoResponse for PageError {
    fn into_response(self) -> Response {
        // The page needs to know where it stands: the guard around all pages renders it.
        let mut response = Response::default();
        response.extensions_mut().insert(self);
        response
    }
}
