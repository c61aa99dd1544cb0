//! Collectives without loom.
#![cfg(not(loom))]

mod levels;
mod nodes;
mod recorded;
mod schedules;
mod sim;
