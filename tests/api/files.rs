//! POST /ingest/items with a file as it is.

use gleaner_model::Scope;
use gleaner_store::{Store, StoreConfig};
use gleaner_testkit::{
    api::{Api, item},
    fixture::new_token,
    gleaner::{self, GleanerProcess},
    http::{HttpRequest, HttpResponse},
    redis::{RedisServer, free_port},
};
use serde_json::Value;
use std::{fs, process::Command};

const VTT: &str =
    "WEBVTT\n\n00:00:01.000 --> 00:00:04.000\n<v Dana Reyes>I'll send the revised SOW to Northwind by Friday.\n";

async fn send_file(api: &Api, query: &str, content_type: &str, body: impl Into<Vec<u8>>) -> HttpResponse {
    api.call("POST", &format!("/ingest/items?{query}")).body(content_type, body).send().await
}

/// The job of an accepted file.
async fn job_of(api: &Api, query: &str, content_type: &str, body: impl Into<Vec<u8>>) -> Value {
    let answer = send_file(api, query, content_type, body).await.expect(202);
    api.get(answer.header("location").unwrap()).await.expect(200).json()
}

#[tokio::test]
async fn a_file_is_the_transcript_and_the_query_says_the_rest() {
    let api = Api::start().await;
    for media in ["text/plain", "text/markdown; charset=utf-8", "Text/VTT", "application/x-subrip"] {
        let query = "source_type=meeting&external_id=a%2Fb.vtt&title=Weekly&occurred_at=2026-03-03T15:00:00-06:00\
                     &participant=Dana%20Reyes&time_zone=America/Chicago&metadata[ticket]=7";
        let job = job_of(&api, query, media, VTT).await;
        assert_eq!((&job["source_type"], &job["external_id"]), (&"meeting".into(), &"a/b.vtt".into()));
    }
    assert_eq!(
        api.get("/ingest/jobs").await.json()["items"].as_array().unwrap().len(),
        1,
        "the same content each time"
    );
    let mut same = item("a/b.vtt");
    same["transcript"] = VTT.into();
    same["occurred_at"] = "2026-03-03T15:00:00-06:00".into();
    same["metadata"] = serde_json::json!({"participant": "Dana Reyes", "time_zone": "America/Chicago", "ticket": "7"});
    assert_eq!(api.submit(&same).await.expect(202).header("idempotent-replayed"), Some("true"), "as in JSON");
}

#[tokio::test]
async fn what_breaks_a_rule_is_named_as_in_json() {
    let api = Api::start().await;
    let all = "source_type=meeting&external_id=m";
    let cases = [
        ("", VTT.as_bytes(), "/source_type"),
        ("external_id=m", VTT.as_bytes(), "/source_type"),
        ("source_type=meeting", VTT.as_bytes(), "/external_id"),
        ("source_type=Meeting&external_id=m", VTT.as_bytes(), "/source_type"),
        (all, b"  \n".as_slice(), "/transcript"),
        (all, b"".as_slice(), "/transcript"),
        (all, b"caf\xe9".as_slice(), "/transcript"),
        ("source_type=meeting&external_id=m&occurred_at=yesterday", VTT.as_bytes(), "/occurred_at"),
        ("source_type=meeting&external_id=m&time_zone=Mars/Base", VTT.as_bytes(), "/metadata/time_zone"),
        ("source_type=meeting&external_id=m&colour=red", VTT.as_bytes(), "/colour"),
        ("source_type=meeting&external_id=m&transcript=x", VTT.as_bytes(), "/transcript"),
        ("source_type=meeting&source_type=call&external_id=m", VTT.as_bytes(), "/source_type"),
    ];
    for (query, body, pointer) in cases {
        let problem = send_file(&api, query, "text/vtt", body).await.problem(422, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], pointer, "{query}: {problem}");
    }
    let members = api.call("POST", "/ingest/items?title=x").json(&item("m")).send().await;
    assert_eq!(members.problem(422, "invalid-request")["errors"][0]["pointer"], "/title", "in JSON it is a member");
    send_file(&api, all, "text/plain; charset=klingon", "x").await.problem(415, "unsupported-media-type");
    send_file(&api, all, "text/html", "x").await.problem(415, "unsupported-media-type");
    send_file(&api, all, "text/plain", "ä".repeat(200_001)).await.problem(413, "content-too-large");
    send_file(&api, all, "text/plain", vec![b'x'; (1 << 20) + 1]).await.problem(413, "content-too-large");
    send_file(&api, all, "text/plain", "ä".repeat(200_000)).await.expect(202);
    let latin = send_file(&api, all, "text/plain; charset=ISO-8859-1", b"Gr\xfc\xdfe".as_slice()).await;
    latin.expect(202);
}

#[tokio::test]
async fn a_mail_says_itself_what_it_is() {
    let api = Api::start().await;
    let mail = "From: Dana Reyes <dana@example.com>\r\nTo: sam@example.com\r\nSubject: =?utf-8?q?The_SOW?=\r\n\
                Date: Tue, 3 Mar 2026 09:00:00 -0600\r\nMessage-ID: <sow-1@example.com>\r\nMIME-Version: 1.0\r\n\
                Content-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n\
                <p>I'll send the revised SOW to Northwind by Friday.</p><p>Gr=FC=DFe</p>\r\n";
    let job = job_of(&api, "", "message/rfc822", mail).await;
    assert_eq!((&job["source_type"], &job["external_id"]), (&"email".into(), &"sow-1@example.com".into()));
    let told = job_of(&api, "external_id=mine&source_type=note", "message/rfc822", mail).await;
    assert_eq!((&told["source_type"], &told["external_id"]), (&"note".into(), &"mine".into()));
    let nameless = mail.replace("Message-ID: <sow-1@example.com>\r\n", "");
    let problem = send_file(&api, "", "message/rfc822", nameless).await.problem(422, "invalid-request");
    assert_eq!(problem["errors"][0]["pointer"], "/external_id");
    let empty = "From: a@example.com\r\nMessage-ID: <1@example.com>\r\n\r\n";
    let problem = send_file(&api, "", "message/rfc822", empty).await.problem(422, "invalid-request");
    assert_eq!(problem["errors"][0]["pointer"], "/transcript");
}

#[tokio::test]
async fn of_a_word_document_the_paragraphs_are_read() {
    const WORD: &str = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
    let api = Api::start().await;
    let all = "source_type=meeting&external_id=weekly.docx&occurred_at=2026-03-03T15:00:00Z";
    job_of(&api, all, WORD, include_bytes!("weekly.docx").as_slice()).await;
    let problem = send_file(&api, all, WORD, "PK\u{3}\u{4}").await.problem(422, "invalid-request");
    assert_eq!(problem["errors"][0]["pointer"], "/transcript");
    send_file(&api, "", WORD, include_bytes!("weekly.docx").as_slice()).await.problem(422, "invalid-request");
}

/// A document that nobody wrote: an object tree with one page whose content is `content`.
fn pdf(content: &[u8], filter: &str) -> Vec<u8> {
    let mut file = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    let stream = format!("<< /Length {} {filter} >>\nstream\n", content.len());
    let objects: [Vec<u8>; 5] = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_vec(),
        [stream.as_bytes(), content, b"\nendstream"].concat(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
    ];
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.extend(format!("{} 0 obj\n", number + 1).as_bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let table = file.len();
    file.extend(b"xref\n0 6\n0000000000 65535 f \n");
    for place in places {
        file.extend(format!("{place:010} 00000 n \n").as_bytes());
    }
    file.extend(format!("trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n").as_bytes());
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_pdf_the_lines_are_read_by_a_process_that_may_fail() {
    let redis = RedisServer::in_memory();
    let store = Store::connect(&StoreConfig::at(redis.url())).await.unwrap();
    let token = new_token(&store, "default", &Scope::ALL).await;
    let port = free_port();
    let _api = GleanerProcess::api(&redis.url(), port);
    let ask =
        |method: &str, path: &str| HttpRequest::new(([127, 0, 0, 1], port).into(), method, path).token(token.expose());
    let send = |body: Vec<u8>| {
        let query = "/ingest/items?source_type=meeting&external_id=weekly.pdf&occurred_at=2026-03-03T15:00:00Z";
        ask("POST", query).body("application/pdf", body).send()
    };
    let whole = include_bytes!("weekly.pdf").to_vec();
    send(whole.clone()).await.expect(202);
    let text =
        Command::new(gleaner::binary()).arg("read-pdf").stdin(fs::File::open("api/weekly.pdf").unwrap()).output();
    let text = String::from_utf8(text.unwrap().stdout).unwrap();
    for line in [
        "Dana Reyes: I’ll send the revised statement of work to Northwind by Friday",
        "Tomas Lindqvist: Sure, will do.",
        "Größe, naïve",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }

    send(pdf(b"BT /F1 12 Tf 72 720 Td (Dana: I will send the offer by Friday.) Tj ET", "")).await.expect(202);
    // A block that refers to nothing before it can be repeated as it is: 250 MB of text.
    let mut block = Vec::with_capacity(1 << 16);
    let piece = b"BT /F1 12 Tf (aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa) Tj ET\n".repeat(16 * 1024);
    let mut deflate = flate2::Compress::new(flate2::Compression::best(), false);
    deflate.compress_vec(&piece, &mut block, flate2::FlushCompress::Full).unwrap();
    let packed = [&[0x78, 0xda][..], &block.repeat(250_000_000 / piece.len()), &[3, 0, 0, 0, 0, 0]].concat();
    let bomb = pdf(&packed, "/Filter /FlateDecode");
    assert!(bomb.len() < 1 << 20, "{}", bomb.len());
    let blank = pdf(b"", "");
    for (body, why) in [
        (bomb, "takes too"),
        (blank, "without text"),
        (whole[..whole.len() / 2].to_vec(), "is not a PDF"),
        (b"%PDF-1.4\nnonsense".to_vec(), "is not a PDF"),
        (b"Dana: I'll go.".to_vec(), "is not a PDF"),
    ] {
        let problem = send(body).await.problem(422, "invalid-request");
        assert_eq!(problem["errors"][0]["pointer"], "/transcript");
        assert!(problem["errors"][0]["detail"].as_str().unwrap().contains(why), "{problem}");
    }
    ask("GET", "/ingest/jobs").send().await.expect(200);
}
