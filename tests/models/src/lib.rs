//! The models of the library's protocols are in the test `model`; this crate has no other content.
#![forbid(unsafe_code)]
