//! Feeds parsers with damaged inputs. The tests are in the crates of the parsers, in modules called `fuzz`, and
//! `cargo xtask ci --all` and `cargo xtask soak` run them with more inputs.
//!
//! A test gives valid inputs, the *samples*, and a function that checks what the parser does with any input. The
//! samples are files of the *corpus* (`tests/fuzz/corpus/PARSER`), together with inputs that some version could not
//! digest. Each input of a run is one of the corpus, changed a few times: see [`mutation`]. What is changed depends on
//! the seed, the parser and the number of the input alone.
//!
//! A sample that is not in the corpus as it is fails the test, so a message whose bytes change is noticed.
//! `CUSHMEM_TEST_REWRITE=1` writes the samples.

mod allocation;
mod mutation;

use cushmem_environment::{TEST_INPUTS, TEST_REWRITE, TEST_SEED};
use cushmem_numbers::Random;
use mutation::Mutation;
use std::cell::Cell;
use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

pub use allocation::within;

/// How many inputs a parser gets unless `CUSHMEM_TEST_INPUTS` says otherwise.
const INPUTS: u64 = 4_000;
/// The longest error, besides what it quotes.
const MOST_ERROR_CHARS: usize = 400;
/// The bytes before each message of an input that consists of messages.
const LENGTH_BYTES: usize = 4;

/// A parser, and what its inputs are made of.
pub struct Parser {
    /// Also the name of the test and the folder of the corpus.
    name: &'static str,
    package: &'static str,
    samples: Vec<(String, Vec<u8>)>,
    tokens: Vec<Vec<u8>>,
    most_bytes: usize,
    /// One of how many inputs it gets.
    one_of: u64,
}

impl Parser {
    /// The parser with this name, which is also that of the test, in the package `env!("CARGO_PKG_NAME")`.
    pub fn new(name: &'static str, package: &'static str) -> Self {
        Self { name, package, samples: vec![], tokens: vec![], most_bytes: 4096, one_of: 1 }
    }

    /// Adds a valid input.
    #[must_use]
    pub fn sample(mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        self.samples.push((name.into(), bytes.into()));
        self
    }

    /// Adds a valid input that consists of messages.
    #[must_use]
    pub fn messages(self, name: impl Into<String>, messages: &[Vec<u8>]) -> Self {
        self.sample(name, joined(messages))
    }

    /// Adds words that inputs of this parser may contain.
    #[must_use]
    pub fn tokens(mut self, tokens: &[impl AsRef<[u8]>]) -> Self {
        self.tokens.extend(tokens.iter().map(|token| token.as_ref().to_vec()));
        self
    }

    /// Sets the length of the longest input, for those with limits that lie further out.
    #[must_use]
    pub fn most_bytes(mut self, most_bytes: usize) -> Self {
        self.most_bytes = most_bytes;
        self
    }

    /// Gives the parser only one of so many inputs, because it takes that many times as long as others.
    #[must_use]
    pub fn costly(mut self, one_of: u64) -> Self {
        self.one_of = one_of;
        self
    }

    /// Checks what the parser does with each input: the function panics if that is wrong.
    pub fn run(&self, check: impl Fn(&[u8])) {
        let corpus = self.corpus();
        let mutation = Mutation { corpus: &corpus, tokens: &self.tokens, most_bytes: self.most_bytes };
        self.feed(&corpus, |random| mutation.bytes(random), check);
    }

    /// The same for inputs that consist of messages, which are also dropped, repeated and exchanged.
    pub fn run_messages(&self, check: impl Fn(&[Vec<u8>])) {
        let corpus = self.corpus();
        let parts: Vec<Vec<Vec<u8>>> = corpus.iter().map(|bytes| split(bytes)).collect();
        let all: Vec<Vec<u8>> = parts.iter().flatten().cloned().collect();
        let mutation = Mutation { corpus: &all, tokens: &self.tokens, most_bytes: self.most_bytes };
        self.feed(&corpus, |random| joined(&mutation.messages(&parts, random)), |input| check(&split(input)));
    }

    fn feed(&self, corpus: &[Vec<u8>], input: impl Fn(&mut Random) -> Vec<u8>, check: impl Fn(&[u8])) {
        let kept = |bytes: &Vec<u8>| {
            let current = Current { parser: self, how: Cell::new(String::new()), bytes };
            check(current.bytes);
        };
        corpus.iter().for_each(kept);
        let seed = given(TEST_SEED.name).unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()))
        });
        let key = self.name.bytes().fold(seed, |key, byte| key.rotate_left(8) ^ u64::from(byte));
        let of_parser = Random::new(key);
        for number in 0..given(TEST_INPUTS.name).unwrap_or(INPUTS).div_ceil(self.one_of) {
            let bytes = input(&mut of_parser.split(number));
            let how = format!(" ({}={seed}, input {number})", TEST_SEED.name);
            let current = Current { parser: self, how: Cell::new(how), bytes: &bytes };
            check(current.bytes);
        }
    }

    /// Where an input goes that fails. The next one takes its place.
    fn failed(&self) -> PathBuf {
        std::env::temp_dir().join(format!("cushmem-fuzz-{}", self.name))
    }

    fn folder(&self) -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("corpus").join(self.name)
    }

    /// The samples, and the files of the corpus where the sources are.
    fn corpus(&self) -> Vec<Vec<u8>> {
        let folder = self.folder();
        let has_sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).exists();
        let mut different = vec![];
        for (name, bytes) in self.samples.iter().filter(|_| has_sources) {
            let file = folder.join(name);
            if fs::read(&file).ok().as_ref() == Some(bytes) {
                continue;
            }
            different.push(name.as_str());
            if std::env::var_os(TEST_REWRITE.name).is_some() {
                fs::create_dir_all(&folder).and_then(|()| fs::write(&file, bytes)).expect("a sample can be written");
            }
        }
        let rewrite = TEST_REWRITE.name;
        assert!(
            different.is_empty(),
            "not in {}: {} ({rewrite}=1 writes them)",
            folder.display(),
            different.join(", ")
        );
        let mut corpus: Vec<Vec<u8>> = self.samples.iter().map(|(_, bytes)| bytes.clone()).collect();
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        for bytes in files.iter().filter_map(|file| fs::read(file).ok()) {
            if !corpus.contains(&bytes) {
                corpus.push(bytes);
            }
        }
        corpus
    }
}

fn given(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("{variable}='{text}': no number")))
}

/// Messages as one input.
fn joined(messages: &[Vec<u8>]) -> Vec<u8> {
    let with_length = |message: &Vec<u8>| [&(message.len() as u32).to_le_bytes()[..], message].concat();
    messages.iter().flat_map(with_length).collect()
}

/// The messages of an input. What is not one is left out.
fn split(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut messages = vec![];
    while let Some((length, rest)) = bytes.split_first_chunk::<LENGTH_BYTES>()
        && let Some((message, rest)) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)
    {
        messages.push(message.to_vec());
        bytes = rest;
    }
    messages
}

/// The input that is being checked. If the check fails, says how to repeat it.
struct Current<'a> {
    parser: &'a Parser,
    how: Cell<String>,
    bytes: &'a [u8],
}

impl Drop for Current<'_> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            return;
        }
        let Parser { name, package, .. } = self.parser;
        let folder = self.parser.folder();
        let file = self.parser.failed();
        if let Err(error) = fs::write(&file, self.bytes) {
            eprintln!("write the input to {}: {error}", file.display());
        }
        let (file, folder) = (file.display(), folder.display());
        eprintln!("an input of {} bytes fails{}. To keep and repeat it:", self.bytes.len(), self.how.take());
        eprintln!("cp {file} {folder}/ && cargo test -p {package} fuzz::{name}");
    }
}

/// Checks an error about an input: it says something in one line, and stays short except for what it quotes, of which
/// an escaped byte takes at most six characters (`\u{1b}`). Control characters may only be those of the input: whoever
/// prints the error escapes them.
pub fn is_one_line(error: &str, input: &[u8]) {
    assert!(!error.trim().is_empty(), "an empty error");
    let (characters, bytes) = (error.chars().count(), input.len());
    let most = MOST_ERROR_CHARS + 6 * bytes;
    assert!(characters <= most, "an error of {characters} characters about {bytes} bytes: {error:.200}");
    let quoted = String::from_utf8_lossy(input);
    let own = error.chars().find(|character| character.is_control() && !quoted.contains(*character));
    assert!(own.is_none(), "an error with {own:?}, which the input does not have: {error:?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn parser() -> Parser {
        // It has no folder, so it is as where the sources are not.
        Parser { tokens: vec![b"word".to_vec()], ..Parser::new("none", "none") }
    }

    fn inputs(seed: u64, corpus: &[Vec<u8>]) -> Vec<Vec<u8>> {
        let parser = parser();
        let mutation = Mutation { corpus, tokens: &parser.tokens, most_bytes: 64 };
        (0..20_000).map(|number| mutation.bytes(&mut Random::new(seed).split(number))).collect()
    }

    #[test]
    fn a_seed_gives_the_same_inputs_and_another_one_others() {
        let corpus = [b"abcdefgh".to_vec(), b"12345678".to_vec()];
        assert_eq!(inputs(1, &corpus), inputs(1, &corpus));
        assert_ne!(inputs(1, &corpus), inputs(2, &corpus));
    }

    /// Catches a kind of change that is never made.
    #[test]
    fn inputs_are_cut_grown_spliced_and_changed() {
        let corpus = [b"abcdefgh".to_vec(), b"12345678".to_vec()];
        let found = inputs(1, &corpus);
        let any = |is_it: &dyn Fn(&[u8]) -> bool| found.iter().any(|input| is_it(input));
        let has = |input: &[u8], part: &[u8]| input.windows(part.len()).any(|window| window == part);
        assert!(any(&|input| input.is_empty()) && any(&|input| input.len() == 64), "shortest and longest");
        assert!(any(&|input| input == b"abcd"), "cut");
        assert!(any(&|input| has(input, b"abc678")), "spliced");
        assert!(any(&|input| has(input, b"word")), "a token");
        assert!(any(&|input| has(input, &[0xff; 4])) && any(&|input| has(input, &[0; 4])), "numbers at their borders");
        assert!(any(&|input| has(input, b"cdcdcd")), "repeated");
        assert!(any(&|input| input == b"acdefgh"), "removed");
        assert!(any(&|input| input.len() == 8 && (0..8).filter(|i| input[*i] != corpus[0][*i]).count() == 1), "a bit");
        assert!(found.iter().all(|input| input.len() <= 64));
    }

    /// Catches lengths that stay, so that everything that grew is refused for this reason alone.
    #[test]
    fn what_has_grown_is_read() {
        let of = |length: u32, part: &[u8]| [&[7], &length.to_le_bytes()[..], part].concat();
        let found = inputs(1, &[of(3, b"abc")]);
        let is_whole = |input: &Vec<u8>| {
            let length = input.get(1..5).map_or(0, |length| u32::from_le_bytes(length.try_into().expect("four bytes")));
            length > 20 && input.len() == 5 + length as usize
        };
        assert!(found.iter().any(is_whole));
        let found = inputs(1, &[of(3, b"aaaabbbbcccc")]);
        let has_items = |input: &Vec<u8>| {
            (4..9).any(|items| input.starts_with(&of(items, b"")) && input.len() == 5 + 4 * items as usize)
        };
        assert!(found.iter().any(has_items), "a list of numbers has more of them");
    }

    #[test]
    fn messages_survive_being_joined() {
        let messages = [vec![], vec![1; 300], b"x".to_vec()];
        assert_eq!(split(&joined(&messages)), messages);
        assert_eq!(split(&[9, 0, 0, 0, 1]), [] as [Vec<u8>; 0]);
    }

    /// Catches a run that never reaches what would fail, whose failure does not, or an input that is lost.
    #[test]
    fn a_failing_check_fails_the_run() {
        let seen = RefCell::new(0_u64);
        let run = |fails_at: u64| {
            seen.replace(0);
            let check = |_: &[u8]| {
                seen.replace_with(|seen| *seen + 1);
                assert!(*seen.borrow() != fails_at);
            };
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                let mutation = Mutation { corpus: &[b"x".to_vec()], tokens: &[], most_bytes: 9 };
                parser().feed(&[b"x".to_vec()], |random| mutation.bytes(random), check);
            }))
        };
        assert!(run(0).is_ok());
        let all = *seen.borrow();
        assert!(all > 1 && run(1).is_err() && run(all).is_err());
        fs::remove_file(parser().failed()).expect("the input was kept");
    }

    #[test]
    fn errors_are_short_lines() {
        let is_good = |error: &str| std::panic::catch_unwind(|| is_one_line(error, b"a\tb")).is_ok();
        assert!(is_good("'a\tb' is wrong") && !is_good(" ") && !is_good(&"x".repeat(1000)));
        assert!(!is_good("two\nlines") && !is_good("'a\tb' is wrong\n") && !is_good("\u{1b}[31mred"));
    }
}
