//! `--hosts` and `--hostfile`: on which hosts the PEs run, and how many on each.

#[cfg(test)]
#[path = "fuzz_tests.rs"]
mod fuzz;
mod part;
mod tree;

use std::collections::HashSet;
use std::fmt;
use std::path::Path;

use cushmem_environment::MAX_PES;

pub use part::{Part, pes_of};
pub use tree::{Branch, branches, height};

/// The longest name of a host.
const MOST_NAME_BYTES: usize = 255;
/// How much of a wrong text an error quotes.
const MOST_QUOTED_BYTES: usize = 256;
/// How many hosts an error names.
const MOST_NAMED: usize = 8;

/// A host and its PEs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// As the user typed it.
    pub name: String,
    /// How many PEs it may have, or has.
    pub pes: u32,
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.name, self.pes)
    }
}

/// Reads a list such as `a:4,b:4`. A host without a number has one PE.
pub fn parse(text: &str) -> Result<Vec<Host>, String> {
    let hosts: Vec<Host> = text.split(',').map(host).collect::<Result<_, _>>()?;
    distinct(hosts)
}

/// Reads a file with a host in each line: `a`, `a:4` or `a slots=4`. Everything after a `#` is ignored.
pub fn read(file: &Path) -> Result<Vec<Host>, String> {
    let name = file.display().to_string();
    let text = cushmem_environment::text_of(file).map_err(|error| format!("--hostfile: read '{name}': {error}"))?;
    in_file(&name, &text)
}

/// Reads the text of the file with this name.
fn in_file(name: &str, text: &str) -> Result<Vec<Host>, String> {
    let mut hosts = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            hosts.push(in_line(line).map_err(|why| format!("--hostfile: '{name}', line {number}: {why}"))?);
        }
    }
    if hosts.is_empty() {
        return Err(format!("--hostfile: '{name}' names no host"));
    }
    distinct(hosts).map_err(|why| format!("--hostfile: '{name}': {why}"))
}

fn in_line(line: &str) -> Result<Host, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[..] {
        [one] => host(one),
        [name, slots] if slots.starts_with("slots=") && !name.contains(':') => {
            host(&format!("{name}:{}", &slots["slots=".len()..]))
        }
        _ => Err(format!("'{}' is not HOST, HOST:N or HOST slots=N", cut(line))),
    }
}

fn host(text: &str) -> Result<Host, String> {
    let (name, pes) = text.rsplit_once(':').unwrap_or((text, "1"));
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b".-_@".contains(&byte);
    // A name that starts with a hyphen would be an option of ssh.
    let has_length = (1..=MOST_NAME_BYTES).contains(&name.len());
    if !has_length || name.starts_with('-') || !name.bytes().all(is_name) {
        return Err(format!("'{}' is not the name of a host", cut(name)));
    }
    let pes = pes.parse().ok().filter(|pes| (1..=MAX_PES).contains(pes));
    let pes = pes.ok_or_else(|| format!("'{}': the number of PEs is from 1 to {MAX_PES}", cut(text)))?;
    Ok(Host { name: name.to_owned(), pes })
}

/// The start of a text, for an error.
fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_QUOTED_BYTES)]
}

/// Hosts in an error, of which there may be thousands.
pub fn some_of(hosts: &[impl fmt::Display]) -> String {
    let named: Vec<String> = hosts.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    let rest = hosts.len() - named.len();
    let more = if rest == 0 { String::new() } else { format!(" and {rest} more") };
    named.join(", ") + &more
}

fn distinct(hosts: Vec<Host>) -> Result<Vec<Host>, String> {
    let mut names = HashSet::new();
    match hosts.iter().find(|host| !names.insert(&host.name)) {
        Some(host) => Err(format!("host {} is there twice", cut(&host.name))),
        None => Ok(hosts),
    }
}

/// Gives each host as many of `n_pes` PEs as it may have, in the order of the list. Hosts that get none are left out.
pub fn fill(hosts: Vec<Host>, n_pes: u32) -> Result<Vec<Host>, String> {
    let room: u64 = hosts.iter().map(|host| u64::from(host.pes)).sum();
    if u64::from(n_pes) > room {
        return Err(format!("{n_pes} PEs: the hosts have room for {room} ({})", some_of(&hosts)));
    }
    let mut left = n_pes;
    let take = |host: Host| {
        let pes = host.pes.min(left);
        left -= pes;
        Host { pes, ..host }
    };
    Ok(hosts.into_iter().map(take).filter(|host| host.pes > 0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn words(hosts: &[Host]) -> Vec<String> {
        hosts.iter().map(Host::to_string).collect()
    }

    #[test]
    fn lists_are_read() {
        assert_eq!(
            words(&parse("a:4,user@b.example:12,10.0.0.7").unwrap()),
            ["a:4", "user@b.example:12", "10.0.0.7:1"]
        );
        for (text, part) in [
            ("a:0", "'a:0': the number of PEs is from 1 to 65536"),
            ("a:x", "'a:x': the number"),
            ("a:65537", "65536"),
            ("a:4,a", "host a is there twice"),
            ("a,,b", "'' is not the name"),
            ("-oProxyCommand=x", "is not the name of a host"),
            ("a b", "is not the name of a host"),
            (&"a".repeat(256), "is not the name of a host"),
        ] {
            let why = parse(text).unwrap_err();
            assert!(why.contains(part), "{why}");
        }
    }

    #[test]
    fn files_are_read_and_their_wrong_lines_are_numbered() {
        let file = |text: &str| {
            let (mut reader, mut writer) = std::io::pipe().unwrap();
            writer.write_all(text.as_bytes()).unwrap();
            drop(writer);
            let folder = cushmem_scratch::Folder::new("host-list").unwrap();
            let name = folder.join("hosts");
            let mut target = std::fs::File::create(&name).unwrap();
            std::io::copy(&mut reader, &mut target).unwrap();
            read(&name)
        };
        assert_eq!(words(&file("# two hosts\na slots=4\n\nb:2 # the second\nc\n").unwrap()), ["a:4", "b:2", "c:1"]);
        for (text, part) in [
            ("a\nb slots=\n", "line 2: 'b:': the number"),
            ("a:1 slots=2\n", "line 1: 'a:1 slots=2' is not HOST, HOST:N or HOST slots=N"),
            ("# nothing\n", "names no host"),
            ("a\na:3\n", "host a is there twice"),
        ] {
            let why = file(text).unwrap_err();
            assert!(why.starts_with("--hostfile: '") && why.contains(part), "{why}");
        }
        assert!(read(Path::new("/nowhere/hosts")).unwrap_err().contains("'/nowhere/hosts'"));
    }

    #[test]
    fn hosts_are_filled_in_their_order() {
        let hosts = parse("a:2,b:3,c:1").unwrap();
        assert_eq!(words(&fill(hosts.clone(), 6).unwrap()), ["a:2", "b:3", "c:1"]);
        assert_eq!(words(&fill(hosts.clone(), 4).unwrap()), ["a:2", "b:2"]);
        assert_eq!(fill(hosts, 7), Err("7 PEs: the hosts have room for 6 (a:2, b:3, c:1)".into()));
        let many: Vec<Host> = (0..10_000).map(|host| Host { name: format!("h{host}"), pes: 1 }).collect();
        let why = fill(many, 10_001).unwrap_err();
        assert!(
            why.ends_with("room for 10000 (h0:1, h1:1, h2:1, h3:1, h4:1, h5:1, h6:1, h7:1 and 9992 more)"),
            "{why}"
        );
    }
}
