//! What threads of the library do for kernels and streams, and how the library launches its own kernels.

#[expect(unsafe_code, reason = "clears the library's own words")]
pub(crate) mod collective;
mod commands;
mod counts;
#[expect(unsafe_code, reason = "lets streams write words and wait for them")]
pub(crate) mod deputy;
#[expect(unsafe_code, reason = "issues operations on memory that the caller guarantees to be valid")]
pub(crate) mod described;
#[expect(unsafe_code, reason = "lets streams write words and wait for them")]
pub(crate) mod handed;
mod idle;
#[expect(unsafe_code, reason = "copies tables to the GPU")]
mod kernels;
pub(crate) mod launches;
#[expect(unsafe_code, reason = "enqueues copies and kernels on memory that the caller guarantees to be valid")]
pub(crate) mod on_stream;
#[expect(unsafe_code, reason = "carries out operations that kernels ask for")]
pub(crate) mod proxy;
mod tracked;
#[expect(unsafe_code, reason = "copies to and from records that kernels change")]
pub(crate) mod trigger;
