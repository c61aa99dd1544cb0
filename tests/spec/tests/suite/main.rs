//! The clauses of OpenSHMEM 1.6, and that the programs which check them find mistakes.

mod clauses;
mod finds;
