//! What `shmemrun --help` says after the options.

/// The text.
pub const AFTER_HELP: &str = "\
Examples:
  shmemrun -n 4 ./stencil2d --size 4096        four PEs on this machine
  shmemrun -n 8 --tag ./hello                  start each line with the number of its PE
  shmemrun -n 2 --timeout 60 ./test            end the job after a minute
  shmemrun -n 2 sh -c './a > out.$CUSHMEM_PE'  one output file for each PE
  shmemrun -n 8 --map cyclic ./solver          even PEs on one NUMA node, odd PEs on the other
  shmemrun -n 4 --nodes 2 ./test               as on two machines with two PEs each
  shmemrun --hosts a:4,b:4 ./solver            four PEs on host a and four on host b, by ssh
  shmemrun -n 2 --explain ./test               which paths the bytes take, and why
  shmemrun -n 4 --stats ./test                 what the PEs did, as a table at the end
  shmemrun -n 4 --trace t.json.gz ./test       a timeline, for ui.perfetto.dev
  shmemrun -n 1 ./master : -n 3 ./worker       two programs as one job of four PEs
  shmemrun -n 4 --wrap 2:'valgrind -q' ./test  PE 2 under valgrind
  shmemrun -n 2 --gdb 1 ./test                 PE 1 in gdb, in this terminal
  shmemrun --status                            list your jobs: process of shmemrun, job, command
  shmemrun --status 4711                       what the PEs of that job are waiting for

Programs: a colon starts another program of the same job, which has its own -n, -x and --wdir. The other options come \
before the first colon and apply to all PEs. If `--` comes before a program, all words after it belong to that program, \
even colons: `shmemrun -n 1 -- sort -t : file`. A program name without a slash is looked up in PATH, then in the folder \
where the program starts. Long options may start with a single hyphen, except --status, --generate, --help and \
--version.

Wrapping: the words of --wrap are put before the program's own; several --wrap options apply in their order. Blanks \
separate words, and quotes have no special meaning. --gdb PE gives gdb the terminal and standard input. It sets \
CUSHMEM_WAIT_LIMIT_S and CUSHMEM_KERNEL_LIMIT_S to 86400 unless they are set, so that the other PEs wait for you.

Status: one line for each PE says what it is waiting in (a barrier, a collective, a wait, a lock, finalize), for which \
PEs and for how long, or `computing` if no thread has been waiting in the library for 10 ms. If a PE has a thread that \
serves its kernels, a line at the end shows what it has done: commands, batches of commands, naps. With --nodes, each \
line starts with the node of the PE. The same lines are printed when --timeout ends a job. Only root and the user who \
started the job can ask.

Counts and timelines: --stats prints a table on standard error when the job has ended: for each operation of the API and \
each path how many there were, their bytes and their time; waits by what was waited for; and what the proxies of kernels \
had to do. --stats=FILE writes the numbers of each PE as JSON instead. --trace FILE writes a timeline with a track for \
each thread, which ui.perfetto.dev and chrome://tracing open. Each PE keeps its latest events (CUSHMEM_TRACE_EVENTS says \
how many), and how many were dropped is in the file and in the line at the end. A PE that crashes leaves what it did \
until then, and --status shows the table of a job that runs with --stats. With --hosts, the files are written here. The \
clocks of the hosts are compared, and the line at the end says how well; what a host that is lost has recorded is left \
out, and a line says so. Both switch the inline fast path off, so a short put between PEs of a node takes longer than \
without. A timeline also has the operations of some blocks of kernels (CUSHMEM_TRACE_BLOCKS says of how many).

Binding: if there are at least as many cores as PEs, each PE gets its own physical cores, near each other. With more \
PEs than cores, no PE is bound. The PE at place p of this machine uses GPU p modulo the number of GPUs, unless the \
program chose a GPU before it initialised the library.

Places: a place is the index of a PE on its machine, CUSHMEM_LOCAL_PE. It determines the PE's cores, its GPU and its \
slot in the memory that PEs map from each other; neighbouring places are close. --map chooses the order in which PEs \
are assigned to places. block (the default): PE p has place p. cyclic: PEs are dealt out to the NUMA nodes in turn, so \
with two nodes PEs 0, 2, 4… are on the first and PEs 1, 3, 5… on the second. On a machine with one NUMA node, they are \
dealt out to two halves of the places; with --nodes, to the virtual nodes. random:SEED: a permutation that depends only \
on SEED (0 to 18446744073709551615) and the number of PEs. It is a Fisher-Yates shuffle from the last place down, with \
the numbers of SplitMix64 modulo the number of places left. The order may change speed, never results.

Nodes: --nodes K divides the PEs into K virtual nodes (1 to the number of PEs; the default is 1). The PEs of a node \
share memory. All traffic between nodes passes through a network, which CUSHMEM_NET chooses. Each node has consecutive \
places: with 5 PEs on 2 nodes, places 0 to 2 are on node 0, and places 3 and 4 on node 1. Cores and GPUs depend on the \
place on the machine, as without nodes.

Hosts: --hosts a:4,b:4 starts up to 4 PEs on each of two hosts, by ssh, which must not ask for a password; a host without a \
number has one PE. --hostfile FILE has a host in each line, as a:4 or `a slots=4`; a # starts a comment. -n takes fewer \
PEs than there is room for, and fills the hosts in their order; -N limits the PEs of each host. The program, its folder \
and shmemrun itself must be at the same place on all hosts (--remote-path: where shmemrun is there). The host that is \
called localhost, or as this one, needs no ssh. With more than 32 others, the first ones start the rest, by ssh from \
host to host (--fan-out: another number). PEs get the environment of their host, all variables here whose names \
start with CUSHMEM_, SHMEM_ or FI_, and those of -x. Traffic between hosts uses libfabric (CUSHMEM_NET=ofi) in the first \
network that all of them share (CUSHMEM_NET_INTERFACE names an interface). --map block fills the hosts in turn, cyclic \
deals the PEs out to them, random:SEED mixes them. --nodes divides each host. Everything else is as on one machine: \
output, input, signals, exit status, --tag, --wrap, --timeout, --status. If a host dies or cannot be reached for 15 s, the \
job ends everywhere.

Exit status: the status of the first PE that failed, or 128+n if signal n killed it (a crash or SIGKILL right after \
another PE's exit counts as first); the code of a PE that aborted the job; 124 at the time limit; 126 or 127 if the \
program cannot be started; 2 for bad arguments; otherwise 0. When a PE fails, the others flush their output and end; \
what is left after a second is killed, with all children of PEs. A PE that used the library also fails if it exits \
without finalize, even with status 0.

Signals: INT, TERM, HUP, QUIT, USR1 and USR2 are passed on to the PEs. A second one of INT, TERM, HUP and \
QUIT kills them. The first one does too if the launcher's supervisor is stopped and does not answer within 2 s, or \
is stuck for 15 s. PEs start with no signal blocked. The only signals that they may start with ignored are HUP, INT and \
QUIT, if shmemrun's caller ignored them (nohup), and TTOU if standard output is a terminal and --tag is not given.

Input and output: PE 0 reads standard input if it is not a terminal; the other PEs read nothing (but see --gdb). \
Standard error is passed on line by line. PEs write standard output directly, unless --tag or --hosts is given: then it is a pipe to shmemrun.

Environment of a PE: CUSHMEM_PE, CUSHMEM_LOCAL_PE, CUSHMEM_N_PES, CUSHMEM_OVERSUBSCRIBED, CUSHMEM_CPUS (if bound), \
CUSHMEM_NODES (if there are several) and CUSHMEM_JOB; CUDA_MODULE_LOADING=EAGER unless set. Set CUSHMEM_WAIT_LIMIT_S to \
change the limit of the library's own waits from 30 seconds.
";
