//! PEs on several virtual nodes, between which is a network that delays and reorders as far as its promises let it.
//! Whatever the run of the tests asks for, these jobs have nodes. `3 on 2` is PEs 0 and 1 on one node, and PE 2 on
//! another.

mod atomics;
mod by_network;
mod gpu;
mod locks;
mod memory;
mod mixture;
mod quiet;
mod stopped;
mod stream;
mod teams;
