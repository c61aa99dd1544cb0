//! How jobs start, fail and end.

mod commands;
mod dumps;
mod endings;
mod environment;
mod files;
mod host_tree;
mod hosts;
mod kill;
mod map;
mod nodes;
mod proxy;
mod rendezvous;
mod signals;
mod supervision;
mod tasks;
mod unique_id;
mod without_gpu;
