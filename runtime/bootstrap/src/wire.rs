//! The messages between a PE and its launcher: one `SOCK_SEQPACKET` message each, all numbers little-endian.
//!
//! ```text
//!  byte  0      4        6     8    16   20       22     24        28     32
//!        | magic| version| kind| seq| pe | tag len| flags| body len| value| tag … | body … |
//! ```
//!
//! | kind | direction | seq | pe | value | tag | body |
//! |---|---|---|---|---|---|---|
//! | Hello | PE → launcher | 0; after a finalize the next round | the sender, or 0 if its socket identifies it | number of PEs, or 0 if the launcher knows | – | job identifier |
//! | Welcome | launcher → PE | 0 | the receiver | number of PEs | – | the receiver's place and its host, 4 bytes each |
//! | Gather | PE → launcher | round | 0 | 0 | what | contribution; may carry a descriptor |
//! | Fence, Finalize | PE → launcher | round | 0 | 0 | what | – |
//! | Piece | launcher → PE | round | contributor | 0 | – | contribution; may carry a descriptor |
//! | Pieces | launcher → PE | round | first contributor | number of contributions | – | contributions of successive PEs, each preceded by its length in 4 bytes |
//! | Done | launcher → PE | round | 0 | 0 | – | – (answers Fence and Finalize) |
//! | WhoIsLate | PE → launcher | round | 0 | 0 | – | – |
//! | Late | launcher → PE | round | 0 | milliseconds since the last arrival | – | the PEs that have not arrived, 4 bytes each |
//! | Refused | launcher → PE | round | 0 | 0 | – | reason, UTF-8 |
//! | Abort | PE → launcher | 0 | 0 | exit code | – | message, UTF-8 |
//!
//! On the lifeline, which is a socket of its own:
//!
//! | kind | direction | body |
//! |---|---|---|
//! | Ask | launcher → PE | – |
//! | Doing | PE → launcher | what the PE's threads are waiting in, UTF-8; empty if no thread waits |
//! | Watch | PE → server | job identifier; contains PE and number of PEs as Hello does. Not used with a launcher, which makes the lifeline and knows them |
//! | Abort | launcher or server → PE | why the job ends, UTF-8, or nothing if the launcher says so itself; value is the exit status |
//! | Done | server → PE | –; all PEs have finalized, and the lifeline may close |
//!
//! Both sides check every message: magic, version, kind, that the lengths add up to exactly what was received, that
//! the tag is UTF-8, that there is a descriptor if and only if the flag says so, and that the kind may carry one.

use std::fmt;

/// The protocol's version; a launcher and a library of different versions refuse each other.
pub const VERSION: u16 = 7;
/// The largest contribution of a PE to an allgather, in bytes.
pub const MAX_BODY_BYTES: usize = 64 * 1024;
/// The longest name of an operation, in bytes.
pub const MAX_TAG_BYTES: usize = 128;
/// The longest message, in bytes.
pub const MAX_MESSAGE_BYTES: usize = HEADER_BYTES + MAX_TAG_BYTES + MAX_BODY_BYTES;

const HEADER_BYTES: usize = 32;
const LENGTH_BYTES: usize = 4;
const MAGIC: u32 = u32::from_le_bytes(*b"cshm");
const FLAG_DESCRIPTOR: u16 = 1;
const FLAG_OVERSUBSCRIBED: u16 = 2;

/// The kind of a message; the module's table describes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
#[allow(missing_docs)]
pub enum MessageKind {
    Hello = 1,
    Welcome = 2,
    Gather = 3,
    Fence = 4,
    Finalize = 5,
    Piece = 6,
    Done = 7,
    WhoIsLate = 8,
    Late = 9,
    Refused = 10,
    Abort = 11,
    Ask = 12,
    Doing = 13,
    Watch = 14,
    Pieces = 15,
}

impl MessageKind {
    const ALL: [MessageKind; 15] = [
        MessageKind::Hello,
        MessageKind::Welcome,
        MessageKind::Gather,
        MessageKind::Fence,
        MessageKind::Finalize,
        MessageKind::Piece,
        MessageKind::Done,
        MessageKind::WhoIsLate,
        MessageKind::Late,
        MessageKind::Refused,
        MessageKind::Abort,
        MessageKind::Ask,
        MessageKind::Doing,
        MessageKind::Watch,
        MessageKind::Pieces,
    ];

    /// The operation's name in messages to people.
    pub fn word(self) -> &'static str {
        match self {
            MessageKind::Gather => "allgather",
            MessageKind::Fence => "fence",
            MessageKind::Finalize => "finalize",
            _ => "message",
        }
    }
}

/// A message, borrowed from the buffer that it was received in or will be encoded from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message<'a> {
    /// What the message is.
    pub kind: MessageKind,
    /// Number of the round of an allgather, fence or finalize.
    pub seq: u64,
    /// The PE that the message is about.
    pub pe: u32,
    /// A number whose meaning depends on the kind.
    pub value: u32,
    /// Whether a file descriptor travels with the message.
    pub has_descriptor: bool,
    /// In a welcome: whether there are more PEs than hardware threads.
    pub oversubscribed: bool,
    /// What the operation is about.
    pub tag: &'a str,
    /// The payload.
    pub body: &'a [u8],
}

impl<'a> Message<'a> {
    /// A message with nothing but a kind and a round.
    pub fn new(kind: MessageKind, seq: u64) -> Self {
        Message { kind, seq, pe: 0, value: 0, has_descriptor: false, oversubscribed: false, tag: "", body: &[] }
    }

    /// The bytes of the message. The caller has checked the lengths with [`check_lengths`].
    pub fn encode(&self) -> Vec<u8> {
        assert!(self.tag.len() <= MAX_TAG_BYTES && self.body.len() <= MAX_BODY_BYTES, "lengths were checked before");
        let mut flags = 0;
        if self.has_descriptor {
            flags |= FLAG_DESCRIPTOR;
        }
        if self.oversubscribed {
            flags |= FLAG_OVERSUBSCRIBED;
        }
        let mut bytes = Vec::with_capacity(HEADER_BYTES + self.tag.len() + self.body.len());
        bytes.extend_from_slice(&MAGIC.to_le_bytes());
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(self.kind as u16).to_le_bytes());
        bytes.extend_from_slice(&self.seq.to_le_bytes());
        bytes.extend_from_slice(&self.pe.to_le_bytes());
        bytes.extend_from_slice(&(self.tag.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&u16::to_le_bytes(flags));
        bytes.extend_from_slice(&(self.body.len() as u32).to_le_bytes());
        bytes.extend_from_slice(&self.value.to_le_bytes());
        debug_assert_eq!(bytes.len(), HEADER_BYTES);
        bytes.extend_from_slice(self.tag.as_bytes());
        bytes.extend_from_slice(self.body);
        bytes
    }

    /// Checks and reads a received message that came with `descriptors` file descriptors.
    pub fn decode(bytes: &'a [u8], descriptors: usize) -> Result<Message<'a>, WireError> {
        let (header, rest) =
            bytes.split_first_chunk::<HEADER_BYTES>().ok_or(WireError::Short { bytes: bytes.len() })?;
        let u16_at = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let u32_at = |at: usize| u32::from_le_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
        if u32_at(0) != MAGIC {
            return Err(WireError::Magic { found: u32_at(0) });
        }
        if u16_at(4) != VERSION {
            return Err(WireError::Version { found: u16_at(4) });
        }
        let kind = MessageKind::ALL
            .into_iter()
            .find(|kind| *kind as u16 == u16_at(6))
            .ok_or(WireError::UnknownKind { found: u16_at(6) })?;
        let (tag_bytes, body_bytes) = (usize::from(u16_at(20)), u32_at(24) as usize);
        if tag_bytes > MAX_TAG_BYTES || body_bytes > MAX_BODY_BYTES || tag_bytes + body_bytes != rest.len() {
            return Err(WireError::Lengths { tag_bytes, body_bytes, received: rest.len() });
        }
        let (tag, body) = rest.split_at(tag_bytes);
        let flags = u16_at(22);
        if flags & !(FLAG_DESCRIPTOR | FLAG_OVERSUBSCRIBED) != 0 {
            return Err(WireError::UnknownFlags { found: flags });
        }
        let has_descriptor = flags & FLAG_DESCRIPTOR != 0;
        if descriptors != usize::from(has_descriptor) {
            return Err(WireError::Descriptors { announced: usize::from(has_descriptor), received: descriptors });
        }
        if has_descriptor && !matches!(kind, MessageKind::Gather | MessageKind::Piece) {
            return Err(WireError::NoDescriptorOf { kind });
        }
        Ok(Message {
            kind,
            seq: u64::from_le_bytes([
                header[8], header[9], header[10], header[11], header[12], header[13], header[14], header[15],
            ]),
            pe: u32_at(16),
            value: u32_at(28),
            has_descriptor,
            oversubscribed: flags & FLAG_OVERSUBSCRIBED != 0,
            tag: std::str::from_utf8(tag).map_err(|_| WireError::TagNotUtf8)?,
            body,
        })
    }
}

/// Packs the body of a message of kind Pieces: as many of the first contributions as fit, and their number.
pub(crate) fn pack<'a>(contributions: impl Iterator<Item = &'a [u8]>) -> (u32, Vec<u8>) {
    let (mut count, mut body) = (0, Vec::new());
    for bytes in contributions {
        if body.len() + LENGTH_BYTES + bytes.len() > MAX_BODY_BYTES {
            break;
        }
        body.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        body.extend_from_slice(bytes);
        count += 1;
    }
    (count, body)
}

/// The contributions in such a body; `None` if it is malformed.
pub(crate) fn unpack(mut body: &[u8]) -> Option<Vec<&[u8]>> {
    let mut contributions = Vec::new();
    while !body.is_empty() {
        let (length, rest) = body.split_first_chunk::<LENGTH_BYTES>()?;
        let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        contributions.push(bytes);
        body = rest;
    }
    Some(contributions)
}

/// Checks the lengths in a message before it is sent. The error says what is too long, and the limit.
pub fn check_lengths(tag: &str, body: &[u8]) -> Result<(), String> {
    if tag.len() > MAX_TAG_BYTES {
        return Err(format!("a name of {} bytes is over the limit of {MAX_TAG_BYTES}", tag.len()));
    }
    if body.len() > MAX_BODY_BYTES {
        return Err(format!("a contribution of {} bytes is over the limit of {MAX_BODY_BYTES}", body.len()));
    }
    Ok(())
}

/// Why received bytes are not a message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum WireError {
    Short { bytes: usize },
    Magic { found: u32 },
    Version { found: u16 },
    UnknownKind { found: u16 },
    UnknownFlags { found: u16 },
    Lengths { tag_bytes: usize, body_bytes: usize, received: usize },
    Descriptors { announced: usize, received: usize },
    NoDescriptorOf { kind: MessageKind },
    TagNotUtf8,
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short { bytes } => write!(f, "{bytes} bytes are fewer than the header's {HEADER_BYTES}"),
            Self::Magic { found } => write!(f, "it starts with {found:#010x} instead of {MAGIC:#010x}"),
            Self::Version { found } => {
                write!(
                    f,
                    "protocol version {found}, expected {VERSION}: shmemrun and the library do not belong together"
                )
            }
            Self::UnknownKind { found } => write!(f, "unknown kind {found}"),
            Self::UnknownFlags { found } => write!(f, "unknown flags {found:#06x}"),
            Self::Lengths { tag_bytes, body_bytes, received } => {
                write!(f, "a name of {tag_bytes} and a body of {body_bytes} bytes announced, {received} bytes received")
            }
            Self::Descriptors { announced, received } => {
                write!(f, "{announced} file descriptors announced, {received} received")
            }
            Self::NoDescriptorOf { kind } => write!(f, "a message of kind {kind:?} carries no file descriptor"),
            Self::TagNotUtf8 => write!(f, "its name is not UTF-8"),
        }
    }
}

impl std::error::Error for WireError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Message<'static> {
        Message {
            pe: 3,
            value: 9,
            has_descriptor: true,
            tag: "gpu-heap",
            body: b"abc",
            ..Message::new(MessageKind::Gather, 7)
        }
    }

    #[test]
    fn encoded_message_decodes_to_itself() {
        assert_eq!(Message::decode(&sample().encode(), 1).unwrap(), sample());
    }

    /// Catches a length that one side sends and the other refuses, or a length that nobody should send.
    #[test]
    fn lengths_end_at_their_limits() {
        let (tag, body) = ("t".repeat(MAX_TAG_BYTES), vec![7; MAX_BODY_BYTES]);
        let longest = Message { oversubscribed: true, tag: &tag, body: &body, ..Message::new(MessageKind::Gather, 1) };
        let bytes = longest.encode();
        assert_eq!((check_lengths(&tag, &body), bytes.len()), (Ok(()), MAX_MESSAGE_BYTES));
        assert_eq!(Message::decode(&bytes, 0), Ok(longest));
        assert!(check_lengths(&"t".repeat(MAX_TAG_BYTES + 1), &[]).unwrap_err().contains("129 bytes is over"));
        assert!(check_lengths("", &vec![7; MAX_BODY_BYTES + 1]).unwrap_err().contains("65537 bytes is over"));
        for (at, tag_bytes, body_bytes) in [(20, MAX_TAG_BYTES + 1, 0), (24, 0, MAX_BODY_BYTES + 1)] {
            let received = tag_bytes + body_bytes;
            let mut bytes = Message::new(MessageKind::Gather, 1).encode();
            bytes[at..at + 4].copy_from_slice(&(received as u32).to_le_bytes());
            bytes.resize(HEADER_BYTES + received, b't');
            let refused = Err(WireError::Lengths { tag_bytes, body_bytes, received });
            assert_eq!(Message::decode(&bytes, 0), refused);
        }
    }

    #[test]
    fn every_truncation_is_refused() {
        let bytes = sample().encode();
        for len in 0..bytes.len() {
            assert!(Message::decode(&bytes[..len], 1).is_err(), "{len} of {} bytes", bytes.len());
        }
    }

    #[test]
    fn missing_and_surplus_descriptors_are_refused() {
        let bytes = sample().encode();
        assert_eq!(Message::decode(&bytes, 0), Err(WireError::Descriptors { announced: 1, received: 0 }));
        assert_eq!(Message::decode(&bytes, 2), Err(WireError::Descriptors { announced: 1, received: 2 }));
        let kind = MessageKind::Fence;
        let bytes = Message { kind, ..sample() }.encode();
        assert_eq!(Message::decode(&bytes, 1), Err(WireError::NoDescriptorOf { kind }));
    }

    #[test]
    fn other_version_says_what_to_check() {
        let mut bytes = sample().encode();
        bytes[4] = 99;
        assert!(Message::decode(&bytes, 1).unwrap_err().to_string().contains("do not belong together"));
    }

    #[test]
    fn contributions_are_packed_as_far_as_they_fit() {
        let parts = [vec![1; 10], vec![], vec![2; MAX_BODY_BYTES - 22], vec![3]];
        let (count, body) = pack(parts.iter().map(Vec::as_slice));
        assert_eq!((count, body.len()), (3, MAX_BODY_BYTES));
        assert_eq!(unpack(&body).unwrap(), parts[..3]);
        assert_eq!(pack([&[0; MAX_BODY_BYTES][..]].into_iter()), (0, vec![]));
        assert_eq!((unpack(&[1, 0, 0]), unpack(&[1, 0, 0, 0])), (None, None));
    }
}
