//! The library's own description of libfabric, without what is built on it.

#[path = "../../src/ofi/atomics.rs"]
mod atomics;
#[path = "../../src/ofi/endpoint.rs"]
pub mod endpoint;
#[path = "../../src/ofi/library.rs"]
pub mod library;
#[path = "../../src/ofi/signals.rs"]
mod signals;
#[path = "../../src/ofi/sys.rs"]
pub mod sys;
#[path = "../../src/ofi/variables.rs"]
mod variables;
#[path = "../../src/ofi/word_op.rs"]
mod word_op;
