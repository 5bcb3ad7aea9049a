//! What surrounds every page: navigation, theme, and word of what was done.

use super::{PageError, Web, address, assets, flash::Flash};
use askama::Template;
use axum::{
    extract::{Form, OriginalUri, State},
    http::{Extensions, HeaderMap, Uri, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use axum_extra::extract::{
    CookieJar,
    cookie::{Cookie, SameSite},
};
use gleaner_model::{Scope, ScopeSet};
use serde::Deserialize;

const THEME: &str = "gleaner_theme";

/// What surrounds a page.
pub struct PageFrame {
    /// Path under which the site is published.
    pub prefix: String,
    /// The theme that was chosen; else the system's.
    pub theme: Option<String>,
    /// Who is signed in.
    pub session: Option<SignedInAs>,
    /// The page's own address.
    pub here: String,
    /// What the last step did.
    pub done: Option<Flash>,
}

/// Who is signed in.
pub struct SignedInAs {
    /// Whom the token speaks for, and whose data it opens.
    pub who: String,
    /// Where the token may go.
    pub links: Vec<NavLink>,
}

/// One entry of the navigation, or one tab.
pub struct NavLink {
    /// Path without the prefix.
    pub path: String,
    /// What it is called.
    pub label: &'static str,
    /// Whether it is the page that is shown.
    pub here: bool,
}

impl PageFrame {
    /// A frame around a page for nobody in particular.
    pub fn bare(prefix: &str, theme: Option<String>, here: &str) -> Self {
        Self { prefix: prefix.to_owned(), theme, session: None, here: here.to_owned(), done: None }
    }

    /// Address of a file that pages need.
    pub fn asset(&self, name: &str) -> String {
        format!("{}{}", self.prefix, assets::path(name))
    }
}

/// The navigation that a token's scopes allow.
pub fn links(scopes: &ScopeSet, path: &str) -> Vec<NavLink> {
    let of = |to: &str, label, scope: &[Scope]| {
        let here = if to == "/" { path == "/" || path.starts_with("/app/tasks") } else { path.starts_with(to) };
        scopes.allows_any(scope).then(|| NavLink { path: to.to_owned(), label, here })
    };
    [
        of("/", "Tasks", &[Scope::TasksRead]),
        of("/app/people", "People", &[Scope::TasksRead]),
        of("/app/week", "Week", &[Scope::TasksRead]),
        of("/app/add", "Add", &[Scope::IngestWrite]),
        of("/app/items", "Items", &[Scope::IngestRead, Scope::IngestWrite]),
    ]
    .into_iter()
    .flatten()
    .chain(settings(scopes, path).into_iter().take(1).map(|first| NavLink {
        here: path.starts_with("/app/settings"),
        label: "Settings",
        ..first
    }))
    .collect()
}

/// The pages under Settings that a token's scopes allow.
pub fn settings(scopes: &ScopeSet, path: &str) -> Vec<NavLink> {
    let pages: [(&str, &'static str, &[Scope]); 4] = [
        ("/app/settings/tokens", "API tokens", &[Scope::TokensWrite]),
        ("/app/settings/webhooks", "Webhooks", &[Scope::WebhooksWrite]),
        ("/app/settings/calendars", "Calendars", &[Scope::TasksRead]),
        ("/app/settings/learning", "Learning", &[Scope::TasksRead, Scope::FeedbackWrite]),
    ];
    let allowed = pages.into_iter().filter(|(.., any)| scopes.allows_any(any));
    allowed.map(|(to, label, _)| NavLink { path: to.to_owned(), label, here: to == path }).collect()
}

/// A rendered page.
///
/// # Errors
/// Those of the template.
pub fn html(page: &impl Template) -> Result<Response, PageError> {
    Ok(Html(page.render()?).into_response())
}

/// The theme that was chosen.
pub fn theme(headers: &HeaderMap) -> Option<String> {
    let theme = CookieJar::from_headers(headers).get(THEME)?.value().to_owned();
    matches!(theme.as_str(), "light" | "dark").then_some(theme)
}

/// The address that the browser shows, whether a proxy took the prefix off on the way here or left it on.
pub fn here(extensions: &Extensions, uri: &Uri, prefix: &str) -> String {
    let uri = extensions.get::<OriginalUri>().map_or(uri, |OriginalUri(uri)| uri);
    let seen = uri.path_and_query().map_or("/", |both| both.as_str());
    let with_prefix = seen.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    if with_prefix { seen.to_owned() } else { format!("{prefix}{seen}") }
}

#[derive(Deserialize)]
pub struct ThemeForm {
    theme: String,
    back: String,
}

/// `POST /app/theme`
pub async fn set_theme(State(web): State<Web>, Form(form): Form<ThemeForm>) -> Response {
    let mut cookie = Cookie::new(THEME, if form.theme == "dark" { "dark" } else { "light" });
    cookie.set_path(format!("{}/", web.prefix()));
    cookie.set_same_site(SameSite::Lax);
    cookie.make_permanent();
    let mut response = Redirect::to(&address::back(&form.back, web.prefix())).into_response();
    if let Ok(value) = cookie.to_string().parse() {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_has_the_prefix_whatever_the_proxy_did_with_it() {
        let seen = |uri: &'static str| here(&Extensions::new(), &Uri::from_static(uri), "/g");
        assert_eq!(seen("/g/app/add?x=1"), "/g/app/add?x=1");
        assert_eq!(seen("/app/add"), "/g/app/add");
        assert_eq!(seen("/gone"), "/g/gone");
        assert_eq!(here(&Extensions::new(), &Uri::from_static("/?q=a"), ""), "/?q=a");
    }

    #[test]
    fn the_page_for_tenants_names_the_pages_that_each_scope_opens() {
        let guide = include_str!("../../../docs/tenants.md");
        for scope in Scope::ALL {
            let scopes = [scope].into_iter().collect();
            let labels = |links: Vec<NavLink>| links.iter().map(|link| link.label).collect::<Vec<_>>().join(", ");
            let main = labels(links(&scopes, "/").into_iter().filter(|link| link.label != "Settings").collect());
            let more = labels(settings(&scopes, "/"));
            let more = if more.is_empty() { more } else { format!("Settings: {more}") };
            let pages = [main, more].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(", ");
            let pages = if pages.is_empty() { "none".to_owned() } else { pages };
            let row = guide.lines().find(|line| line.starts_with(&format!("| `{scope}` |"))).unwrap_or_default();
            assert!(row.ends_with(&format!("| {pages} |")), "{scope}: {pages}; {row}");
        }
    }
}
