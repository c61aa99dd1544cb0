//! Damaged lists and files of hosts.

use super::*;
use cushmem_fuzz::{Parser, is_one_line, within};

const TOKENS: [&str; 14] =
    [",", ":", ":65536", ":65537", "4294967297", " slots=", "#", "\n", "\r", "-", "@", "\u{1b}", "ü", "\0"];

fn checked(text: &[u8], found: Result<Vec<Host>, String>) {
    match found {
        Ok(hosts) => {
            let list: Vec<String> = hosts.iter().map(Host::to_string).collect();
            assert_eq!(parse(&list.join(",")), Ok(hosts.clone()));
            let room: u64 = hosts.iter().map(|host| u64::from(host.pes)).sum();
            assert!(hosts.iter().all(|host| (1..=MAX_PES).contains(&host.pes)));
            let filled = fill(hosts, 5).map(|hosts| hosts.iter().map(|host| host.pes).sum());
            assert_eq!(filled.ok(), (room >= 5).then_some(5));
        }
        Err(why) => is_one_line(&why, text),
    }
}

#[test]
fn host_list() {
    let parser = Parser::new("host_list", env!("CARGO_PKG_NAME"));
    parser.sample("names", "a:4,user@b.example:12,c").sample("addresses", "10.0.0.7:65536,h-2_x").tokens(&TOKENS).run(
        |bytes| {
            let text = String::from_utf8_lossy(bytes);
            checked(bytes, within(64 * text.len() + 1024, || parse(&text)));
        },
    );
}

#[test]
fn host_file() {
    let parser = Parser::new("host_file", env!("CARGO_PKG_NAME"));
    let text = "# two hosts\na slots=4\n\nb:2 # the second\r\n\tc\n";
    parser.sample("three", text).tokens(&TOKENS).run(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        checked(bytes, within(64 * text.len() + 1024, || in_file("hosts", &text)));
    });
}
