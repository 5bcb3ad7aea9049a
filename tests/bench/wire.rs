//! One answer after the other on a kept connection, as the benches read them.

use std::{io::Read, net::TcpStream};

/// Reads one answer with a known length.
pub fn answer(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    loop {
        let read = stream.read(&mut piece).unwrap();
        assert!(read > 0, "the server closed the connection");
        bytes.extend_from_slice(&piece[..read]);
        let text = String::from_utf8_lossy(&bytes);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length =
                head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(str::to_owned));
            if body.len() >= length.unwrap().trim().parse().unwrap() {
                return text.into_owned();
            }
        }
    }
}
