use core::fmt;

/// A comparison of a word with a value (OpenSHMEM 1.6, table 10).
///
/// ```
/// use cushmem_device::Cmp;
///
/// assert!(Cmp::Ge.holds(3, 2) && !Cmp::Lt.holds(3, 2));
/// assert_eq!(Cmp::Ge.to_string(), ">=");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Cmp {
    /// Equal.
    Eq = 0,
    /// Not equal.
    Ne = 1,
    /// Greater.
    Gt = 2,
    /// Less than or equal.
    Le = 3,
    /// Less.
    Lt = 4,
    /// Greater than or equal.
    Ge = 5,
}

impl Cmp {
    /// All comparisons, in the order of their numbers.
    pub const ALL: [Cmp; 6] = [Cmp::Eq, Cmp::Ne, Cmp::Gt, Cmp::Le, Cmp::Lt, Cmp::Ge];

    /// Returns whether the comparison of `word` with `value` holds.
    #[inline(always)]
    pub fn holds<T: PartialOrd>(self, word: T, value: T) -> bool {
        match self {
            Cmp::Eq => word == value,
            Cmp::Ne => word != value,
            Cmp::Gt => word > value,
            Cmp::Le => word <= value,
            Cmp::Lt => word < value,
            Cmp::Ge => word >= value,
        }
    }
}

/// Writes the comparison as an operator, such as `>=`.
impl fmt::Display for Cmp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Cmp::Eq => "==",
            Cmp::Ne => "!=",
            Cmp::Gt => ">",
            Cmp::Le => "<=",
            Cmp::Lt => "<",
            Cmp::Ge => ">=",
        })
    }
}
