//! JSON in UTF-8, ids on every answer, methods, paths without a version.

use gleaner_testkit::{
    api::{Api, item},
    fixture::time,
};

#[tokio::test]
async fn every_answer_has_a_request_id() {
    let api = Api::start().await;
    for (method, path) in
        [("GET", "/"), ("GET", "/tokens/me"), ("GET", "/nowhere"), ("PUT", "/tokens"), ("OPTIONS", "/")]
    {
        let answer = api.call(method, path).send().await;
        assert!(answer.header("x-request-id").is_some_and(|id| !id.is_empty()), "{method} {path}");
    }
    api.submit(&item("m")).await.header("x-request-id").unwrap();
}

#[tokio::test]
async fn a_sane_request_id_is_kept_and_any_other_is_replaced() {
    let api = Api::start().await;
    let send = |id: &str| api.call("GET", "/tokens/me").header("x-request-id", id).send();
    assert_eq!(send("trace-1.a:b/c").await.header("x-request-id"), Some("trace-1.a:b/c"));
    for bad in ["a b", "<script>", &"x".repeat(129), ""] {
        let answer = send(bad).await;
        assert_ne!(answer.header("x-request-id"), Some(bad));
        assert_eq!(answer.header("x-request-id").unwrap().len(), 36);
    }
}

#[tokio::test]
async fn answers_are_json_and_times_are_utc_with_z() {
    let api = Api::start().await;
    let answer = api.get("/tokens/me").await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/json"));
    time(&answer.json()["created_at"]);
}

#[tokio::test]
async fn head_is_get_without_the_body() {
    let api = Api::start().await;
    for path in ["/", "/tokens/me", "/ingest/jobs", "/nowhere"] {
        let get = api.get(path).await;
        let head = api.call("HEAD", path).send().await;
        assert_eq!((head.status, head.body.len()), (get.status, 0), "{path}");
        assert_eq!(head.header("content-type"), get.header("content-type"), "{path}");
    }
}

#[tokio::test]
async fn options_says_what_a_path_takes() {
    let api = Api::start().await;
    let answer = api.request("OPTIONS", "/tokens").send().await.expect(204);
    assert_eq!(answer.header("allow"), Some("GET, POST, HEAD, OPTIONS"));
    assert_eq!(answer.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_wrong_method_is_405_with_what_is_allowed() {
    let api = Api::start().await;
    for method in ["PUT", "DELETE", "TRACE", "BREW"] {
        let answer = api.call(method, "/ingest/items").send().await;
        answer.problem(405, "method-not-allowed");
        assert_eq!(answer.header("allow"), Some("POST, OPTIONS"), "{method}");
    }
}

#[tokio::test]
async fn unknown_paths_are_404() {
    let api = Api::start().await;
    for path in ["/nowhere", "/tasks/", "/v1/tasks", "/ingest", "/ingest/jobs/x/y/z", "/%ff"] {
        api.get(path).await.problem(404, "not-found");
    }
}

#[tokio::test]
async fn behind_a_proxy_the_addresses_carry_its_prefix() {
    let api = Api::start_with(&["--path-prefix", "/gleaner"]).await;
    for path in ["/gleaner/tokens/me", "/tokens/me", "/gleaner/openapi.json"] {
        api.get(path).await.expect(200);
    }
    for path in ["/gleaner", "/gleaner/", "/"] {
        let location = api.get(path).await.expect(303).header("location").unwrap().to_owned();
        assert!(location.starts_with("/gleaner/app/sign-in"), "{path}: {location}");
    }
    api.get("/gleaner/nowhere").await.problem(404, "not-found");
    let answer = api.submit(&item("m")).await.expect(202);
    assert!(answer.header("location").unwrap().starts_with("/gleaner/ingest/jobs/"));
    assert_eq!(api.get("/openapi.json").await.json()["servers"][0]["url"], "/gleaner");
}

#[tokio::test]
async fn the_reference_needs_no_token_and_loads_nothing_from_elsewhere() {
    let api = Api::start().await;
    let answer = api.request("GET", "/docs").send().await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    let page = answer.text();
    let loaded: Vec<&str> = page.split("src=\"").skip(1).collect();
    assert!(
        loaded.iter().all(|address| address.starts_with("/") && !address.starts_with("//")),
        "only what is its own"
    );
}

#[tokio::test]
async fn the_front_page_asks_people_to_sign_in() {
    let api = Api::start().await;
    let answer = api.request("GET", "/").send().await.expect(303);
    assert!(answer.header("location").unwrap().starts_with("/app/sign-in"));
}
