//! The table itself. Each constant has the name of its variable without `CUSHMEM_` or `SHMEM_`.

use crate::Audience::{Chore, Internal, Launcher, Pe, User};
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
        /// All variables, in the order in which the documents list them.
        pub const TABLE: &[&Variable] = &[$(&$constant),*];
    };
}

/// The default of `CUSHMEM_GPU_HEAP_SIZE` on an emulated GPU. A real GPU is limited by its own memory.
pub const EMULATED_GPU_HEAP_SIZE: &str = "4G";

table! {
    GPU = "CUSHMEM_GPU", User, Value("auto"), "`auto`, `cuda`, `soft`, `none`",
        "Which kind of GPU a PE uses. `auto` uses an NVIDIA GPU if the driver finds one, otherwise an emulated GPU, or no GPU if the process has too little address space for the emulation. With `cuda`, joining fails if NVIDIA's driver is missing. If there is no GPU, the first operation that needs one fails and says why. With `none`, there is no GPU memory and kernels cannot run. All PEs of a job must use the same kind.";
    SYMMETRIC_SIZE = "SHMEM_SYMMETRIC_SIZE", User, Value("4G"), "up to `4T`",
        "How many bytes of symmetric host memory each PE can allocate: a number, optionally with a fraction, followed by `K`, `M`, `G` or `T` (powers of 1024), as OpenSHMEM 1.6 defines it: what follows that letter is ignored, with a warning, and less than `1M` stands for `1M`. If the PEs have different values, the smallest applies. Memory is taken from the machine when it is first touched. Once the job has started its GPUs, it is taken as the heap grows, in pieces of at least 8 MiB and at least half of what is already taken. No object spans two pieces, so some space between them may stay unused. If this variable is not set, its old name `SMA_SYMMETRIC_SIZE` applies.";
    HUGE_PAGES = "CUSHMEM_HUGE_PAGES", User, Value("auto"), "`auto`, `never`, `reserved`",
        "Whether the symmetric host memory has pages of 2 MiB, which make the first touch faster. `auto` asks the system for them, which gives them to shared memory if `/sys/kernel/mm/transparent_hugepage/shmem_enabled` allows it. `reserved` takes them from those that the administrator has reserved (`/proc/sys/vm/nr_hugepages`), provided that they are enough for the heaps of all PEs (`SHMEM_SYMMETRIC_SIZE`) and that there is one node; the setting of the PE at place 0 counts. Otherwise it is like `auto`. `never` asks the system for none. Without such pages, those of 4 KiB serve. `SHMEM_DEBUG` prints what a PE got, and `shmem-info` what there is.";
    VERSION = "SHMEM_VERSION", User, Words("not set"), "anything",
        "If set, PE 0 prints the versions of the library and of the specification on stderr when the job starts. Its old name is `SMA_VERSION`.";
    INFO = "SHMEM_INFO", User, Words("not set"), "anything",
        "If set, PE 0 prints this list with the current values on stderr when the job starts. Its old name is `SMA_INFO`.";
    DEBUG = "SHMEM_DEBUG", User, Words("not set"), "anything",
        "If set, each PE prints lines on stderr: when it has joined the job, with its process and heap; when the job starts its GPUs or finds none; when the PE leaves; and at the end, how much it carried out for its kernels. Its old name is `SMA_DEBUG`.";
    GPU_HEAP_SIZE = "CUSHMEM_GPU_HEAP_SIZE", User, Words("all memory of the GPU; `4G` if emulated"), "up to `4T`",
        "The same limit for symmetric GPU memory, which is allocated as the heap grows, in steps of at least 32 MiB.";
    P2P = "CUSHMEM_P2P", User, Value("1"), "`0`, `1`",
        "With `0`, no GPU accesses the memory of another PE, as on a machine whose GPUs have no peer access: data for another PE travels in chunks through pinned host memory. If any PE of a job sets `0`, the kernels of all PEs ask their CPUs for operations on memory that they cannot reach.";
    COPY_THREADS = "CUSHMEM_COPY_THREADS", User, Words("the PE's cores"), "1 to 8",
        "How many threads, including the calling one, copy between pageable host memory and the pinned memory that a GPU's copy engine uses. The others start with the first such copy of 1 MiB or more.";
    COMMAND_PROCESSOR = "CUSHMEM_COMMAND_PROCESSOR", User, Value("0"), "`0`, `1`",
        "With `1`, a block of this PE's GPU is kept for a command processor: a kernel of the library that carries out `put_nbi`, `get_nbi` and `put_signal_nbi` of enough bytes, by the costs of paths (`CUSHMEM_COSTS`), that a single thread of a kernel issues on a context of its own, between memory that the GPU reaches, so that the thread goes on at once. Each PE decides for its own GPU. See docs/command-processor.md.";
    TEAMS = "CUSHMEM_TEAMS", User, Value("64"), "64 to 1024",
        "How many teams a PE can be a member of at a time, the three predefined ones included, or four under NVSHMEM's names. Each beyond 64 takes 41 KiB of GPU memory from the start; host memory is taken when a team is first used. In jobs with PEs that are not mapped, each team also takes a thread and one of the 1,024 contexts of its PE, so fewer teams may be possible. All PEs have the same value.";
    WAIT_LIMIT_S = "CUSHMEM_WAIT_LIMIT_S", User, Value("30"), "0.01 to 86400, with a fraction if you like",
        "Seconds. Steps that all PEs take together without running the program's own code in between (joining, the agreements inside allocation) fail after this time and name the missing PEs. Waits that may be long for a good reason (finalize, host barriers) go on, and each time the limit passes, a line on stderr names the missing PEs. Kernels have a limit of their own (`CUSHMEM_KERNEL_LIMIT_S`).";
    KERNEL_LIMIT_S = "CUSHMEM_KERNEL_LIMIT_S", User, Value("300"), "0.01 to 86400, with a fraction if you like",
        "Seconds. A barrier or collective that a kernel carries out ends the kernel after this time with a message, which names a missing PE if the GPU knows one; so does a wait for the CPU's answer where a kernel asks it, for a line of a cached array or a slot for it, and for room in a queue of tasks; the CPU's `put_task` fails after this time. The waits that a kernel calls itself have no limit but the one that it gives them.";
    CUBIN_DIR = "CUSHMEM_CUBIN_DIR", User, Words("none"), "a folder",
        "Where to look first for kernels that were assembled ahead of time; the program's folder and the one above it come next. Files are named `<crate>-<hash of the PTX>.sm_<capability>.cubin`, so a file made from other PTX is never used. The folder and the file must belong to this user or to root, and nobody else may have write permission; a file that is refused or broken is named on stderr. Without a file, the driver compiles the PTX.";
    CHECK = "CUSHMEM_CHECK", User, Value("0"), "`0`, `1`",
        "With `1`, the library checks how symmetric memory is used. It reports addresses in memory that was freed or never allocated, elements past the end of their object, copies whose source and target overlap, collective calls that differ between PEs, and memory that is still allocated at the end. This costs one search in the allocator for each operation. If any PE sets it, it is on for all.";
    PATH = "CUSHMEM_PATH", User, Words("the cheapest for each size"), "`[SELECTOR=]PATH`; commas separate several",
        "Which path moves the bytes, for operations that it can serve: for example `copy-engine`, or `put:host-gpu=copy-engine,get=mapped`. A selector names an operation (`put`, `get`, `put-signal`, `amo`), an initiator (`cpu`, `stream`, `kernel`), a class of peer (`own`, `mapped`, `mapped-without-atomics`, `attached`, `unmapped`, `far`) and both ends (`LOCAL-REMOTE`, the local one first). Each of these is optional, and colons separate them. If several items match an operation, the last one applies. Operations that the path cannot serve keep their path; an item that cannot be followed for any operation is an error.";
    COSTS = "CUSHMEM_COSTS", User, Words("none"), "a file",
        "What each path costs on this machine, as measured by `shmem-tune`; the library takes the cheapest path for each size. Costs that the file does not list keep the library's own values. A file that cannot be read or has another format is an error.";
    EXPLAIN = "CUSHMEM_EXPLAIN", User, Value("0"), "`0`, `1`, `all`",
        "With `1`, PE 0 counts its operations and prints on stderr, when it leaves the job, what it did, in at most 40 lines: operations by path, waits, why those paths are taken and what they cost. With `all`, it prints instead which path each operation takes between each pair of kinds of memory, for which sizes, the assumed cost, and why each other path is not taken. `shmemrun --explain` and `--explain=all` set it.";
    STATS = "CUSHMEM_STATS", User, Value("0"), "`0`, `1`",
        "With `1`, a PE counts its operations, by path and PE, and its waits, by cause; `shmemx_counters_get` and `shmemx_counters_get_pe` return the counts. Operations do not take the inline fast path then, so short ones take longer. `shmemrun --stats` sets it, and prints or writes the counts of all PEs at the end of the job.";
    LOG = "CUSHMEM_LOG", User, Words("errors, warnings and information, without stamps"), "`LEVEL[,MODULE=LEVEL…]`; levels are `error`, `warn`, `info`, `debug`",
        "Which of its own messages the library prints, in general and from a module, such as `service` or `gpu::cuda`; the last module that matches a message counts. Each line then also says the time (UTC), the PE and its node, the level and the module. `debug` includes what `SHMEM_DEBUG` shows. Errors are always printed.";
    TRACE_EVENTS = "CUSHMEM_TRACE_EVENTS", User, Value("262144"), "1024 to 16777216",
        "How many events of each PE `shmemrun --trace` keeps: the latest ones. Each takes 40 bytes of memory, as soon as it is there.";
    TRACE_BLOCKS = "CUSHMEM_TRACE_BLOCKS", User, Value("16"), "0 to 65536",
        "Of so many blocks of a kernel, the first one is in the timeline of `shmemrun --trace`, with its puts, gets, signals, waits, barriers, collectives and triggers; with `1` all blocks are, with `0` none, and the kernels then are those of a job without a timeline.";
    NET = "CUSHMEM_NET", User, Value("loopback:verbs"), "`loopback:verbs`, `loopback:tcp`, `loopback:efa`; append `:SEED` for delays and reordering, then any of `,cut=PE@N`, `,fail=PE@N`, `,silent=PE@N`, `,stop=PE`, `,later=MS`, `,refuse=PE@N`; `ofi`, `ofi:PROVIDER`; `verbs`, `verbs:DEVICE`, `verbs:DEVICE:PORT`",
        "Which network connects the virtual nodes that `shmemrun --nodes` makes. `loopback` emulates a network in software on this machine, with the guarantees of the named kind: `verbs` keeps operations to one PE in order, except that a put may overtake a get; `tcp` keeps the order, reports delivery on request, copies the bytes of puts and gets in any pieces, and needs a target that is not stopped; `efa` keeps no order and reports delivery on request. With a seed, a whole number, the network delays and reorders operations as far as these guarantees allow, in a way that the seed determines. With `cut`, all operations to that PE fail after the first N. With `fail`, one does, and with it what its sender put behind it. With `silent`, operations to that PE neither complete nor fail after the first N. With `stop`, that PE answers nothing for 100 ms, with the first of each 1,000 operations to it. With `later`, the first operation to each PE starts only after so many milliseconds. With `refuse`, that PE cannot register one part of its memory, after it has registered N. `ofi` is libfabric, version 1.17 or later, which is opened at run time, with its provider `tcp` or the one that is named, such as `shm`. It is the default between hosts (`shmemrun --hosts`), at the addresses that `CUSHMEM_NET_INTERFACE` describes. Virtual nodes of one machine have the address 127.0.0.1. `verbs` is InfiniBand or RoCE through libibverbs, which is opened at run time: one of the devices with an active port that `CUSHMEM_NICS` names, or the one that is named here, such as `mlx5_0`. PEs connect to each other at the same addresses as those of `ofi`. It is not for use yet: see docs/networks.md.";
    NICS = "CUSHMEM_NICS", User, Words("all"), "names of devices with commas between them, such as `mlx5_0,mlx5_1:2`; a colon and the number of a port may follow each",
        "The InfiniBand and RoCE devices that `CUSHMEM_NET=verbs` may use. All PEs use ports of one kind, InfiniBand or RoCE. A PE uses the port that is nearest to its GPU, or to the cores that it may run on if it has none, of these the fastest, and of these the PEs of a host take one after the other. Long transfers also use equal ports that no PE of the host has.";
    LIBFABRIC = "CUSHMEM_LIBFABRIC", User, Value("libfabric.so.1"), "a file, or the name of one that the loader finds",
        "The library that `CUSHMEM_NET=ofi` opens, for a machine that has several versions of libfabric. If its providers are files of their own, libfabric's variable `FI_PROVIDER_PATH` names their folder. `shmem-info` lists the providers.";
    NET_INTERFACE = "CUSHMEM_NET_INTERFACE", User, Words("the first network that all hosts share"), "the name of a network interface, such as `eth0`",
        "Where the PEs of several hosts reach each other. Without it, they take the first network of PE 0 in which each host has an address of its own. An address that several hosts have, such as that of a bridge for containers, is not taken.";
    NET_LIMIT_S = "CUSHMEM_NET_LIMIT_S", User, Value("15"), "0.01 to 86400, with a fraction if you like",
        "Seconds. If a PE of another node completes none of the operations that are under way to it for this time, and one second more for each 16 MiB of them, it is lost: they fail, and the job ends with a line that names the PE, its node and an operation. A PE whose process is stopped is not lost. Between hosts, the launchers of `shmemrun --hosts` wait as long for each other, and 15 seconds at least.";
    SECRET = "CUSHMEM_SECRET", User, Words("none"), "any text",
        "What the processes that torchrun starts on several hosts prove to each other that they know, besides what torchrun has told them. Without it, whoever knows the address, port and id of the run, and can reach the host of rank 0, can join the job.";
    FLUSH = "CUSHMEM_FLUSH", User, Value("never"), "`never`, `barrier`",
        "With `barrier`, each PE flushes its standard output, that of C and of Rust, when it comes to a host barrier (`shmem_barrier_all`, `shmem_sync_all`, `shmem_team_sync`, `shmem_barrier`, `shmem_sync`). Whatever it printed before is then written before anything that another PE of the barrier prints after it. This holds for the terminal, file or pipe that the PEs share. It does not hold with `shmemrun --tag`, where each PE has a pipe of its own, nor for what other languages buffer themselves.";
    RSH = "CUSHMEM_RSH", User, Words("`ssh` with options for batch mode"), "a command; blanks separate words",
        "How `shmemrun --hosts` starts a launcher on another host. The host and a command line for a shell there are appended. Without it: `ssh -o BatchMode=yes -o ConnectTimeout=10 -o ControlMaster=no -o ControlPath=none`.";
    CC = "CUSHMEM_CC", User, Value("cc"), "a command",
        "The C compiler that `shmemcc` calls.";
    CXX = "CUSHMEM_CXX", User, Value("c++"), "a command",
        "The C++ compiler that `shmemcxx` calls.";
    CUDA_VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES", User, Words("all"), "as CUDA defines it",
        "Which GPUs a process can see. The library never sets it.";
    CUDA_MODULE_LOADING = "CUDA_MODULE_LOADING", User, Value("EAGER"), "as CUDA defines it",
        "`shmemrun` sets `EAGER` unless you have set a value. The library does the same when a program joins that has not started CUDA yet, because with lazy loading a kernel that is loaded while another one spins waits for that one. A C program must therefore not read or change the environment in one thread while another thread joins a job. If the program has started CUDA before it joins, the library prints a line that says what follows.";
    FI_OFI_RXM_BUFFER_SIZE = "FI_OFI_RXM_BUFFER_SIZE", User, Value("1024"), "as libfabric defines it, in bytes",
        "The size of the buffers for messages of libfabric's `ofi_rxm`. The library sets it before it opens libfabric, unless you have set a value: libfabric's own 16 KiB make 150 MB a PE, which take most of the time of a start. Puts and gets do not use these buffers, and atomic operations fit into them.";
    FI_OFI_RXM_CM_PROGRESS_INTERVAL = "FI_OFI_RXM_CM_PROGRESS_INTERVAL", User, Value("500"), "as libfabric defines it, in microseconds",
        "How often a PE that polls looks for new connections of libfabric's `ofi_rxm`. The library sets it before it opens libfabric, unless you have set a value: with libfabric's own 10,000, the first operation on a PE can take as long.";
    FI_OFI_RXM_DEF_TCP_WAIT_OBJ = "FI_OFI_RXM_DEF_TCP_WAIT_OBJ", User, Value("fd"), "as libfabric defines it",
        "How libfabric's `ofi_rxm` waits for TCP. The library sets `fd` before it opens libfabric, unless you have set a value: with libfabric's own value, from version 1.18 on, a PE that sleeps learns nothing of what comes to it, so it has to look every millisecond.";

    PE = "CUSHMEM_PE", Pe, Words("none"), "0 to the number of PEs - 1",
        "this PE's number";
    N_PES = "CUSHMEM_N_PES", Pe, Words("none"), "1 to 65536",
        "the number of PEs";
    LOCAL_PE = "CUSHMEM_LOCAL_PE", Pe, Words("none"), "0 to the number of PEs - 1",
        "this PE's place: its index among the PEs of its machine, in the order that `shmemrun --map` chooses. The PE uses the GPU whose number is the place modulo the number of GPUs, unless the program has made another GPU current, either when it joins or in the thread that first needs the GPU";
    NODES = "CUSHMEM_NODES", Pe, Words("1"), "1 to the number of PEs",
        "the number of virtual nodes; absent unless `shmemrun --nodes` asked for more than one. The places of the machine are divided into that many consecutive ranges, whose sizes differ by at most one, the larger ones first";
    OVERSUBSCRIBED = "CUSHMEM_OVERSUBSCRIBED", Pe, Words("none"), "`0`, `1`",
        "`1` if there are more PEs than hardware threads that they may use, or with `shmemrun --oversubscribe`, else `0`; with `1`, waits yield early";
    CPUS = "CUSHMEM_CPUS", Pe, Words("none"), "a list of CPUs",
        "the CPUs that this PE is bound to, such as `0-3,8`; absent if it is not bound";
    JOB = "CUSHMEM_JOB", Pe, Words("none"), "32 hexadecimal digits",
        "the job's identifier, 32 hexadecimal digits";

    RANK = "RANK", Launcher, Words("none"), "0 to the number of processes - 1",
        "torchrun: this process's number, which becomes the number of the PE";
    WORLD_SIZE = "WORLD_SIZE", Launcher, Words("none"), "1 to 65536",
        "torchrun: the number of processes";
    LOCAL_WORLD_SIZE = "LOCAL_WORLD_SIZE", Launcher, Words("none"), "1 to 65536",
        "torchrun: how many of these processes are on this host";
    MASTER_ADDR = "MASTER_ADDR", Launcher, Words("none"), "a host name or an address",
        "torchrun: the host of rank 0, at which the processes of several hosts meet";
    MASTER_PORT = "MASTER_PORT", Launcher, Words("none"), "1 to 65535",
        "torchrun: part of the name under which the processes meet; the library does not use the port itself";
    TORCHELASTIC_RUN_ID = "TORCHELASTIC_RUN_ID", Launcher, Words("none"), "anything",
        "torchrun: another part of that name; if it is not set, torchrun did not start this process";
    TORCHELASTIC_RESTART_COUNT = "TORCHELASTIC_RESTART_COUNT", Launcher, Value("0"), "0 to 4294967295",
        "torchrun: the last part of that name";
    OMPI_COMM_WORLD_SIZE = "OMPI_COMM_WORLD_SIZE", Launcher, Words("none"), "a number",
        "Open MPI's mpirun and oshrun: how many processes it started. If there are several and there is no PMIx, the library refuses to start and says how to join them";
    PMIX_NAMESPACE = "PMIX_NAMESPACE", Launcher, Words("none"), "a name",
        "a launcher that uses PMIx (mpirun of Open MPI, `srun --mpi=pmix`): the job. If it is set, the processes find each other through PMIx";
    PMIX_RANK = "PMIX_RANK", Launcher, Words("none"), "a number",
        "the same: this process's number";
    PMI_FD = "PMI_FD", Launcher, Words("none"), "a descriptor's number",
        "a launcher that uses version 1 of PMI (mpiexec of MPICH, `srun --mpi=pmi2`, flux): where it answers. If it is set, the processes find each other through PMI";
    PMI_RANK = "PMI_RANK", Launcher, Words("none"), "a number",
        "the same: this process's number, which becomes the number of the PE";
    PMI_SIZE = "PMI_SIZE", Launcher, Words("none"), "a number",
        "the same: the number of processes. If there are several and `PMI_FD` is not set, the library refuses to start and says how to join them";
    MV2_COMM_WORLD_SIZE = "MV2_COMM_WORLD_SIZE", Launcher, Words("none"), "a number",
        "the same for MVAPICH";
    SLURM_STEP_NUM_TASKS = "SLURM_STEP_NUM_TASKS", Launcher, Words("none"), "a number",
        "the same for srun";
    FLUX_JOB_SIZE = "FLUX_JOB_SIZE", Launcher, Words("none"), "a number",
        "the same for flux";

    BOOTSTRAP_FD = "CUSHMEM_BOOTSTRAP_FD", Internal, Words("none"), "a descriptor's number",
        "number of the inherited socket to the launcher; without it, a program is a job of one PE";
    LIFELINE_FD = "CUSHMEM_LIFELINE_FD", Internal, Words("none"), "a descriptor's number",
        "number of the inherited socket over which the launcher asks what a PE is waiting for, and which closes when the launcher ends";
    STDERR = "CUSHMEM_STDERR", Internal, Words("none"), "two numbers with a colon between them",
        "the pipe through which the launcher collects the standard error of a PE, as its device and inode; lines that end the job are printed once for all PEs that write to theirs";
    RECORD = "CUSHMEM_RECORD", Internal, Words("none"), "four numbers with colons between them",
        "where a PE counts its operations and keeps its events for `shmemrun --stats` and `--trace`: the number of an inherited file, an offset in it, how many PEs it tells apart, and how many events it keeps";
    SUPERVISOR_FD = "CUSHMEM_SUPERVISOR_FD", Internal, Words("none"), "a descriptor's number",
        "marks a `shmemrun` process as the supervisor of a job; PEs do not see it";
    HOST_PART = "CUSHMEM_HOST_PART", Internal, Words("none"), "a descriptor's number",
        "number of the inherited file that tells the supervisor on a host of several which part of the job it runs; PEs do not see it";
    HOST_INPUT = "CUSHMEM_HOST_INPUT", Internal, Value("0"), "`0`, `1`",
        "whether PE 0 of a job on several hosts gets the standard input of the `shmemrun` that the user started; PEs do not see it";
    HOST_VARIABLES = "CUSHMEM_HOST_VARIABLES", Internal, Words("none"), "names, one a line",
        "the variables that have come with the job to a host of several, for those behind it; PEs do not see it";

    TEST_LEFT_OUT = "CUSHMEM_TEST_LEFT_OUT", Chore, Words("none"), "a file",
        "a file to which a test that cannot run on this machine adds the line `name: reason`; `cargo xtask test` sets it and prints the list";
    TEST_SEED = "CUSHMEM_TEST_SEED", Chore, Words("the clock"), "a number",
        "seed of tests with random times or data; a failing test prints the seed that reproduces the failure";
    TEST_REWRITE = "CUSHMEM_TEST_REWRITE", Chore, Words("not set"), "anything",
        "if set, `cargo test -p cushmem-path` updates its golden tables, and tests called `fuzz` the samples of their corpus; both fail where these differed";
    TEST_GPU_PACE = "CUSHMEM_TEST_GPU_PACE", Chore, Words("the machine's"), "`early`, `late` or a number",
        "how fast emulated GPUs are. `early`: an operation of a stream is done before the call that starts it returns, unless it takes longer than 20 ms. `late`: the first 30 operations of each stream start 50 ms after they could, and later ones 1 ms. A number is a seed, from which the emulation draws one of these or none for each operation";
    TEST_NUMBER = "CUSHMEM_TEST_NUMBER", Chore, Words("none"), "a number",
        "set by tests of the emulated GPU for the processes that they start";
    TEST_BYTES = "CUSHMEM_TEST_BYTES", Chore, Words("none"), "a number",
        "like `CUSHMEM_TEST_NUMBER`";
    TEST_ROLE = "CUSHMEM_TEST_ROLE", Chore, Words("none"), "a word",
        "set by tests of the CUDA driver's functions for the processes that they start";
    TEST_MAP = "CUSHMEM_TEST_MAP", Chore, Words("`shmemrun`'s own"), "a value of `shmemrun --map`",
        "how test jobs are placed; `cargo xtask test --map` sets it";
    TEST_HOSTS = "CUSHMEM_TEST_HOSTS", Chore, Words("none"), "names, with commas between them",
        "the hosts on which tests run their jobs; `cargo xtask hosts N COMMAND` makes `h0`, `h1` and so on";
    TEST_PROGRAMS = "CUSHMEM_TEST_PROGRAMS", Chore, Words("none"), "a folder",
        "where tests keep the C programs that they compile, and find those that another run has compiled; `cargo xtask vm` sets it for a machine without a compiler";
    TEST_NODES = "CUSHMEM_TEST_NODES", Chore, Words("1"), "a number",
        "how many virtual nodes test jobs use, at most one for each PE; `cargo xtask test --nodes` sets it";
    TEST_OVERSUBSCRIBE = "CUSHMEM_TEST_OVERSUBSCRIBE", Chore, Words("not set"), "anything",
        "if set, test jobs are started with `shmemrun --oversubscribe`; `cargo xtask test` sets it where several jobs at once share few cores";
    TEST_SHARED_GPU = "CUSHMEM_TEST_SHARED_GPU", Chore, Words("not set"), "anything",
        "if set, the conformance tests on CUDA also run jobs with more PEs than GPUs; this is slow, because kernels of PEs that share a GPU take turns";
    TEST_REQUESTS = "CUSHMEM_TEST_REQUESTS", Chore, Words("a few thousand"), "a number",
        "how many requests to one PE the conformance test `many_to_one` makes, and how many rounds `data_come_before_their_signal` has; with a larger number, their time limits are longer in proportion";
    TEST_TRIES = "CUSHMEM_TEST_TRIES", Chore, Words("10,000,000 on CUDA, a few thousand elsewhere"), "a number",
        "how often each kernel of `tests/litmus` tries for a forbidden outcome; those that ask the CPU in each try do a hundredth of it";
    TEST_INPUTS = "CUSHMEM_TEST_INPUTS", Chore, Value("4000"), "a number",
        "how many damaged inputs each parser gets in the tests called `fuzz`; `cargo xtask ci --all` and `soak` set it";
    PTXAS = "PTXAS", Chore, Words("searched for on `PATH`, in `/usr/local/cuda/bin`, in `tools` of the target folder, and among Python's packages"), "a program",
        "NVIDIA's assembler, for `cargo shmem-ptx`, `cargo xtask bundle` and the tests of the PTX";
    RUST_TEST_THREADS = "RUST_TEST_THREADS", Chore, Words("number of CPUs, at most 4, under `cargo xtask test`"), "a number",
        "how many tests of a suite run at once; a test with several PEs already has several processes";
    CARGO_TARGET_DIR = "CARGO_TARGET_DIR", Chore, Value("target"), "a folder",
        "where everything is built, including the demo's picture and `left-out.txt`";
    OUT = "OUT", Chore, Value("./out"), "a folder",
        "where the bundle's `run.sh` writes logs and results";
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

    /// Catches defaults that the library cannot parse when a variable is not set.
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
