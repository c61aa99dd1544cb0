//! Damaged lists of sockets, whose names any process may choose, and damaged answers of a job.

use super::*;
use cushmem_fuzz::{Parser, is_one_line, within};

fn parser(name: &'static str) -> Parser {
    Parser::new(name, env!("CARGO_PKG_NAME"))
}

#[test]
fn status_sockets() {
    let row = "0000000000000000: 00000002 00000000 00010000 0001 01 1234";
    let table =
        format!("Num RefCount Protocol Flags Type St Inode Path\n{row} /run/x\n{row} @cushmem/0/71/ab12\n{row}\n");
    let tokens = [" @cushmem/", "@cushmem/", "/", "\n", "4294967296", "-1", "2147483648", "a", "\0", "\u{1b}", "ü"];
    parser("status_sockets").sample("one_job", table).tokens(&tokens).run(|bytes| {
        let text = String::from_utf8_lossy(bytes);
        for name in within(64 * bytes.len() + 1024, || jobs(bytes)) {
            assert!(Name::parse(&name.text()) == Some(name.clone()) && text.contains(&name.job_id), "{name:?}");
        }
    });
}

#[test]
fn status_answer() {
    let granted = format!("{GRANTED}\nPE 0: fence x for 3 s\nhost b, PE 1: computing\n");
    let parser = parser("status_answer").sample("granted", granted).sample("refused", "this job belongs to user 7\n");
    parser.tokens(&[GRANTED, "\n", "\r", "\0", "\u{1b}", "ü"]).run(|bytes| {
        match within(16 * bytes.len() + 1024, || states_in(bytes)) {
            Ok(states) => assert!(String::from_utf8_lossy(bytes).ends_with(&states)),
            Err(why) => is_one_line(&why, bytes),
        }
    });
}
