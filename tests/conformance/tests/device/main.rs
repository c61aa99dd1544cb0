//! What kernels call: puts and gets of every scope, words, atomics, signals, waits, barriers, teams, order, errors.

mod agent;
mod amo;
mod barriers;
mod commands;
mod copies;
mod cpu;
mod errors;
mod exchange;
mod far;
mod garbled;
mod grids;
mod growth;
mod handles;
mod hung;
mod images;
mod order;
mod prepared;
mod refused;
mod rig;
mod roles;
mod rounds;
mod routes;
mod streams;
mod teams;
mod triggers;
mod words;
