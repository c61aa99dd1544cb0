/// How a line that a kernel prints travels: [`CommandKind::Print`](crate::CommandKind::Print) with some of its words
/// each. Word 0 has the length of the text in its low 16 bits, then the number of arguments in 8, and from bit 32 on a
/// [`PrintedType`] of 4 bits for each argument. The arguments follow, and then the text.
#[derive(Clone, Copy, Debug)]
pub struct PrintedPiece;

impl PrintedPiece {
    /// Words of a piece. The width of the command says how many there are, together with the bits below.
    pub const WORDS: usize = 5;
    /// In the width: the first piece of a line. The first argument of the command has block and thread, otherwise the
    /// ticket of the first piece.
    pub const FIRST: u8 = 1 << 6;
    /// In the width: the last piece, which asks for a reply.
    pub const LAST: u8 = 1 << 7;
}

/// How an argument's 64 bits are to be read.
#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrintedType {
    /// An integer, zero-extended.
    Unsigned = 0,
    /// A signed integer of 64 bits.
    Signed = 1,
    /// The bits of an `f32`.
    Single = 2,
    /// The bits of an `f64`.
    Double = 3,
    /// 0 or 1.
    Bool = 4,
    /// A character's number.
    Char = 5,
    /// A signed integer of 8 bits, zero-extended, so that its hexadecimal digits are those of its own bits.
    Signed8 = 6,
    /// The same, of 16 bits.
    Signed16 = 7,
    /// The same, of 32 bits.
    Signed32 = 8,
}

impl PrintedType {
    /// All types, each at the place of its number.
    pub const ALL: [Self; 9] = [
        Self::Unsigned,
        Self::Signed,
        Self::Single,
        Self::Double,
        Self::Bool,
        Self::Char,
        Self::Signed8,
        Self::Signed16,
        Self::Signed32,
    ];
}
