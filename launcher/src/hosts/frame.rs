//! What the launchers of a job on several hosts say to each other.
//!
//! The launcher that the user started talks to those on hosts over a pair of pipes each, and these, if they have
//! started others, to those behind them. A frame is its length in
//! four bytes, its kind in one, and the rest. All numbers are little-endian; a text or a list follows its length in
//! four bytes. Both sides check every frame: a length that is too large, a kind that does not exist, and bytes that are
//! missing or left over end the job.

use std::time::Duration;

use cushmem_bootstrap::rendezvous::Gathered;
use cushmem_bootstrap::wire::{MessageKind, check_lengths};
use cushmem_record::Reading;

use crate::supervisor::Cause;

/// The version of the frames, which both sides name before the first one.
pub const VERSION: u32 = 5;
/// The kind of a [`Frame::Record`].
const RECORD: u8 = 24;
/// The same for counts.
const COUNTS: u8 = 26;
/// The number of no host.
const NO_HOST: u32 = u32::MAX;
/// How many bytes the contributions of all PEs to a round may have, with their lengths: almost 2 KiB of each of 65,536.
const MAX_GATHERED: usize = 1 << 27;
/// The longest frame, which has these contributions and a little more.
const MAX_BYTES: usize = MAX_GATHERED + (1 << 20);
/// The bytes before a frame.
pub const LENGTH_BYTES: usize = 4;

/// Why these contributions to a round cannot be sent, if they are too long.
pub fn too_long(tag: &str, contributions: &[Vec<u8>]) -> Option<String> {
    let bytes: usize = contributions.iter().map(|bytes| bytes.len() + LENGTH_BYTES).sum();
    let (count, limit) = (contributions.len(), MAX_GATHERED >> 20);
    let text = || {
        format!("allgather '{tag}': {count} PEs contribute {bytes} bytes; on several hosts, all may have {limit} MiB")
    };
    (bytes > MAX_GATHERED).then(text)
}

/// One of the three standard streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standard {
    /// Standard input of PE 0, which goes to its host.
    In,
    /// Standard output of the PEs of a host.
    Out,
    /// Standard error.
    Err,
}

impl Standard {
    const ALL: [Standard; 3] = [Standard::In, Standard::Out, Standard::Err];
}

/// What the launcher on a host has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The numbers of the host and of those behind it, the job's identifier, and the hosts with their PEs.
    pub part: String,
    /// The words of the command line after `shmemrun`.
    pub words: Vec<Vec<u8>>,
    /// The folder in which programs start.
    pub folder: Vec<u8>,
    /// Variables for the programs.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
    /// Whether PE 0 gets standard input.
    pub has_input: bool,
}

/// Why a job could not be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotStarted {
    /// The number of the host where it could not, if it was one.
    pub host: Option<u32>,
    /// The exit status for it.
    pub status: u8,
    /// The reason in words.
    pub message: String,
}

impl NotStarted {
    /// Whether this reason, which came later, is the one to be reported: of two hosts, the first in the list counts. A
    /// signal never replaces what a host has said, nor the other way round.
    pub fn counts_instead_of(&self, known: &NotStarted) -> bool {
        matches!((self.host, known.host), (Some(host), Some(other)) if host < other)
    }
}

/// A message between launchers. `→` marks those to a host, `←` those from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// →, the first: the job.
    Job(Job),
    /// ←: all PEs of the host, and of those behind it, have arrived in a round.
    Gathered(Gathered),
    /// →: the round is complete, with the bytes of all PEs.
    Complete { seq: u64, all: Vec<Vec<u8>> },
    /// ↔: no round can complete.
    Broken { reason: String },
    /// ↔: asks which PEs have not arrived in the round.
    WhoIsLate { seq: u64 },
    /// ↔: these PEs, and the last one arrived so long ago.
    Late { seq: u64, pes: Vec<u32>, since: Duration },
    /// ↔: this PE has ended after finalize.
    Gone { pe: u32 },
    /// ←: something went wrong, while PEs of these numbers were already dying.
    Failed { cause: Cause, suspects: Vec<u32> },
    /// ←: the job could not be started, on this host if there is a number.
    NotStarted(NotStarted),
    /// ←: the last lines on stderr of the PE that failed.
    Tail { pe: u32, lines: Vec<String> },
    /// →: the job ends elsewhere with this status; the PEs are to end.
    End { status: u8 },
    /// →: kill the PEs.
    Kill,
    /// →: a signal for the PEs.
    Signal(i32),
    /// →: what are the PEs waiting in?
    Inquire,
    /// ←: a line for each PE, and those whose counts have not all come since the question.
    States { lines: Vec<String>, uncounted: Vec<u32> },
    /// ←: all PEs of this host have ended, and only output and the rest of the report follow.
    Ended { host: u32 },
    /// ←: a host is lost, in this way.
    Lost { host: u32, how: String },
    /// ↔: a piece of a standard stream. If it is empty, the stream has ended: the side that writes it has no more, or
    /// nobody reads it any more at the other side.
    Piece(Standard, Vec<u8>),
    /// ↔: so many bytes of these pieces have been passed on.
    Passed(Standard, u32),
    /// ←, the last: all PEs have ended, and the host's launcher ends with this status.
    Over { status: u8 },
    /// ↔: nothing, but this launcher is running.
    Alive,
    /// →: what time is it there? ←: the answer.
    Clock { host: u32, reading: Reading },
    /// →: the host may send so many more bytes of what its PEs have recorded, all of which have ended.
    Take { host: u32, bytes: u32 },
    /// ←: a piece of what a PE of the host has recorded, which begins at this byte.
    Record { host: u32, pe: u32, at: u64, bytes: Vec<u8> },
    /// ←: that was all.
    Recorded { host: u32 },
    /// ←: a piece of what a PE of the host has counted so far, which begins at this byte of its record.
    Counts { host: u32, pe: u32, at: u64, bytes: Vec<u8> },
    /// →: so many bytes of counts have arrived.
    Counted { host: u32, bytes: u32 },
}

impl Frame {
    /// The number of its kind.
    pub fn kind(&self) -> u8 {
        self.encode()[LENGTH_BYTES]
    }

    /// The bytes of the frame, with its length in front.
    pub fn encode(&self) -> Vec<u8> {
        let mut to = Writer(vec![0; LENGTH_BYTES]);
        match self {
            Frame::Job(Job { part, words, folder, variables, has_input }) => {
                to.kind(1).text(part).list(words).bytes(folder).flag(*has_input);
                let (names, values): (Vec<_>, Vec<_>) = variables.iter().cloned().unzip();
                to.list(&names).list(&values);
            }
            Frame::Gathered(Gathered { seq, kind, tag, contributions }) => {
                to.kind(2).long(*seq).number(*kind as u32).text(tag).list(contributions);
            }
            Frame::Complete { seq, all } => drop(to.kind(3).long(*seq).list(all)),
            Frame::Broken { reason } => drop(to.kind(4).text(reason)),
            Frame::WhoIsLate { seq } => drop(to.kind(5).long(*seq)),
            Frame::Late { seq, pes, since } => drop(to.kind(6).long(*seq).numbers(pes).time(*since)),
            Frame::Gone { pe } => drop(to.kind(7).number(*pe)),
            Frame::Failed { cause, suspects } => {
                let (kind, pe, number, text) = cause.parts();
                to.kind(8).number(kind).number(pe).number(number.cast_unsigned()).text(text).numbers(suspects);
            }
            Frame::NotStarted(NotStarted { host, status, message }) => {
                to.kind(9).number(host.unwrap_or(NO_HOST)).number((*status).into()).text(message);
            }
            Frame::Tail { pe, lines } => drop(to.kind(10).number(*pe).texts(lines)),
            Frame::End { status } => drop(to.kind(11).number((*status).into())),
            Frame::Kill => drop(to.kind(12)),
            Frame::Signal(signal) => drop(to.kind(13).number(signal.cast_unsigned())),
            Frame::Inquire => drop(to.kind(14)),
            Frame::States { lines, uncounted } => drop(to.kind(15).texts(lines).numbers(uncounted)),
            Frame::Piece(stream, bytes) => drop(to.kind(16).kind(*stream as u8).bytes(bytes)),
            Frame::Passed(stream, bytes) => drop(to.kind(17).kind(*stream as u8).number(*bytes)),
            Frame::Over { status } => drop(to.kind(18).number((*status).into())),
            Frame::Alive => drop(to.kind(19)),
            Frame::Ended { host } => drop(to.kind(20).number(*host)),
            Frame::Lost { host, how } => drop(to.kind(21).number(*host).text(how)),
            Frame::Clock { host, reading: Reading { asked, there, back } } => {
                to.kind(22).number(*host).long(*asked).long(*there).long(*back);
            }
            Frame::Take { host, bytes } => drop(to.kind(23).number(*host).number(*bytes)),
            Frame::Record { host, pe, at, bytes } => {
                to.kind(RECORD).number(*host).number(*pe).long(*at).bytes(bytes);
            }
            Frame::Recorded { host } => drop(to.kind(25).number(*host)),
            Frame::Counts { host, pe, at, bytes } => {
                to.kind(COUNTS).number(*host).number(*pe).long(*at).bytes(bytes);
            }
            Frame::Counted { host, bytes } => drop(to.kind(27).number(*host).number(*bytes)),
        }
        let bytes = (to.0.len() - LENGTH_BYTES) as u32;
        to.0[..LENGTH_BYTES].copy_from_slice(&bytes.to_le_bytes());
        to.0
    }

    /// Whether this is an encoded [`Frame::Record`] or [`Frame::Counts`].
    pub fn is_record(encoded: &[u8]) -> bool {
        encoded.get(LENGTH_BYTES).is_some_and(|kind| [RECORD, COUNTS].contains(kind))
    }

    /// The first frame of what has arrived, and how many bytes it took; `None` if it is not complete yet. The error
    /// says what is wrong.
    pub fn first(bytes: &[u8]) -> Result<Option<(Frame, usize)>, String> {
        let Some((length, rest)) = bytes.split_first_chunk() else { return Ok(None) };
        let length = length_of(*length)?;
        let Some(frame) = rest.get(..length) else { return Ok(None) };
        Ok(Some((Frame::decode(frame)?, LENGTH_BYTES + length)))
    }

    /// Reads a frame, without its length. The error says what is wrong.
    pub fn decode(bytes: &[u8]) -> Result<Frame, String> {
        let (&kind, rest) = bytes.split_first().ok_or("an empty frame")?;
        let mut from = Reader(rest);
        let frame = Frame::read(kind, &mut from).ok_or_else(|| format!("a malformed frame of kind {kind}"))?;
        if from.0.is_empty() { Ok(frame) } else { Err(format!("a frame of kind {kind} that is too long")) }
    }

    fn read(kind: u8, from: &mut Reader<'_>) -> Option<Frame> {
        Some(match kind {
            1 => {
                let (part, words, folder, has_input) = (from.text()?, from.list()?, from.bytes()?, from.flag()?);
                let (names, values) = (from.list()?, from.list()?);
                if names.len() != values.len() {
                    return None;
                }
                let variables = names.into_iter().zip(values).collect();
                Frame::Job(Job { part, words, folder, variables, has_input })
            }
            2 => {
                let (seq, kind) = (from.long()?, from.number()?);
                let kinds = [MessageKind::Gather, MessageKind::Fence, MessageKind::Finalize];
                let kind = kinds.into_iter().find(|known| *known as u32 == kind)?;
                let (tag, contributions) = (from.text()?, from.contributions()?);
                check_lengths(&tag, &[]).ok()?;
                Frame::Gathered(Gathered { seq, kind, tag, contributions })
            }
            3 => Frame::Complete { seq: from.long()?, all: from.contributions()? },
            4 => Frame::Broken { reason: from.text()? },
            5 => Frame::WhoIsLate { seq: from.long()? },
            6 => Frame::Late { seq: from.long()?, pes: from.numbers()?, since: from.time()? },
            7 => Frame::Gone { pe: from.number()? },
            8 => {
                let (kind, pe, number) = (from.number()?, from.number()?, from.number()?.cast_signed());
                let cause = Cause::from_parts(kind, pe, number, from.text()?)?;
                Frame::Failed { cause, suspects: from.numbers()? }
            }
            9 => Frame::NotStarted(NotStarted {
                host: from.number().map(|host| (host != NO_HOST).then_some(host))?,
                status: from.number()?.try_into().ok()?,
                message: from.text()?,
            }),
            10 => Frame::Tail { pe: from.number()?, lines: from.texts()? },
            11 => Frame::End { status: from.number()?.try_into().ok()? },
            12 => Frame::Kill,
            13 => Frame::Signal(from.number()?.cast_signed()),
            14 => Frame::Inquire,
            15 => Frame::States { lines: from.texts()?, uncounted: from.numbers()? },
            16 => Frame::Piece(from.stream()?, from.bytes()?),
            17 => Frame::Passed(from.stream()?, from.number()?),
            18 => Frame::Over { status: from.number()?.try_into().ok()? },
            19 => Frame::Alive,
            20 => Frame::Ended { host: from.number()? },
            21 => Frame::Lost { host: from.number()?, how: from.text()? },
            22 => {
                let (host, asked, there, back) = (from.number()?, from.long()?, from.long()?, from.long()?);
                Frame::Clock { host, reading: Reading { asked, there, back } }
            }
            23 => Frame::Take { host: from.number()?, bytes: from.number()? },
            RECORD => {
                let (host, pe, at) = (from.number()?, from.number()?, from.long()?);
                Frame::Record { host, pe, at, bytes: from.bytes()? }
            }
            25 => Frame::Recorded { host: from.number()? },
            COUNTS => {
                let (host, pe, at) = (from.number()?, from.number()?, from.long()?);
                Frame::Counts { host, pe, at, bytes: from.bytes()? }
            }
            27 => Frame::Counted { host: from.number()?, bytes: from.number()? },
            _ => return None,
        })
    }
}

/// The length of a frame, from the bytes before it. The error says that none is so long.
pub fn length_of(bytes: [u8; LENGTH_BYTES]) -> Result<usize, String> {
    let length = u32::from_le_bytes(bytes) as usize;
    if length <= MAX_BYTES { Ok(length) } else { Err(format!("a frame of {length} bytes")) }
}

struct Writer(Vec<u8>);

impl Writer {
    fn kind(&mut self, kind: u8) -> &mut Self {
        self.0.push(kind);
        self
    }

    fn flag(&mut self, is: bool) -> &mut Self {
        self.kind(is.into())
    }

    fn number(&mut self, number: u32) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    fn long(&mut self, number: u64) -> &mut Self {
        self.0.extend(number.to_le_bytes());
        self
    }

    /// In milliseconds.
    fn time(&mut self, time: Duration) -> &mut Self {
        self.number(u32::try_from(time.as_millis()).unwrap_or(u32::MAX))
    }

    fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.number(bytes.len() as u32).0.extend(bytes);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.bytes(text.as_bytes())
    }

    fn list(&mut self, items: &[Vec<u8>]) -> &mut Self {
        self.number(items.len() as u32);
        items.iter().fold(self, |to, item| to.bytes(item))
    }

    fn texts(&mut self, items: &[String]) -> &mut Self {
        self.number(items.len() as u32);
        items.iter().fold(self, |to, item| to.text(item))
    }

    fn numbers(&mut self, items: &[u32]) -> &mut Self {
        self.number(items.len() as u32);
        items.iter().fold(self, |to, item| to.number(*item))
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.take()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn stream(&mut self) -> Option<Standard> {
        let [number] = self.take()?;
        Standard::ALL.get(usize::from(number)).copied()
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn time(&mut self) -> Option<Duration> {
        Some(Duration::from_millis(self.number()?.into()))
    }

    fn slice(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    fn bytes(&mut self) -> Option<Vec<u8>> {
        self.slice().map(<[u8]>::to_vec)
    }

    fn text(&mut self) -> Option<String> {
        self.slice().map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    /// As many items as a number says, each of which has at least the bytes of a length.
    fn many<T>(&mut self, item: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()? as usize;
        if count > self.0.len() / LENGTH_BYTES {
            return None;
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(item(self)?);
        }
        Some(items)
    }

    /// The contributions of PEs to a round.
    fn contributions(&mut self) -> Option<Vec<Vec<u8>>> {
        self.many(|from| from.bytes().filter(|bytes| check_lengths("", bytes).is_ok()))
    }

    fn list(&mut self) -> Option<Vec<Vec<u8>>> {
        self.many(Self::bytes)
    }

    fn texts(&mut self) -> Option<Vec<String>> {
        self.many(Self::text)
    }

    fn numbers(&mut self) -> Option<Vec<u32>> {
        self.many(Self::number)
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use cushmem_bootstrap::wire::{MAX_BODY_BYTES, MAX_TAG_BYTES};

    /// A frame of each kind.
    pub fn samples() -> Vec<Frame> {
        let job = Job {
            part: "1 ab a:1,b:2".into(),
            words: vec![b"-n".to_vec(), b"2".to_vec(), b"\xff".to_vec()],
            folder: b"/tmp".to_vec(),
            variables: vec![(b"A".to_vec(), b"1".to_vec()), (b"B".to_vec(), vec![])],
            has_input: true,
        };
        let gathered = Gathered {
            seq: 1 << 40,
            kind: MessageKind::Fence,
            tag: "heap".into(),
            contributions: vec![vec![], vec![7; 9]],
        };
        let since = Duration::from_millis(7);
        let lines = vec!["one".to_owned(), String::new()];
        vec![
            Frame::Job(job),
            Frame::Gathered(gathered),
            Frame::Complete { seq: 3, all: vec![vec![1], vec![2, 3]] },
            Frame::Broken { reason: "why".into() },
            Frame::WhoIsLate { seq: 9 },
            Frame::Late { seq: 9, pes: vec![1, 5], since },
            Frame::Gone { pe: 4 },
            Frame::Failed { cause: Cause::Aborted { pe: 2, code: -1, message: "x".into() }, suspects: vec![3] },
            Frame::NotStarted(NotStarted { host: Some(7), status: 127, message: "no".into() }),
            Frame::Tail { pe: 2, lines: lines.clone() },
            Frame::End { status: 7 },
            Frame::Kill,
            Frame::Signal(15),
            Frame::Inquire,
            Frame::States { lines, uncounted: vec![9, 70_000] },
            Frame::Piece(Standard::Err, b"text".to_vec()),
            Frame::Passed(Standard::Out, 70_000),
            Frame::Over { status: 3 },
            Frame::Alive,
            Frame::Ended { host: 3 },
            Frame::Lost { host: 1 << 20, how: "gone".into() },
            Frame::Clock { host: 2, reading: Reading { asked: 1 << 50, there: 7, back: 0 } },
            Frame::Take { host: 2, bytes: 1 << 20 },
            Frame::Record { host: 2, pe: 9, at: 1 << 33, bytes: b"words".to_vec() },
            Frame::Recorded { host: 2 },
            Frame::Counts { host: 2, pe: 9, at: 0, bytes: b"words".to_vec() },
            Frame::Counted { host: 2, bytes: 1 << 16 },
        ]
    }

    #[test]
    fn frames_decode_to_themselves_and_to_nothing_if_they_are_cut() {
        for (kind, frame) in (1..).zip(samples()) {
            let bytes = frame.encode();
            let (length, rest) = bytes.split_first_chunk::<LENGTH_BYTES>().unwrap();
            assert_eq!((u32::from_le_bytes(*length) as usize, rest[0], frame.kind()), (rest.len(), kind, kind));
            assert_eq!(Frame::decode(rest), Ok(frame.clone()));
            assert!((0..rest.len()).all(|end| Frame::decode(&rest[..end]).is_err()), "{frame:?}");
            assert!(Frame::decode(&[rest, &[0]].concat()).is_err(), "{frame:?}");
        }
        assert!(Frame::decode(&[99]).is_err());
    }

    /// Catches a signal, which has no host, that replaces the reason of a host because it compares as less.
    #[test]
    fn of_two_hosts_the_first_counts_and_a_signal_replaces_nothing() {
        let of = |host| NotStarted { host, status: 1, message: "no".into() };
        let counts = |new, known| of(new).counts_instead_of(&of(known));
        assert!(counts(Some(0), Some(1)));
        for (new, known) in [(Some(1), Some(0)), (Some(1), Some(1)), (None, Some(0)), (Some(0), None), (None, None)] {
            assert!(!counts(new, known), "{new:?} after {known:?}");
        }
    }

    #[test]
    fn a_frame_holds_as_many_contributions_as_a_round_may_have() {
        let all = vec![vec![0; MAX_GATHERED / 8 - LENGTH_BYTES]; 8];
        assert_eq!(too_long("x", &all), None);
        let (kind, tag) = (MessageKind::Gather, "t".repeat(MAX_TAG_BYTES));
        let gathered = Gathered { seq: 1, kind, tag, contributions: all.clone() };
        for frame in [Frame::Gathered(gathered), Frame::Complete { seq: 1, all: all.clone() }] {
            assert!(frame.encode().len() - LENGTH_BYTES <= MAX_BYTES);
        }
        let reason = "allgather 'x': 9 PEs contribute 134217732 bytes; on several hosts, all may have 128 MiB";
        assert_eq!(too_long("x", &[all, vec![vec![]]].concat()).as_deref(), Some(reason));
    }

    /// Catches a host whose message no PE can get, which would end all hosts instead of this one.
    #[test]
    fn rounds_with_lengths_that_no_pe_sends_are_refused() {
        let is_read = |tag: usize, bytes: usize| {
            let (tag, contributions) = ("t".repeat(tag), vec![vec![], vec![7; bytes]]);
            let gathered = Gathered { seq: 1, kind: MessageKind::Gather, tag, contributions: contributions.clone() };
            [Frame::Gathered(gathered), Frame::Complete { seq: 1, all: contributions }]
                .map(|frame| Frame::decode(&frame.encode()[LENGTH_BYTES..]).is_ok())
        };
        assert_eq!(is_read(MAX_TAG_BYTES, MAX_BODY_BYTES), [true, true]);
        assert_eq!(is_read(MAX_TAG_BYTES + 1, 0), [false, true]);
        assert_eq!(is_read(0, MAX_BODY_BYTES + 1), [false, false]);
    }
}
