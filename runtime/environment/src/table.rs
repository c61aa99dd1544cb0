//! The table itself. A constant is called as its variable, without `CUSHMEM_` or `SHMEM_`.

use crate::Audience::{Chore, Internal, Pe, User};
use crate::Default::{Value, Words};
use crate::Variable;

macro_rules! table {
    ($($constant:ident = $name:literal, $audience:ident, $default:expr, $values:literal, $meaning:literal;)*) => {
        $(
            #[doc = concat!("`", $name, "`: ", $meaning)]
            pub const $constant: Variable = Variable {
                name: $name,
                audience: $audience,
                default: $default,
                values: $values,
                meaning: $meaning,
            };
        )*
        /// All variables, in the order of the documents.
        pub const TABLE: &[&Variable] = &[$(&$constant),*];
    };
}

/// What `CUSHMEM_GPU_HEAP_SIZE` is on an emulated GPU if nobody set it. A real one has a limit of its own: its memory.
pub const EMULATED_GPU_HEAP_SIZE: &str = "4G";

table! {
    GPU = "CUSHMEM_GPU", User, Value("auto"), "`auto`, `cuda`, `soft`, `none`",
        "Which GPU a PE uses. `auto` takes NVIDIA's if the driver finds one, else the emulation; `cuda` fails without one, with the reason; `none` has no GPU memory and no kernels. All PEs of a job must come to the same kind.";
    SYMMETRIC_SIZE = "SHMEM_SYMMETRIC_SIZE", User, Value("4G"), "`1M` to `4T`",
        "Most bytes of symmetric host memory that a PE can allocate, the library's own words included. A number, with a fraction if you like, and `K`, `M`, `G` or `T` (powers of 1024), as OpenSHMEM 1.6 has it. The smallest value among the PEs counts. Memory is taken from the machine only when it is touched. Its old name `SMA_SYMMETRIC_SIZE` counts where this one is not set.";
    VERSION = "SHMEM_VERSION", User, Words("not set"), "anything",
        "If it is set, PE 0 prints the library's version and the specification's on stderr when the job starts. Its old name is `SMA_VERSION`.";
    INFO = "SHMEM_INFO", User, Words("not set"), "anything",
        "If it is set, PE 0 prints this list with the present values on stderr when the job starts. Its old name is `SMA_INFO`.";
    DEBUG = "SHMEM_DEBUG", User, Words("not set"), "anything",
        "If it is set, each PE says on stderr what it works with when it has joined the job, and when it leaves. Its old name is `SMA_DEBUG`.";
    GPU_HEAP_SIZE = "CUSHMEM_GPU_HEAP_SIZE", User, Words("what the GPU has; `4G` if emulated"), "`1M` to `4T`",
        "The same for symmetric GPU memory. It is only a limit: GPU memory is allocated as the heap grows, in steps of at least 32 MiB.";
    WAIT_LIMIT_S = "CUSHMEM_WAIT_LIMIT_S", User, Value("30"), "0.01 to 86400, fractions too",
        "Seconds. Steps that all PEs take together without the program's own code in between (joining, the agreements inside allocation) fail after this and name the PEs that are missing. In waits that may take long for good reason (finalize, host barriers) a line on stderr says for whom, each time it has passed. Waits of kernels do not follow it.";
    CUBIN_DIR = "CUSHMEM_CUBIN_DIR", User, Words("none"), "a folder",
        "Where to look first for kernels that were assembled ahead of time; after it come the program's folder and the one above. Files are called `<crate>-<hash of the PTX>.sm_<capability>.cubin`, so one that belongs to other PTX is never taken; without one, the driver compiles the PTX.";
    CHECK = "CUSHMEM_CHECK", User, Value("0"), "`0`, `1`",
        "`1` looks for more mistakes: addresses in memory that was freed or never allocated, elements past the end of their object, copies whose ends overlap, calls that all PEs should make and one does not, and at the end what was not freed. It costs a search in the allocator an operation. If one PE has it, all do.";
    CC = "CUSHMEM_CC", User, Value("cc"), "a command",
        "The C compiler that `shmemcc` calls.";
    CXX = "CUSHMEM_CXX", User, Value("c++"), "a command",
        "The C++ compiler that `shmemcxx` calls.";
    CUDA_VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES", User, Words("all"), "as CUDA has it",
        "Which GPUs there are. The library never sets it.";
    CUDA_MODULE_LOADING = "CUDA_MODULE_LOADING", User, Value("EAGER"), "as CUDA has it",
        "`shmemrun` sets `EAGER` unless you chose: a kernel that is loaded while another one spins would wait for it.";

    PE = "CUSHMEM_PE", Pe, Words("none"), "0 to the number of PEs - 1",
        "this PE's number";
    N_PES = "CUSHMEM_N_PES", Pe, Words("none"), "1 to 1024",
        "the number of PEs";
    LOCAL_PE = "CUSHMEM_LOCAL_PE", Pe, Words("none"), "from 0",
        "this PE's number among those of its machine; its GPU is this, modulo the number of GPUs, unless the program made another one current before";
    OVERSUBSCRIBED = "CUSHMEM_OVERSUBSCRIBED", Pe, Words("none"), "`0`, `1`",
        "`1` if there are more PEs than hardware threads that may be used, else `0`; waits yield early then";
    CPUS = "CUSHMEM_CPUS", Pe, Words("none"), "a list of CPUs",
        "the CPUs this PE is bound to, such as `0-3,8`; absent if it is not bound";
    JOB = "CUSHMEM_JOB", Pe, Words("none"), "32 hexadecimal digits",
        "the job's identifier, 32 hexadecimal digits";

    BOOTSTRAP_FD = "CUSHMEM_BOOTSTRAP_FD", Internal, Words("none"), "a descriptor's number",
        "number of the inherited socket to the launcher; without it a program is a job of one PE";
    LIFELINE_FD = "CUSHMEM_LIFELINE_FD", Internal, Words("none"), "a descriptor's number",
        "number of the inherited socket by which the launcher asks what a PE is doing, and which tells of the launcher's end";
    SUPERVISOR_FD = "CUSHMEM_SUPERVISOR_FD", Internal, Words("none"), "a descriptor's number",
        "tells `shmemrun` that it is its own second process; PEs do not see it";

    TEST_LEFT_OUT = "CUSHMEM_TEST_LEFT_OUT", Chore, Words("none"), "a file",
        "file to which a test that this machine cannot run adds `name: reason`; `cargo xtask test` sets it and prints the list";
    TEST_SEED = "CUSHMEM_TEST_SEED", Chore, Words("the clock"), "a number",
        "seed of tests with random moments or data; a failing test prints the one to repeat it with";
    TEST_NUMBER = "CUSHMEM_TEST_NUMBER", Chore, Words("none"), "a number",
        "set by tests of the emulated GPU for the processes that they start";
    TEST_BYTES = "CUSHMEM_TEST_BYTES", Chore, Words("none"), "a number",
        "set by tests of the emulated GPU, as the one before";
    PTXAS = "PTXAS", Chore, Words("searched on `PATH`, in `/usr/local/cuda/bin`, in `tools` of the target folder, among Python's packages"), "a program",
        "NVIDIA's assembler, for `cargo xtask ptx`, `bundle` and the tests of the PTX";
    RUST_TEST_THREADS = "RUST_TEST_THREADS", Chore, Words("number of CPUs, at most 4, under `cargo xtask test`"), "a number",
        "tests of one suite that run at once: a test with several PEs is several processes already";
    CARGO_TARGET_DIR = "CARGO_TARGET_DIR", Chore, Value("target"), "a folder",
        "where everything is built, the demo's picture and `left-out.txt` included";
    OUT = "OUT", Chore, Value("./out"), "a folder",
        "where the bundle's `run.sh` puts logs and results";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Audience, parse_bytes};

    #[test]
    fn names_are_unique_and_sorted_by_audience() {
        let names: Vec<_> = TABLE.iter().map(|v| v.name).collect();
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
        let audiences: Vec<Audience> = TABLE.iter().map(|v| v.audience).collect();
        assert!(audiences.is_sorted());
    }

    /// The library takes what it parses as its default.
    #[test]
    fn defaults_of_sizes_are_sizes() {
        assert_eq!(SYMMETRIC_SIZE.default_value().and_then(parse_bytes), Some(4 << 30));
        assert_eq!(parse_bytes(EMULATED_GPU_HEAP_SIZE), Some(4 << 30));
        let Words(words) = GPU_HEAP_SIZE.default else { panic!("it depends on the GPU") };
        assert!(words.contains(&format!("`{EMULATED_GPU_HEAP_SIZE}` if emulated")));
    }

    #[test]
    fn cells_fit_into_a_table() {
        for variable in TABLE {
            for text in [variable.values, variable.meaning] {
                assert!(!text.is_empty() && !text.contains(['|', '\n']), "{}: {text}", variable.name);
            }
        }
    }
}
