// Back ends of torch's symmetric memory on the heaps of cushmem: "CUSHMEM" for GPUs, "CUSHMEM_SOFT" for the host.
//
// Allocation is collective over the job. In each call, the PEs first combine by AND what they ask for (each value also
// inverted, so that all see whether all values were the same), and which older memory they have dropped. Memory that
// all have dropped is then freed, in the order of its allocation. So memory may be freed in any order and at any time,
// and `free` neither waits nor calls the library. (On GPUs, torch's pool hands out again what its tensors have dropped
// without calling this.)
//
// An allocation is: words for barriers and signals, a table of addresses, the signal pad, then the data. A word belongs
// to a channel and a sender; it counts the signals that were sent and not yet waited for. A sender adds 1. The receiver
// waits for 1 or more and takes 1 away. As a signal that comes early is only counted, the words need no reset, and a
// barrier in a captured graph may be replayed. On GPUs, `shmemx_signal_exchange_on_stream` does both in one kernel.

#include <ATen/ATen.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/distributed/c10d/GroupRegistry.hpp>
#include <torch/csrc/distributed/c10d/symm_mem/SymmetricMemory.hpp>
#include <torch/library.h>

#include <dlfcn.h>
#include <sched.h>
#include <shmem.h>
#include <shmemx.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace symm = c10d::symmetric_memory;
using Clock = std::chrono::steady_clock;

constexpr size_t ALIGNMENT = 512;
// That many allocations may exist, each with a bit in what the PEs combine.
constexpr size_t MAX_BLOCKS = 16384;
// Values that must be the same on all PEs, each with its inverse.
constexpr size_t VALUES = 4;
constexpr size_t HEADER = 2 * VALUES;
constexpr size_t WORDS = HEADER + MAX_BLOCKS / 64;
// Words of a table for each PE: two addresses and a number.
constexpr size_t TABLE = 3;
// Channels that each allocation has at least.
constexpr size_t MIN_CHANNELS = 16;

size_t rounded(size_t bytes) {
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// The calls of the CUDA driver that zero and fill memory of the GPU.
struct Driver {
  using Context = void*;
  using Stream = void*;
  using Address = unsigned long long;
  int (*mem_alloc)(Address*, size_t) = nullptr;
  int (*mem_free)(Address) = nullptr;
  int (*copy)(Address, const void*, size_t, Stream) = nullptr;
  int (*memset)(Address, unsigned char, size_t, Stream) = nullptr;
  int (*stream_create)(Stream*, unsigned) = nullptr;
  int (*stream_wait)(Stream) = nullptr;
  int (*context_wait)() = nullptr;
  int (*attribute)(void*, int, Address) = nullptr;
  int (*device_get)(int*, int) = nullptr;
  int (*retain)(Context*, int) = nullptr;
  int (*push)(Context) = nullptr;
  int (*pop)(Context*) = nullptr;

  static Driver& get() {
    static Driver driver;
    return driver;
  }

  // In its life, the device's primary context is current. A thread that has not used CUDA has none.
  class Entered {
   public:
    explicit Entered(int device) {
      auto& driver = get();
      driver.check(driver.push(driver.primary(device)), "cuCtxPushCurrent");
    }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;
    ~Entered() {
      Context entered = nullptr;
      get().pop(&entered);
    }
  };

  void check(int code, const char* what) {
    TORCH_CHECK(code == 0, "CUSHMEM: the CUDA driver fails in ", what, " (error ", code, ")");
  }

  void zero(int device, void* at, size_t bytes) {
    const Entered entered(device);
    const Stream on = stream(device);
    check(memset(reinterpret_cast<Address>(at), 0, bytes, on), "cuMemsetD8Async");
    check(stream_wait(on), "cuStreamSynchronize");
  }

  // Copies an array to memory of the GPU.
  void copy_to(int device, void* to, const void* from, size_t bytes) {
    const Entered entered(device);
    const Stream on = stream(device);
    check(copy(reinterpret_cast<Address>(to), from, bytes, on), "cuMemcpyHtoDAsync");
    check(stream_wait(on), "cuStreamSynchronize");
  }

  // Memory of the GPU that is not symmetric.
  void* allocate(int device, size_t bytes) {
    const Entered entered(device);
    Address at = 0;
    check(mem_alloc(&at, bytes), "cuMemAlloc");
    return reinterpret_cast<void*>(at);
  }

  void release(int device, void* at) {
    const Entered entered(device);
    mem_free(reinterpret_cast<Address>(at));
  }

  // Waits until the device has nothing to do.
  void wait(int device) {
    const Entered entered(device);
    check(context_wait(), "cuCtxSynchronize");
  }

  int device_of(void* at) {
    constexpr int DEVICE_ORDINAL = 9;
    int device = -1;
    check(attribute(&device, DEVICE_ORDINAL, reinterpret_cast<Address>(at)), "cuPointerGetAttribute");
    return device;
  }

 private:
  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    TORCH_CHECK(library != nullptr, "CUSHMEM: there is no CUDA driver");
    auto find = [&](auto& call, const char* name) {
      call = reinterpret_cast<std::decay_t<decltype(call)>>(dlsym(library, name));
      TORCH_CHECK(call != nullptr, "CUSHMEM: the CUDA driver lacks ", name);
    };
    find(mem_alloc, "cuMemAlloc_v2");
    find(mem_free, "cuMemFree_v2");
    find(copy, "cuMemcpyHtoDAsync_v2");
    find(memset, "cuMemsetD8Async");
    find(stream_create, "cuStreamCreate");
    find(stream_wait, "cuStreamSynchronize");
    find(context_wait, "cuCtxSynchronize");
    find(attribute, "cuPointerGetAttribute");
    find(device_get, "cuDeviceGet");
    find(retain, "cuDevicePrimaryCtxRetain");
    find(push, "cuCtxPushCurrent_v2");
    find(pop, "cuCtxPopCurrent_v2");
  }

  Context primary(int device) {
    std::lock_guard<std::mutex> lock(state_);
    Context& found = contexts_[device];
    if (found == nullptr) {
      int handle = -1;
      check(device_get(&handle, device), "cuDeviceGet");
      check(retain(&found, handle), "cuDevicePrimaryCtxRetain");
    }
    return found;
  }

  // The stream of a GPU that was entered: a later job may use another one.
  Stream stream(int device) {
    std::lock_guard<std::mutex> lock(state_);
    Stream& found = streams_[device];
    if (found == nullptr) {
      constexpr unsigned NON_BLOCKING = 1;
      check(stream_create(&found, NON_BLOCKING), "cuStreamCreate");
    }
    return found;
  }

  std::mutex state_;
  std::map<int, Context> contexts_;
  std::map<int, Stream> streams_;
};

// The members of a process group.
struct Group {
  // A later group may have the same name.
  c10::weak_intrusive_ptr<c10d::ProcessGroup> of_torch;
  int rank;
  std::vector<int> pes;
  // In check mode, how many times they have compared what they have.
  uint64_t n_compared = 0;
};

// An allocation as the members of a group see it.
struct Peers {
  std::shared_ptr<Group> group;
  // The other ranks.
  std::vector<int> others;
  std::vector<void*> buffers;
  std::vector<void*> pads;
  bool all_mapped = true;
  // Arrays in the memory of the block's kind.
  void** buffers_dev = nullptr;
  void** pads_dev = nullptr;
  int* pes_dev = nullptr;
  // The allocation in which they are on GPUs, unless they are in the block's table.
  void* allocation = nullptr;
};

struct Block {
  bool is_gpu;
  int device;
  size_t size;
  // Where the parts are: the words come first.
  uint64_t* words;
  size_t channels;
  // Twice the number of PEs.
  uint64_t* splits;
  // Room for the arrays of one group, the first that has a rendezvous: to allocate that takes CUDA longer than all the
  // rest of a rendezvous.
  void** table;
  bool is_table_used = false;
  char* pad;
  char* data;
  // The group of a rendezvous that names none.
  std::optional<std::string> group;
  // The same on all PEs.
  uint64_t job;
  uint64_t serial;
  // Whether its tensor is gone, and how many handles there are, which keep the memory too.
  bool is_dropped = false;
  std::atomic<size_t> n_handles = 0;
  std::map<std::shared_ptr<Group>, std::shared_ptr<Peers>> peers;
  std::map<std::pair<std::shared_ptr<Group>, size_t>, c10::intrusive_ptr<symm::SymmetricMemory>> handles;

  c10::Device on() const {
    return is_gpu ? c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(device)) : c10::Device(c10::kCPU);
  }

  std::string name() const {
    return is_gpu ? "CUSHMEM" : "CUSHMEM_SOFT";
  }
};

void* current_stream(const c10::Device& device) {
  c10::impl::VirtualGuardImpl guard(device.type());
  return guard.getStreamNativeHandle(guard.getStream(device));
}

// Lets Python's other threads run, if this one has Python's lock. Not for allocation: torch's pool, for which that is,
// may hold a lock for which they wait.
class Unlocked {
 public:
  Unlocked() {
    if (has_ != nullptr && save_ != nullptr && restore_ != nullptr && has_() != 0) {
      state_ = save_();
    }
  }
  ~Unlocked() {
    if (state_ != nullptr) {
      restore_(state_);
    }
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  template <typename Call>
  static Call find(const char* name) {
    return reinterpret_cast<Call>(dlsym(RTLD_DEFAULT, name));
  }
  inline static const auto has_ = find<int (*)()>("PyGILState_Check");
  inline static const auto save_ = find<void* (*)()>("PyEval_SaveThread");
  inline static const auto restore_ = find<void (*)(void*)>("PyEval_RestoreThread");
  void* state_ = nullptr;
};

class Memory : public symm::SymmetricMemory {
 public:
  Memory(std::shared_ptr<Block> block, std::shared_ptr<Peers> peers, size_t offset)
      : block_(std::move(block)), peers_(std::move(peers)), offset_(offset) {
    ++block_->n_handles;
  }
  ~Memory() override {
    --block_->n_handles;
  }

  std::vector<void*> get_buffer_ptrs() override {
    return peers_->buffers;
  }
  std::vector<void*> get_signal_pad_ptrs() override {
    return peers_->pads;
  }
  void** get_buffer_ptrs_dev() override {
    return peers_->buffers_dev;
  }
  void** get_signal_pad_ptrs_dev() override {
    return peers_->pads_dev;
  }
  size_t get_buffer_size() override {
    return block_->size;
  }
  size_t get_offset() override {
    return offset_;
  }
  bool has_multicast_support() override {
    return false;
  }
  void* get_multicast_ptr() override {
    return nullptr;
  }
  int get_rank() override {
    return peers_->group->rank;
  }
  int get_world_size() override {
    return static_cast<int>(peers_->group->pes.size());
  }
  c10::Device get_device() override {
    return block_->on();
  }
  const std::vector<int>& get_rank_to_global_rank() override {
    return peers_->group->pes;
  }
  int* get_rank_to_global_rank_dev() override {
    return peers_->pes_dev;
  }
  bool world_within_direct_access() override {
    return peers_->all_mapped;
  }

  void barrier(int channel, size_t timeout_ms) override;
  void put_signal(int dst_rank, int channel, size_t timeout_ms) override;
  void wait_signal(int src_rank, int channel, size_t timeout_ms) override;

 private:
  using Ranks = std::vector<int>;

  uint64_t* words_of(const char* call, int channel);
  std::vector<int> pes(const char* call, const Ranks& ranks);
  void exchange(const char* call, int channel, const Ranks& to, const Ranks& from, size_t timeout_ms);
  void exchange_on_host(
      const char* call, int channel, uint64_t* words, const std::vector<int>& to_pes, const Ranks& from,
      const std::vector<int>& from_pes, size_t timeout_ms);
  void wait_limited(const char* call, int channel, uint64_t* words, const Ranks& ranks, size_t timeout_ms);

  std::shared_ptr<Block> block_;
  std::shared_ptr<Peers> peers_;
  size_t offset_;
};

// Starts the job, unless it runs, and returns 0; or says what is wrong and returns another value.
using Start = int (*)(int is_gpu, int device, char* message, size_t room);

// What the allocators of both devices share. It is never destroyed, as tensors are dropped until the process ends.
class Job {
 public:
  static Job& get() {
    static Job* job = new Job;
    return *job;
  }

  void on_start(Start start) {
    start_ = start;
  }

  void* alloc(bool is_gpu, size_t size, int device, const std::optional<std::string>& group) {
    if (is_gpu && device < 0) {
      // torch means the current one.
      device = c10::impl::VirtualGuardImpl(c10::kCUDA).getDevice().index();
    }
    begin(is_gpu, device);
    std::lock_guard<std::mutex> turn(collective_);
    const bool is_right = !is_gpu || gpu_ < 0 || gpu_ == device;
    const size_t pad = rounded(symm::get_signal_pad_size());
    const uint64_t values[VALUES] = {size, pad, uint64_t(is_gpu), uint64_t(!is_right)};
    free_dropped(values);
    for (size_t i = 0; i + 1 < VALUES; ++i) {
      if (combined_[2 * i] != ~combined_[2 * i + 1]) {
        disagree(is_gpu, size, pad, i == 1);
      }
    }
    TORCH_CHECK(is_right, "CUSHMEM: this process's PE uses GPU ", gpu_, ", and memory of GPU ", device, " was asked for");
    // A PE that cannot go on stops all, before any of them allocates.
    TORCH_CHECK(~combined_[2 * VALUES - 1] == 0, "CUSHMEM: another PE was asked for memory of a GPU that is not its own");
    TORCH_CHECK(blocks_.size() < MAX_BLOCKS, "CUSHMEM: there are ", MAX_BLOCKS, " allocations, which is the limit");

    const size_t n = static_cast<size_t>(n_);
    auto block = std::make_shared<Block>();
    block->channels = std::max(pad / (4 * n), MIN_CHANNELS);
    const size_t words = block->channels * n, head = rounded(8 * (words + 2 * n + TABLE * n));
    const size_t total = head + pad + std::max<size_t>(rounded(size), ALIGNMENT);
    std::optional<c10::DeviceGuard> guard;
    if (is_gpu) {
      guard.emplace(c10::Device(c10::kCUDA, static_cast<c10::DeviceIndex>(device)));
    }
    void* base = is_gpu ? shmemx_align_gpu(ALIGNMENT, total) : shmem_align(ALIGNMENT, total);
    TORCH_CHECK_WITH(
        OutOfMemoryError, base != nullptr, is_gpu ? "CUSHMEM" : "CUSHMEM_SOFT", ": cannot allocate ", size, " bytes of ",
        is_gpu ? "GPU memory (CUSHMEM_GPU_HEAP_SIZE limits it)" : "host memory (SHMEM_SYMMETRIC_SIZE limits it)");
    block->is_gpu = is_gpu;
    block->device = device;
    block->group = group;
    block->size = size;
    block->words = static_cast<uint64_t*>(base);
    block->splits = block->words + words;
    block->table = reinterpret_cast<void**>(block->splits + 2 * n);
    block->pad = static_cast<char*>(base) + head;
    block->data = block->pad + pad;
    block->job = id_;
    block->serial = serial_++;
    std::string failure;
    try {
      if (is_gpu) {
        gpu_ = Driver::get().device_of(base);
        Driver::get().zero(gpu_, base, head + pad);
        TORCH_CHECK(gpu_ == device, "CUSHMEM: this process's PE uses GPU ", gpu_, ", and memory of GPU ", device,
                    " was asked for; call torch.cuda.set_device first");
      } else {
        std::memset(base, 0, head + pad);
      }
    } catch (const c10::Error& error) {
      failure = error.what_without_backtrace();
    }
    // All go on or none. Behind this the others may send signals.
    asked_[0] = failure.empty();
    shmem_uint64_and_reduce(SHMEM_TEAM_WORLD, combined_, asked_, 1);
    if (combined_[0] == 0) {
      shmem_free(base);
      TORCH_CHECK(false, failure.empty() ? "CUSHMEM: another PE could not prepare its memory" : failure);
    }
    std::lock_guard<std::mutex> lock(state_);
    blocks_.push_back(block);
    by_address_[reinterpret_cast<uintptr_t>(block->data)] = block;
    return block->data;
  }

  void free(void* at) {
    std::lock_guard<std::mutex> lock(state_);
    auto found = by_address_.find(reinterpret_cast<uintptr_t>(at));
    // After the end of the job there are none.
    if (found != by_address_.end()) {
      found->second->is_dropped = true;
      found->second->handles.clear();
      by_address_.erase(found);
    }
  }

  // The allocation that contains an address.
  std::shared_ptr<Block> find(const void* at) {
    std::lock_guard<std::mutex> lock(state_);
    const auto address = reinterpret_cast<uintptr_t>(at);
    auto next = by_address_.upper_bound(address);
    if (next == by_address_.begin()) {
      return nullptr;
    }
    auto block = std::prev(next)->second;
    const size_t offset = address - reinterpret_cast<uintptr_t>(block->data);
    return offset < std::max<size_t>(block->size, 1) ? block : nullptr;
  }

  std::shared_ptr<Block> must_find(const void* at, const char* call, const char* what) {
    auto block = find(at);
    TORCH_CHECK(block != nullptr, call, ": ", what, " is not in memory that CUSHMEM or CUSHMEM_SOFT has allocated");
    return block;
  }

  // The members of a group. They exchange their numbers once.
  std::shared_ptr<Group> group(const std::string& name) {
    auto of_torch = c10d::resolve_process_group(name);
    {
      std::lock_guard<std::mutex> lock(state_);
      auto known = groups_.find(name);
      if (known != groups_.end() && known->second->of_torch.lock() == of_torch) {
        return known->second;
      }
    }
    // The other members may take long, so nobody else waits for this. Several threads may do it at once.
    auto store = of_torch->getStore();
    TORCH_CHECK(store, "rendezvous: group ", name, " has no store by which its members find each other");
    auto found = std::make_shared<Group>(Group{c10::weak_intrusive_ptr(of_torch), of_torch->getRank(), {}});
    auto key = [&](int rank) {
      return "cushmem/" + std::to_string(id_) + "/" + name + "/" + std::to_string(rank);
    };
    const std::string mine = std::to_string(me_);
    {
      const Unlocked others_run;
      store->set(key(found->rank), std::vector<uint8_t>(mine.begin(), mine.end()));
      for (int rank = 0; rank < of_torch->getSize(); ++rank) {
        const auto pe = store->get(key(rank));
        found->pes.push_back(std::stoi(std::string(pe.begin(), pe.end())));
      }
    }
    std::lock_guard<std::mutex> lock(state_);
    auto& group = groups_[name];
    if (group == nullptr || group->of_torch.lock() != of_torch) {
      group = found;
    }
    return group;
  }

  std::shared_ptr<Peers> peers(const std::shared_ptr<Block>& block, const std::shared_ptr<Group>& members) {
    std::lock_guard<std::mutex> lock(state_);
    auto& peers = block->peers[members];
    if (peers == nullptr) {
      auto found = std::make_shared<Peers>();
      found->group = members;
      for (int rank = 0; rank < static_cast<int>(members->pes.size()); ++rank) {
        if (rank != members->rank) {
          found->others.push_back(rank);
        }
      }
      for (int pe : members->pes) {
        found->buffers.push_back(shmem_ptr(block->data, pe));
        found->pads.push_back(shmem_ptr(block->pad, pe));
        found->all_mapped = found->all_mapped && found->buffers.back() != nullptr;
      }
      if (block->is_gpu) {
        // One table for all arrays.
        std::vector<void*> table;
        for (auto* array : {&found->buffers, &found->pads}) {
          table.insert(table.end(), array->begin(), array->end());
        }
        const size_t n = members->pes.size();
        table.resize(TABLE * n);
        std::memcpy(table.data() + 2 * n, members->pes.data(), n * sizeof(int));
        const size_t bytes = table.size() * sizeof(void*);
        if (block->is_table_used) {
          found->allocation = Driver::get().allocate(block->device, bytes);
          found->buffers_dev = static_cast<void**>(found->allocation);
        } else {
          found->buffers_dev = block->table;
          block->is_table_used = true;
        }
        Driver::get().copy_to(block->device, found->buffers_dev, table.data(), bytes);
        found->pads_dev = found->buffers_dev + n;
        found->pes_dev = reinterpret_cast<int*>(found->pads_dev + n);
      } else {
        found->buffers_dev = found->buffers.data();
        found->pads_dev = found->pads.data();
        found->pes_dev = members->pes.data();
      }
      peers = found;
    }
    return peers;
  }

  c10::intrusive_ptr<symm::SymmetricMemory> rendezvous(void* at, const std::optional<std::string>& given) {
    auto block = find(at);
    if (block == nullptr) {
      return nullptr;
    }
    const auto& name = given.has_value() ? given : block->group;
    TORCH_CHECK(name.has_value(), "rendezvous: neither this call nor that of the allocation names a group");
    const size_t offset = static_cast<char*>(at) - block->data;
    const std::pair<std::shared_ptr<Group>, size_t> key{group(*name), offset};
    if (checks_) {
      compare(*name, *key.first, *block, offset);
    }
    {
      std::lock_guard<std::mutex> lock(state_);
      auto cached = block->handles.find(key);
      if (cached != block->handles.end()) {
        return cached->second;
      }
    }
    auto handle = c10::make_intrusive<Memory>(block, peers(block, key.first), offset);
    std::lock_guard<std::mutex> lock(state_);
    return block->handles.emplace(key, handle).first->second;
  }

  // In check mode: finds out whether all members mean the same memory. They exchange that in each rendezvous.
  void compare(const std::string& name, Group& members, const Block& block, size_t offset) {
    uint64_t count = 0;
    {
      std::lock_guard<std::mutex> lock(state_);
      count = members.n_compared++;
    }
    auto store = c10d::resolve_process_group(name)->getStore();
    auto key = [&](size_t rank) {
      std::ostringstream text;
      text << "cushmem/" << id_ << "/" << name << "/rendezvous/" << count << "/" << rank;
      return text.str();
    };
    std::ostringstream mine;
    mine << "byte " << offset << " of " << block.size << " in allocation " << block.serial;
    const std::string text = mine.str();
    const Unlocked others_run;
    store->set(key(members.rank), std::vector<uint8_t>(text.begin(), text.end()));
    std::ostringstream all;
    bool is_same = true;
    for (size_t rank = 0; rank < members.pes.size(); ++rank) {
      const auto theirs = store->get(key(rank));
      const std::string there(theirs.begin(), theirs.end());
      is_same = is_same && there == text;
      all << (rank == 0 ? "" : ", ") << "rank " << rank << " (PE " << members.pes[rank] << ") has " << there;
    }
    TORCH_CHECK(
        is_same, block.name(), ": the members give rendezvous different memory: ", all.str(),
        ". All drop tensors, and allocate, in the same order");
  }

  // Frees everything, before the job ends. Collective. What torch's pool still has is dropped by nobody: its addresses
  // may soon be those of another job.
  void end() {
    std::lock_guard<std::mutex> turn(collective_);
    if (id_ == 0) {
      return;
    }
    std::vector<std::shared_ptr<Block>> left;
    {
      std::lock_guard<std::mutex> lock(state_);
      by_address_.clear();
      left.swap(blocks_);
    }
    release(left);
    shmem_free(combined_);
    shmem_free(asked_);
    std::lock_guard<std::mutex> lock(state_);
    groups_.clear();
    id_ = 0;
    gpu_ = -1;
    is_told_[0] = is_told_[1] = false;
  }

  int me() const {
    return me_;
  }
  int n() const {
    return n_;
  }
  void must_run(const char* call, uint64_t job) const {
    TORCH_CHECK(id_ == job, call, ": the job of this memory is over");
  }

 private:
  Job() = default;

  // Makes sure that the job runs and is known. Collective the first time.
  void begin(bool is_gpu, int device) {
    // Only the first time, because it takes Python's lock: a thread that holds that may be waiting for torch's pool, for
    // which this one allocates.
    if (id_ != 0 && is_told_[is_gpu]) {
      return;
    }
    TORCH_CHECK(start_ != nullptr, "CUSHMEM: import cushmem.torch first");
    char message[1024] = "";
    TORCH_CHECK(start_(is_gpu, device, message, sizeof message) == 0, message);
    is_told_[is_gpu] = true;
    std::lock_guard<std::mutex> turn(collective_);
    if (id_ != 0) {
      return;
    }
    me_ = shmem_my_pe();
    n_ = shmem_n_pes();
    asked_ = static_cast<uint64_t*>(shmem_malloc(8 * WORDS));
    combined_ = static_cast<uint64_t*>(shmem_malloc(8 * WORDS));
    TORCH_CHECK(asked_ != nullptr && combined_ != nullptr, "CUSHMEM: SHMEM_SYMMETRIC_SIZE leaves no host memory");
    // The job gets an id, for keys of stores: the clock of PE 0.
    asked_[0] = me_ == 0 ? static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) : ~0ull;
    // If any PE checks, all do.
    const char* check = std::getenv("CUSHMEM_CHECK");
    asked_[1] = check != nullptr && std::strcmp(check, "1") == 0 ? 0 : ~0ull;
    shmem_uint64_and_reduce(SHMEM_TEAM_WORLD, combined_, asked_, 2);
    checks_ = combined_[1] == 0;
    id_ = combined_[0];
    serial_ = 0;
  }

  // Combines values of all PEs, into `combined_`, and frees what all PEs have dropped. Collective.
  void free_dropped(const uint64_t (&values)[VALUES]) {
    for (size_t i = 0; i < VALUES; ++i) {
      asked_[2 * i] = values[i];
      asked_[2 * i + 1] = ~values[i];
    }
    const size_t words = (blocks_.size() + 63) / 64;
    std::fill(asked_ + HEADER, asked_ + HEADER + words, 0);
    {
      std::lock_guard<std::mutex> lock(state_);
      for (size_t i = 0; i < blocks_.size(); ++i) {
        const bool is_unused = blocks_[i]->is_dropped && blocks_[i]->n_handles == 0;
        asked_[HEADER + i / 64] |= uint64_t(is_unused) << i % 64;
      }
    }
    shmem_uint64_and_reduce(SHMEM_TEAM_WORLD, combined_, asked_, HEADER + words);
    std::vector<std::shared_ptr<Block>> dropped, kept;
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const bool is_free = combined_[HEADER + i / 64] >> i % 64 & 1;
      (is_free ? dropped : kept).push_back(blocks_[i]);
    }
    release(dropped);
    blocks_.swap(kept);
  }

  // Collective.
  void release(const std::vector<std::shared_ptr<Block>>& blocks) {
    bool has_waited = false;
    for (auto& block : blocks) {
      if (block->is_gpu && !has_waited) {
        Driver::get().wait(block->device);
        has_waited = true;
      }
      for (auto& [group, peers] : block->peers) {
        if (peers->allocation != nullptr) {
          Driver::get().release(block->device, peers->allocation);
        }
      }
      block->handles.clear();
      // Its first step is a barrier, behind which all PEs have waited for their GPUs.
      shmem_free(block->words);
    }
  }

  // Says what each PE has asked for. Collective.
  [[noreturn]] void disagree(bool is_gpu, size_t size, size_t pad, bool is_pad) {
    const size_t n = static_cast<size_t>(n_);
    auto* mine = static_cast<uint64_t*>(shmem_malloc(24));
    auto* all = static_cast<uint64_t*>(shmem_malloc(24 * n));
    std::ostringstream text;
    text << "CUSHMEM: the PEs ask for different memory";
    if (mine != nullptr && all != nullptr) {
      mine[0] = size;
      mine[1] = pad;
      mine[2] = is_gpu;
      shmem_fcollectmem(SHMEM_TEAM_WORLD, all, mine, 24);
      const char* separator = ": ";
      for (size_t pe = 0; pe < n && pe < 16; ++pe) {
        text << separator << "PE " << pe << " for ";
        if (is_pad) {
          text << "a signal pad of " << all[3 * pe + 1] << " bytes";
        } else {
          text << all[3 * pe] << " bytes of " << (all[3 * pe + 2] ? "its GPU" : "the host");
        }
        separator = ", ";
      }
      text << (n > 16 ? ", ..." : "");
    }
    text << ". Allocation is collective: all make the same calls in the same order";
    shmem_free(all);
    shmem_free(mine);
    TORCH_CHECK(false, text.str());
  }

  Start start_ = nullptr;
  // As CUSHMEM_CHECK says.
  bool checks_ = false;
  // Held during a collective call, `state_` only while what follows it is read or written.
  std::mutex collective_;
  // 0 while there is no job.
  std::atomic<uint64_t> id_ = 0;
  // Whether Python knows of memory of each kind.
  std::atomic<bool> is_told_[2] = {};
  int me_ = 0;
  int n_ = 0;
  int gpu_ = -1;
  uint64_t serial_ = 0;
  uint64_t* asked_ = nullptr;
  uint64_t* combined_ = nullptr;
  std::mutex state_;
  // In the order of their allocation, the dropped ones too.
  std::vector<std::shared_ptr<Block>> blocks_;
  std::map<uintptr_t, std::shared_ptr<Block>> by_address_;
  std::map<std::string, std::shared_ptr<Group>> groups_;
};

// The words of a channel, one for each PE.
uint64_t* Memory::words_of(const char* call, int channel) {
  TORCH_CHECK(
      channel >= 0 && static_cast<size_t>(channel) < block_->channels, call, ": channel is ", channel,
      "; the valid range is 0 to ", block_->channels - 1);
  return block_->words + static_cast<size_t>(channel) * Job::get().n();
}

std::vector<int> Memory::pes(const char* call, const Ranks& ranks) {
  std::vector<int> pes;
  for (int rank : ranks) {
    TORCH_CHECK(
        rank >= 0 && rank < get_world_size(), call, ": rank is ", rank, "; the valid range is 0 to ", get_world_size() - 1);
    pes.push_back(peers_->group->pes[rank]);
  }
  return pes;
}

// Tells the first ranks, and waits for the others.
void Memory::exchange(const char* call, int channel, const Ranks& to, const Ranks& from, size_t timeout_ms) {
  uint64_t* words = words_of(call, channel);
  const auto to_pes = pes(call, to), from_pes = pes(call, from);
  const Unlocked others_run;
  if (!block_->is_gpu) {
    exchange_on_host(call, channel, words, to_pes, from, from_pes, timeout_ms);
    return;
  }
  c10::DeviceGuard guard(block_->on());
  void* stream = current_stream(block_->on());
  if (timeout_ms == 0 || from.empty()) {
    shmemx_signal_exchange_on_stream(words, to_pes.data(), to_pes.size(), from_pes.data(), from_pes.size(), stream);
    return;
  }
  // The CPU waits first, because it can say who is late, and nothing is left on the stream if somebody is.
  shmemx_signal_exchange_on_stream(words, to_pes.data(), to_pes.size(), nullptr, 0, stream);
  shmemx_stream_synchronize(stream);
  wait_limited(call, channel, words, from, timeout_ms);
  shmemx_signal_exchange_on_stream(words, nullptr, 0, from_pes.data(), from_pes.size(), stream);
}

void Memory::exchange_on_host(
    const char* call, int channel, uint64_t* words, const std::vector<int>& to_pes, const Ranks& from,
    const std::vector<int>& from_pes, size_t timeout_ms) {
  const int me = Job::get().me();
  shmem_quiet();
  for (int pe : to_pes) {
    shmem_signal_add(words + me, 1, pe);
  }
  if (timeout_ms != 0) {
    wait_limited(call, channel, words, from, timeout_ms);
  }
  for (int pe : from_pes) {
    shmem_signal_wait_until(words + pe, SHMEM_CMP_GE, 1);
    shmem_signal_add(words + pe, ~0ull, me);
  }
}

// Waits until signals of all these ranks are there.
void Memory::wait_limited(const char* call, int channel, uint64_t* words, const Ranks& ranks, size_t timeout_ms) {
  const auto start = Clock::now();
  for (size_t round = 0;; ++round) {
    std::ostringstream late;
    for (int rank : ranks) {
      const int of = peers_->group->pes[rank];
      if (shmem_signal_fetch(words + of) == 0) {
        late << (late.tellp() == 0 ? "" : ", ") << "rank " << rank << " (PE " << of << ")";
      }
    }
    if (late.tellp() == 0) {
      return;
    }
    TORCH_CHECK(
        Clock::now() - start <= std::chrono::milliseconds(timeout_ms), block_->name(), ": rank ", get_rank(), " (PE ",
        Job::get().me(), ") waited ", timeout_ms, " ms in ", call, " on channel ", channel, "; late: ", late.str());
    if (round > 1000) {
      const timespec pause{0, 50'000};
      nanosleep(&pause, nullptr);
    } else {
      sched_yield();
    }
  }
}

void Memory::barrier(int channel, size_t timeout_ms) {
  Job::get().must_run("barrier", block_->job);
  exchange("barrier", channel, peers_->others, peers_->others, timeout_ms);
}

// It never waits: a signal that comes early is counted.
void Memory::put_signal(int dst_rank, int channel, size_t /*timeout_ms*/) {
  Job::get().must_run("put_signal", block_->job);
  exchange("put_signal", channel, {dst_rank}, {}, 0);
}

void Memory::wait_signal(int src_rank, int channel, size_t timeout_ms) {
  Job::get().must_run("wait_signal", block_->job);
  exchange("wait_signal", channel, {}, {src_rank}, timeout_ms);
}

class Allocator : public symm::SymmetricMemoryAllocator {
 public:
  explicit Allocator(bool is_gpu) : is_gpu_(is_gpu) {}

  void* alloc(size_t size, int device_idx, const std::optional<std::string>& group_name) override {
    return Job::get().alloc(is_gpu_, size, device_idx, group_name);
  }
  void free(void* ptr) override {
    Job::get().free(ptr);
  }
  size_t get_alloc_size(void* ptr) override {
    return Job::get().must_find(ptr, "get_alloc_size", "the address")->size;
  }
  c10::intrusive_ptr<symm::SymmetricMemory> rendezvous(void* ptr, const std::optional<std::string>& group_name) override {
    return Job::get().rendezvous(ptr, group_name);
  }
  bool has_multicast_support(int /*device_idx*/) override {
    return false;
  }
  c10::DeviceType supported_device_type() override {
    return is_gpu_ ? c10::kCUDA : c10::kCPU;
  }
  std::string name() override {
    return is_gpu_ ? "CUSHMEM" : "CUSHMEM_SOFT";
  }
  // Before torch 2.12 there is none to override. Newer versions compare what get_alloc_id returns between ranks.
  virtual bool has_allocation(void* ptr) {
    return Job::get().find(ptr) != nullptr;
  }
  virtual int64_t get_alloc_id(void* ptr) {
    auto block = Job::get().find(ptr);
    return block == nullptr ? -1 : static_cast<int64_t>(block->serial);
  }

 private:
  bool is_gpu_;
};

// What an operation works on: memory of this PE that lies in an allocation.
struct Operand {
  std::shared_ptr<Block> block;
  void* at;
  size_t bytes;
};

size_t bytes_of(const at::Tensor& tensor, const char* call, const char* name) {
  TORCH_CHECK(tensor.is_contiguous(), call, ": ", name, " is not contiguous");
  return tensor.nbytes();
}

Operand symmetric(const at::Tensor& tensor, const char* call, const char* name) {
  const size_t bytes = bytes_of(tensor, call, name);
  return {Job::get().must_find(tensor.data_ptr(), call, name), tensor.data_ptr(), bytes};
}

int pe_of(int64_t peer, const std::string& group, const char* call) {
  auto members = Job::get().group(group);
  const auto n = static_cast<int64_t>(members->pes.size());
  TORCH_CHECK(peer >= 0 && peer < n, call, ": peer is ", peer, "; the valid range is 0 to ", n - 1);
  return members->pes[peer];
}

void same(const at::Tensor& dst, const at::Tensor& src, const char* call) {
  TORCH_CHECK(
      dst.nbytes() == src.nbytes() && dst.scalar_type() == src.scalar_type(), call, ": dst has ", dst.numel(), " of ",
      dst.scalar_type(), ", src ", src.numel(), " of ", src.scalar_type());
  TORCH_CHECK(dst.device() == src.device(), call, ": dst is on ", dst.device(), ", src on ", src.device());
}

uint64_t* signal_of(const at::Tensor& signal, const char* call) {
  auto word = symmetric(signal, call, "signal");
  TORCH_CHECK(
      signal.element_size() == 8 && signal.numel() >= 1, call, ": signal has ", signal.numel(), " of ",
      signal.scalar_type(), "; it takes one of 8 bytes");
  return static_cast<uint64_t*>(word.at);
}

void put(at::Tensor dst, const at::Tensor& src, int64_t peer, const std::string& group) {
  auto to = symmetric(dst, "put", "dst");
  bytes_of(src, "put", "src");
  same(dst, src, "put");
  const int pe = pe_of(peer, group, "put");
  if (to.block->is_gpu) {
    c10::DeviceGuard guard(dst.device());
    shmemx_putmem_on_stream(to.at, src.data_ptr(), to.bytes, pe, current_stream(dst.device()));
  } else {
    shmem_putmem(to.at, src.data_ptr(), to.bytes, pe);
  }
}

void get(at::Tensor dst, const at::Tensor& src, int64_t peer, const std::string& group) {
  auto from = symmetric(src, "get", "src");
  bytes_of(dst, "get", "dst");
  same(dst, src, "get");
  const int pe = pe_of(peer, group, "get");
  if (from.block->is_gpu) {
    c10::DeviceGuard guard(dst.device());
    shmemx_getmem_on_stream(dst.data_ptr(), from.at, from.bytes, pe, current_stream(dst.device()));
  } else {
    shmem_getmem(dst.data_ptr(), from.at, from.bytes, pe);
  }
}

void put_signal(
    at::Tensor dst, const at::Tensor& src, at::Tensor signal, int64_t value, int64_t peer, const std::string& group) {
  auto to = symmetric(dst, "put_signal", "dst");
  bytes_of(src, "put_signal", "src");
  same(dst, src, "put_signal");
  uint64_t* word = signal_of(signal, "put_signal");
  const int pe = pe_of(peer, group, "put_signal");
  const auto number = static_cast<uint64_t>(value);
  if (to.block->is_gpu) {
    c10::DeviceGuard guard(dst.device());
    shmemx_putmem_signal_on_stream(
        to.at, src.data_ptr(), to.bytes, word, number, SHMEM_SIGNAL_SET, pe, current_stream(dst.device()));
  } else {
    shmem_putmem_signal(to.at, src.data_ptr(), to.bytes, word, number, SHMEM_SIGNAL_SET, pe);
  }
}

void wait_signal(at::Tensor signal, int64_t value, at::Tensor /*data*/) {
  uint64_t* word = signal_of(signal, "wait_signal");
  const auto number = static_cast<uint64_t>(value);
  if (signal.is_cuda()) {
    c10::DeviceGuard guard(signal.device());
    shmemx_signal_wait_until_on_stream(word, SHMEM_CMP_GE, number, current_stream(signal.device()));
  } else {
    shmem_signal_wait_until(word, SHMEM_CMP_GE, number);
  }
}

void all_to_all_vdev(
    const at::Tensor& input, at::Tensor out, const at::Tensor& in_splits, at::Tensor out_splits_offsets,
    const std::string& group) {
  const char* call = "all_to_all_vdev";
  const int64_t n = Job::get().n();
  auto from = symmetric(input, call, "input");
  auto to = symmetric(out, call, "out");
  auto splits = symmetric(out_splits_offsets, call, "out_splits_offsets");
  auto members = Job::get().group(group);
  bool is_world = static_cast<int64_t>(members->pes.size()) == n;
  for (int64_t rank = 0; is_world && rank < n; ++rank) {
    is_world = members->pes[rank] == rank;
  }
  TORCH_CHECK(is_world, call, ": the group is not that of all PEs, in their order");
  TORCH_CHECK(
      in_splits.scalar_type() == at::kLong && in_splits.dim() == 1 && in_splits.size(0) == n, call,
      ": in_splits is not ", n, " of int64");
  TORCH_CHECK(
      out_splits_offsets.scalar_type() == at::kLong && out_splits_offsets.dim() == 2 &&
          out_splits_offsets.size(0) == 2 && out_splits_offsets.size(1) == n,
      call, ": out_splits_offsets is not 2 x ", n, " of int64");
  TORCH_CHECK(
      input.device() == out.device() && in_splits.device() == out.device() &&
          out_splits_offsets.device() == out.device(),
      call, ": the tensors are not all on ", out.device());
  TORCH_CHECK(
      input.dim() >= 1 && out.dim() == input.dim() && input.sizes().slice(1) == out.sizes().slice(1) &&
          input.scalar_type() == out.scalar_type(),
      call, ": rows of input and out differ");
  const size_t row = input.element_size() * c10::multiply_integers(input.sizes().slice(1));
  const auto rows = static_cast<size_t>(out.size(0));
  c10::OptionalDeviceGuard guard;
  if (to.block->is_gpu) {
    guard.reset_device(out.device());
  } else {
    // On GPUs nobody but the stream knows them.
    const auto all = in_splits.contiguous();
    const c10::ArrayRef<int64_t> counts(all.const_data_ptr<int64_t>(), n);
    int64_t left = input.size(0);
    for (int64_t count : counts) {
      left = count < 0 || left < count ? -1 : left - count;
    }
    TORCH_CHECK(left >= 0, call, ": in_splits has ", counts, "; the rows of input are ", input.size(0));
  }
  // The routine takes where the rows begin, too.
  auto options = at::TensorOptions().dtype(at::kLong).device(in_splits.device());
  auto both = at::from_blob(to.block->splits, {2, n}, options);
  both.select(0, 0).copy_(in_splits);
  auto starts = both.select(0, 1);
  starts.copy_(at::cumsum(in_splits, 0) - in_splits);
  auto* received = static_cast<uint64_t*>(splits.at);
  if (to.block->is_gpu) {
    void* stream = current_stream(out.device());
    shmemx_alltoallmemv_on_stream(SHMEM_TEAM_WORLD, to.at, from.at, received, to.block->splits, rows, row, stream);
  } else {
    shmemx_alltoallmemv(SHMEM_TEAM_WORLD, to.at, from.at, received, to.block->splits, rows, row);
  }
}

struct Register {
  Register() {
    symm::register_availability("CUSHMEM", c10::make_intrusive<Allocator>(true));
    symm::register_availability("CUSHMEM_SOFT", c10::make_intrusive<Allocator>(false));
  }
};

Register registered;

} // namespace

extern "C" __attribute__((visibility("default"))) void cushmem_torch_on_start(Start start) {
  Job::get().on_start(start);
}

// Returns null, or what is wrong until the next call.
extern "C" __attribute__((visibility("default"))) const char* cushmem_torch_end() {
  static std::string failure;
  try {
    Job::get().end();
    return nullptr;
  } catch (const c10::Error& error) {
    failure = error.what_without_backtrace();
    return failure.c_str();
  }
}

TORCH_LIBRARY(cushmem, library) {
  library.def("put(Tensor(a!) dst, Tensor src, int peer, str group_name) -> ()");
  library.def("get(Tensor(a!) dst, Tensor src, int peer, str group_name) -> ()");
  library.def(
      "put_signal(Tensor(a!) dst, Tensor src, Tensor(b!) signal, int value, int peer, str group_name) -> ()");
  library.def("wait_signal(Tensor(a!) signal, int value, Tensor(b!) data) -> ()");
  library.def(
      "all_to_all_vdev(Tensor input, Tensor(a!) out, Tensor in_splits, Tensor(b!) out_splits_offsets, str group_name)"
      " -> ()");
}

TORCH_LIBRARY_IMPL(cushmem, CPU, library) {
  library.impl("put", put);
  library.impl("get", get);
  library.impl("put_signal", put_signal);
  library.impl("wait_signal", wait_signal);
  library.impl("all_to_all_vdev", all_to_all_vdev);
}

TORCH_LIBRARY_IMPL(cushmem, CUDA, library) {
  library.impl("put", put);
  library.impl("get", get);
  library.impl("put_signal", put_signal);
  library.impl("wait_signal", wait_signal);
  library.impl("all_to_all_vdev", all_to_all_vdev);
}
