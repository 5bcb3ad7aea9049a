//! The list of tasks as a file: the same list as the page shows, all of it.

use super::{PageError, tasks::list_query::TaskListQuery, visit::Visit};
use axum::{
    extract::Query,
    http::{HeaderValue, header},
    response::Response,
};

/// `GET /app/tasks.csv`
pub async fn csv(visit: Visit, Query(asked): Query<TaskListQuery>) -> Result<Response, PageError> {
    let name = HeaderValue::from_static("attachment; filename=\"tasks.csv\"");
    file(&visit, &asked, HeaderValue::from_static("text/csv"), name).await
}

/// `GET /app/tasks.md`
pub async fn markdown(visit: Visit, Query(asked): Query<TaskListQuery>) -> Result<Response, PageError> {
    let name = HeaderValue::from_static("attachment; filename=\"tasks.md\"");
    file(&visit, &asked, HeaderValue::from_static("text/markdown"), name).await
}

async fn file(
    visit: &Visit,
    asked: &TaskListQuery,
    media_type: HeaderValue,
    name: HeaderValue,
) -> Result<Response, PageError> {
    let mut response = visit.stream_as(&asked.request(visit.today()), media_type).await?;
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}
