//! cushmem
