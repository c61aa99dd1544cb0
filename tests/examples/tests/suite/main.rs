//! The programs of `apps` and `launcher`, and the documents.

mod bench;
mod documents;
mod environment;
mod info;
mod jacobi;
mod lbm;
mod lbm_leaves;
mod mistakes;
mod output;
mod programs;
mod recorded;
mod stencil;
mod verified;
