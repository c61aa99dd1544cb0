//! What people call a row: "put and quiet, GPU to GPU" for `host_put_quiet` with `kinds` D-D.

/// What was measured: the library, or the same work without it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The library.
    Cushmem,
    /// The work of the run done by hand, without a library: the reference for it.
    Limit,
}

impl By {
    pub fn name(self) -> &'static str {
        match self {
            Self::Cushmem => "cushmem",
            Self::Limit => "limit",
        }
    }
}

/// A metric in words; `None` if it has no words.
fn metric_in_words(metric: &str) -> Option<&'static str> {
    Some(match metric {
        "init_ms" => "starting the library, and the GPU if there is one",
        "join_ms" => "joining the job",
        "host_program_ms" => "a program without GPU memory, start to end",
        "library_bytes" => "size of the library",
        "module_load" => "loading kernels",
        "store_visible" => "put until the peer sees it",
        "host_put_store" => "put, the call alone",
        "host_put_hh" | "host_put_bw_hh" => "put, host to host",
        "host_put_rate_hh" => "puts, host to host",
        "host_get_hh" => "get, host to host",
        "host_fetch_add_hh" | "net_fetch_add" => "atomic fetch-add, host memory",
        "host_put_signal_hh" => "put with signal, host to host",
        "host_barrier_all_hh" | "host_barrier_all" | "dev_barrier_all" | "net_barrier_all" => "barrier of all PEs",
        "dev_sync_all" => "sync of all PEs",
        "host_broadcast_hh" => "broadcast",
        "host_sum_reduce_hh" | "net_sum_reduce" => "sum reduction",
        "host_alltoall_hh" => "alltoall",
        "host_fcollect_hh" => "fcollect",
        "host_put_quiet" | "dev_put_quiet" | "net_put_quiet" => "put and quiet",
        "host_put_quiet_self" => "put and quiet, to its own GPU",
        "host_put_quiet_paused" => "put and quiet, after 1 ms",
        "host_fetch_add" => "atomic fetch-add, GPU memory",
        "host_put_nbi" => "put_nbi, many at once",
        "host_nbi_both_ways" => "put_nbi and get_nbi at once",
        "host_put_blocks" => "put of blocks with gaps at the target",
        "net_put_rate" => "puts of words, many at once",
        "host_get" | "dev_get_bw" | "net_get" => "get",
        "dev_put_bw" | "net_put_bw" => "put",
        "dev_g" => "g",
        "dev_p_pingpong" => "p, one way",
        "dev_signal_pingpong" => "signal, one way",
        "proxy_roundtrip" => "operation of a kernel that the CPU carries out",
        "proxy_rate" => "operations of kernels that the CPU carries out",
        "proxy_turn" => "one operation of each block that the CPU carries out, at the rate of many",
        "proxy_service" => "operation of a block that the CPU carries out, while all blocks issue some",
        "staged_bw" | "staged_put" => "put and quiet, through host memory",
        "staged_get" => "get, through host memory",
        "trigger_direct" => "put with signal of a trigger, one way",
        "trigger_proxy" => "operation of a trigger that the CPU carries out",
        "trigger_stream" => "signal of a trigger by a stream that is held",
        "task_roundtrip" => "put with a task, until its signal is back",
        "task_rate" => "puts with a task, many at once",
        "stream_put" => "put by a stream",
        "stream_get" => "get by a stream",
        "stream_put_signal" => "put with signal by a stream",
        "stream_p" => "p by a stream",
        "stream_signal_op" => "signal by a stream",
        "stream_post_get" => "get that was prepared, posted by a stream",
        "stream_quiet" => "quiet by a stream",
        "stream_reduce_sum_f32" => "sum of all PEs by streams",
        "stream_fcollect_f32" => "fcollect by streams",
        "stream_alltoall_f32" => "alltoall by streams",
        "stream_alltoallv_7k" => "alltoallv by streams",
        "stream_broadcast_f32" => "broadcast by streams",
        "stream_barrier_all" => "barrier of all PEs by streams",
        "stream_sync_all" => "sync of all PEs by streams",
        "dev_fetch_add" => "atomic fetch-add",
        "dev_array_load" => "plain loads of drawn lines of this GPU",
        "dev_array_hit" => "reads of a cached array, all hits",
        "dev_array_near_hit" => "reads of neighbouring words of a cached array, all hits",
        "dev_array_near_load" => "the same without a cache, in the memory of the next GPU or the host",
        "dev_array_get" => "reads of a cached array, lines drawn from a peer",
        "dev_array_host" => "reads of a cached array, lines drawn from host memory",
        "dev_array_copy" => "a copy of as many bytes from host memory by the copy engine",
        "dev_array_file" => "reads of a cached array, lines drawn from a file",
        "dev_put_nbi" => "put_nbi and quiet on a context of the block",
        "dev_compute" => "a kernel that computes in all multiprocessors",
        "dev_p_rate" => "puts of words, many at once",
        "dev_atomic_inc_rate" => "atomic increments, many at once",
        "dev_reduce_sum_f32" => "sum of all PEs",
        "dev_fcollect_f32" => "fcollect",
        "dev_alltoall_f32" => "alltoall",
        "dev_broadcast_f32" => "broadcast",
        "dev_alltoallv_7k" => "alltoallv",
        "dev_put_signal_pingpong" => "put with signal, one way",
        _ => return None,
    })
}

/// The name of a curve, without the key that the axis shows.
pub fn curve(by: By, metric: &str, keys: &[(&str, String)], axis: &str) -> String {
    let mut name = metric_in_words(metric).unwrap_or(metric).to_owned();
    let threads = keys.iter().find(|(key, _)| *key == "threads").map(|(_, threads)| threads.as_str());
    for (key, value) in keys.iter().filter(|(key, _)| *key != axis) {
        let words = match (*key, value.as_str(), threads) {
            ("kinds", "D-D", _) => "GPU to GPU".into(),
            ("kinds", "H-D", _) => "host to GPU".into(),
            ("kinds", "D-H", _) => "GPU to host".into(),
            ("scope", "thread", _) => "one thread".into(),
            ("scope", "warp", _) => "a warp".into(),
            ("scope", "block", Some(threads)) => format!("a block of {threads}"),
            ("scope", "lent thread", _) => "one thread with lent memory".into(),
            ("scope", "lent warp", _) => "a warp with lent memory".into(),
            ("scope", "lent block", Some(threads)) => format!("a block of {threads} with lent memory"),
            ("threads", ..) if keys.iter().any(|(key, _)| *key == "scope") => continue,
            ("threads", threads, _) => format!("{threads} threads"),
            (key, value, _) => format!("{key} {value}"),
        };
        name += &format!(", {words}");
    }
    match by {
        By::Cushmem => name,
        By::Limit => name + ", no library",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    #[test]
    fn curves_have_names_that_people_use() {
        let keys = |keys: &[(&'static str, &str)]| keys.iter().map(|(k, v)| (*k, (*v).to_owned())).collect::<Vec<_>>();
        let name = |by, metric, of: &[(&'static str, &str)]| curve(by, metric, &keys(of), "bytes");
        assert_eq!(name(By::Cushmem, "host_get_hh", &[("bytes", "8")]), "get, host to host");
        assert_eq!(name(By::Limit, "host_get_hh", &[("bytes", "8")]), "get, host to host, no library");
        assert_eq!(
            name(By::Cushmem, "host_put_quiet", &[("kinds", "H-D"), ("bytes", "8")]),
            "put and quiet, host to GPU"
        );
        let block = [("scope", "block"), ("threads", "1024"), ("bytes", "8")];
        assert_eq!(name(By::Cushmem, "dev_put_quiet", &block), "put and quiet, a block of 1024");
        assert_eq!(
            name(By::Cushmem, "dev_put_signal_pingpong", &[("threads", "32"), ("bytes", "8")]),
            "put with signal, one way, 32 threads"
        );
    }

    /// Fails if a metric is measured that has no name in words.
    #[test]
    fn every_metric_has_words() {
        const PREFIXES: [&str; 12] = [
            "dev_", "host_", "init_", "join_", "library_", "module_", "net_", "proxy_", "staged_", "store_", "stream_",
            "trigger_",
        ];
        let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
        let strings = sources.iter().flat_map(|source| source.split('"').skip(1).step_by(2));
        let is_word = |s: &str| s.bytes().all(|c| c == b'_' || c.is_ascii_lowercase() || c.is_ascii_digit());
        let is_metric = |s: &&str| is_word(s) && PREFIXES.iter().any(|part| s.starts_with(part) && s != part);
        let metrics: BTreeSet<_> = strings.filter(is_metric).collect();
        for prefix in PREFIXES {
            assert!(metrics.iter().any(|metric| metric.starts_with(prefix)), "{prefix} {metrics:?}");
        }
        let nameless: Vec<_> = metrics.into_iter().filter(|metric| metric_in_words(metric).is_none()).collect();
        assert_eq!(nameless, [""; 0]);
    }

    /// All sources below a folder but this one, which gives the words.
    fn sources(folder: &Path) -> Vec<String> {
        let mut all = vec![];
        for entry in fs::read_dir(folder).expect("sources") {
            let path = entry.expect("a name").path();
            if path.is_dir() {
                all.extend(sources(&path));
            } else if !path.ends_with(Path::new(file!()).file_name().expect("this file has a name")) {
                all.push(fs::read_to_string(&path).expect("a source"));
            }
        }
        all
    }
}
