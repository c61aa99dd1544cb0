#!/bin/bash
# Runs all tests and benchmarks of this bundle and prints one table last. Needs neither Rust nor the sources.
# A step that fails or outlasts its limit does not stop the others. GPU settings are left as they are.
# CUDA_VISIBLE_DEVICES says which GPUs may be used.
#
#   ./run.sh [--gpus "1 2 4"] [--peers DIR] [--no-tests] [--no-bench]
#
#   --gpus LIST   GPU counts to run with (default: 1 2 4, up to what is here)
#   --peers DIR   also runs DIR/run-peers.sh, which measures the limit and other libraries
#   OUT=DIR       where logs and JSON lines go (default: ./out)
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-./out}
wanted="1 2 4" peers="" tests=1 bench=1
while [ $# -gt 0 ]; do
    case $1 in
        --gpus) wanted=${2:?--gpus needs a list}; shift 2 ;;
        --peers) peers=${2:?--peers needs a folder}; shift 2 ;;
        --no-tests) tests=0; shift ;;
        --no-bench) bench=0; shift ;;
        *) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2 ;;
    esac
done
mkdir -p "$out" || exit 2
out=$(cd "$out" && pwd)
bin=$here/bin
export CUSHMEM_TEST_LEFT_OUT=$out/left-out.txt
# Multicast over NVLink needs privileges that a container often lacks.
export NVSHMEM_DISABLE_NVLS=1

rows=() passed=0 failed=0

# step NAME LIMIT_S COMMAND...: output goes to NAME.log; a row of the table says how it ended.
step() {
    local name=$1 limit=$2 start=$SECONDS status note
    shift 2
    echo "== $name"
    timeout --kill-after=10 "$limit" "$@" >"$out/$name.log" 2>&1 </dev/null
    status=$?
    note=$(grep -aE 'test result|passed|[Ff]ail|FAILED|error|panicked' "$out/$name.log" | tail -n 1)
    [ -n "$note" ] || note=$(tail -n 1 "$out/$name.log")
    [ $status -ne 124 ] && [ $status -ne 137 ] || note="time limit of $limit s; $note"
    if [ $status -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); tail -n 15 "$out/$name.log"; fi
    rows+=("$(printf '%-44s %6d %8d  %.100s' "$name" $status $((SECONDS - start)) "$(echo "$note" | tr '\t' ' ')")")
}

gpus=$(find /dev -maxdepth 1 -name 'nvidia[0-9]*' 2>/dev/null | wc -l)
[ "$gpus" -gt 0 ] || gpus=$(find /proc/driver/nvidia/gpus -mindepth 1 -maxdepth 1 2>/dev/null | wc -l)
# The GPUs that the user allows, or all of them.
inherited=${CUDA_VISIBLE_DEVICES-all}
allowed=$inherited
[ "$inherited" != all ] || allowed=$(seq -s, 0 $((gpus - 1)))
# CUDA ignores everything from the first invalid index on.
allowed=$(sed 's/\(^\|,\)-1.*//' <<<"$allowed")
count=$(tr ',' '\n' <<<"$allowed" | grep -c .)
[ "$count" -ge "$gpus" ] || gpus=$count

# visible N: prints the first N allowed GPUs.
visible() {
    cut -d, -f "1-$1" <<<"$allowed"
}

# Restores the user's CUDA_VISIBLE_DEVICES.
all_visible() {
    export CUDA_VISIBLE_DEVICES=$inherited
    [ "$inherited" != all ] || unset CUDA_VISIBLE_DEVICES
}

counts=""
for n in $wanted; do [ "$n" -le "$gpus" ] && counts="$counts $n"; done
echo "machine: $(nproc) cores, $gpus GPUs, running with:${counts:- none}"
nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader >"$out/gpus.txt" 2>&1
"$bin/shmem-info" >"$out/shmem-info.txt" 2>&1
"$bin/shmem-info" --json >"$out/shmem-info.json" 2>&1

all=()
if [ $tests -eq 1 ]; then
    all=(--all)
    : >"$CUSHMEM_TEST_LEFT_OUT"
    for n in 0 $counts; do
        # A test counts as left out if the round with the most GPUs leaves it out. It counts as run if any round ran it.
        sed -i '/^ran: /!d' "$CUSHMEM_TEST_LEFT_OUT"
        export CUDA_VISIBLE_DEVICES=""
        [ "$n" -eq 0 ] || CUDA_VISIBLE_DEVICES=$(visible "$n")
        for suite in "$bin"/deps/*; do
            [ -x "$suite" ] && [ -f "$suite" ] || continue
            # Tests that need no GPU ran in the first round.
            skip=()
            [ "$n" -eq 0 ] || skip=(--skip soft:: --skip host::)
            step "test-${n}gpu-$(basename "$suite")" 900 "$suite" --test-threads=1 ${skip[@]+"${skip[@]}"}
        done
    done
    all_visible
    step matrix 600 "$bin/cushmem-matrix"
    step matrix-soft 900 "$bin/xtask" stencil-matrix --bin-dir "$bin" --backend soft
    [ -z "$counts" ] || step matrix-cuda 900 "$bin/xtask" stencil-matrix --bin-dir "$bin" --backend cuda
fi

if [ $bench -eq 1 ]; then
    for n in $counts; do
        CUDA_VISIBLE_DEVICES=$(visible "$n")
        export CUDA_VISIBLE_DEVICES CUSHMEM_GPU=cuda
        for mode in staged host stream device fused triggered; do
            step "stencil2d-${n}gpu-$mode" 300 "$bin/shmemrun" -n "$n" --timeout 280 "$bin/stencil2d" \
                --size 16384 --iters 200 --mode $mode
        done
        for size in 1024 16384; do
            step "jacobi-${n}gpu-$size" 300 "$bin/shmemrun" -n "$n" --timeout 280 "$bin/jacobi" --compare --size $size
        done
        step "shmem-bench-${n}gpu" 300 "$bin/shmemrun" -n "$n" --timeout 280 "$bin/shmem-bench" device \
            --json "$out/shmem-bench-${n}gpu.jsonl"
        step "shmem-bench-host-${n}gpu" 300 "$bin/shmemrun" -n "$n" --timeout 280 "$bin/shmem-bench" host \
            --json "$out/shmem-bench-host-${n}gpu.jsonl"
        all_visible
        unset CUSHMEM_GPU
    done
    [ -z "$counts" ] || step compare 450 "$bin/xtask" compare --bin-dir "$bin" --backend cuda --limit 420 \
        --table "$out/compare.md" --figure "$out/compare.svg" --rows "$out/compare.jsonl"
    for net in verbs tcp efa; do
        step "shmem-bench-net-$net" 120 env CUSHMEM_GPU=none CUSHMEM_NET=loopback:$net \
            "$bin/shmemrun" -n 2 --nodes 2 --timeout 110 "$bin/shmem-bench" net --json "$out/shmem-bench-net-$net.jsonl"
    done
    if [ -n "$peers" ] && [ -e "$peers/run-peers.sh" ]; then
        several=$(for n in $counts; do [ "$n" -lt 2 ] || echo "$n"; done)
        # shellcheck disable=SC2086 # one word a count
        step peers 900 bash "$peers/run-peers.sh" "$peers/nvshmem.tar.xz" "$out/peers" ${several:-2}
    fi
fi

echo
[ -n "$counts" ] || echo "benchmarks: no GPU here" >>"$CUSHMEM_TEST_LEFT_OUT"
# It is a failure if a test was left out although the machine has what it needs.
most=0
for n in $counts; do [ "$n" -le "$most" ] || most=$n; done
CUDA_VISIBLE_DEVICES=""
[ "$most" -eq 0 ] || CUDA_VISIBLE_DEVICES=$(visible "$most")
export CUDA_VISIBLE_DEVICES
: >>"$CUSHMEM_TEST_LEFT_OUT"
step left-out 60 "$bin/xtask" left-out ${all[@]+"${all[@]}"} "$CUSHMEM_TEST_LEFT_OUT"
cat "$out/left-out.log" 2>/dev/null
echo
printf '%-44s %6s %8s  %s\n' step status seconds note
printf '%s\n' "${rows[@]}"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
