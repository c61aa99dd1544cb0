//! Models of the library's protocols are the test `model`; there is nothing else here.
#![forbid(unsafe_code)]
