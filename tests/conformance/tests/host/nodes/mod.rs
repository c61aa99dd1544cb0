//! PEs on several virtual nodes, connected by a network that delays and reorders as much as its promises allow. These
//! jobs have nodes whatever the test run asks for. `3 on 2` means PEs 0 and 1 on one node, and PE 2 on another.

mod atomics;
mod by_network;
mod direct;
mod gpu;
mod locks;
mod memory;
mod mixture;
mod posted;
mod quiet;
mod stopped;
mod stream;
mod teams;
