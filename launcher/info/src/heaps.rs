//! How large the symmetric heaps can grow.

use crate::gpus::Gpus;
use cushmem_environment as environment;
use serde::Serialize;

/// Both heaps.
#[derive(Serialize)]
pub struct Heaps {
    pub host: Heap,
    pub gpu: Heap,
    pub huge_pages: HugePages,
    /// The range that the variables accept.
    pub least_bytes: u64,
    pub most_bytes: u64,
}

/// Pages of 2 MiB for the host heap.
#[derive(Serialize)]
pub struct HugePages {
    /// The value of the variable, or why it is not valid.
    pub asked: Result<&'static str, String>,
    /// The system's setting for shared memory.
    pub shmem_enabled: Option<String>,
    /// How many reserved ones are free.
    pub reserved_free: Option<u64>,
}

impl HugePages {
    fn in_force() -> Self {
        let read = |path| std::fs::read_to_string(path).ok();
        let setting = read("/sys/kernel/mm/transparent_hugepage/shmem_enabled");
        let free = read("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
        Self {
            asked: environment::huge_pages().map(environment::HugePages::name).map_err(|error| error.to_string()),
            shmem_enabled: setting.and_then(|text| Some(text.split(['[', ']']).nth(1)?.to_owned())),
            reserved_free: free.and_then(|text| text.trim().parse().ok()),
        }
    }
}

/// One heap of one PE.
#[derive(Serialize)]
pub struct Heap {
    /// The variable that sets the limit.
    pub variable: &'static str,
    pub limit_bytes: Option<u64>,
    /// Where the limit comes from, or why there is none.
    pub because: String,
}

impl Heaps {
    /// The heaps under the current settings.
    pub fn in_force(gpus: &Gpus) -> Self {
        let is_set = |v: &environment::Variable| v.value().is_some_and(|value| !value.is_empty());
        let origin = |v| if is_set(v) { "set" } else { "default" }.to_owned();
        let variable = &environment::SYMMETRIC_SIZE;
        let host = Heap::new(variable, environment::host_heap_bytes().map(|bytes| (Some(bytes), origin(variable))));
        let variable = &environment::GPU_HEAP_SIZE;
        let gpu = Heap::new(
            variable,
            environment::gpu_heap_bytes().map(|given| match (given, gpus.chosen) {
                (_, Some("none")) => (None, "PEs use no GPU".into()),
                (_, None) => (None, gpus.chosen_because.clone()),
                (Some(bytes), _) => (Some(bytes), origin(variable)),
                (None, Some("cuda")) => {
                    (gpus.devices.iter().map(|d| d.memory_bytes).min(), "the memory of the smallest GPU".into())
                }
                (None, _) => {
                    (environment::parse_bytes(environment::EMULATED_GPU_HEAP_SIZE), "default on emulated GPUs".into())
                }
            }),
        );
        let huge_pages = HugePages::in_force();
        Self {
            host,
            gpu,
            huge_pages,
            least_bytes: *environment::HEAP_BYTES.start(),
            most_bytes: *environment::HEAP_BYTES.end(),
        }
    }
}

impl Heap {
    fn new(variable: &environment::Variable, limit: Result<(Option<u64>, String), environment::BadValue>) -> Self {
        let (limit_bytes, because) = limit.unwrap_or_else(|error| (None, error.to_string()));
        Self { variable: variable.name, limit_bytes, because }
    }
}
