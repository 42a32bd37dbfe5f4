// SPDX-License-Identifier: BSD-3-Clause
#include "transport/mpi/mpi_shared_memory.hpp"

#include <sys/statvfs.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "base/round_up.hpp"
#include "transport/mpi/mpi_call.hpp"

namespace fg::mpi {

namespace {

constexpr std::size_t line = 64;
// sizes are rounded up to this, so that a window can be used again for a similar size
constexpr std::size_t grain = 65536;

/// All processes map a window by whole pages, so this offset is the same in each.
std::byte* start_of(void* part) noexcept {
  return reinterpret_cast<std::byte*>(round_up(reinterpret_cast<std::uintptr_t>(part), line));
}

}  // namespace

/// The data that each process of the host sends to the others, so that all decide the same.
struct SharedMemories::Wanted {
  std::uint64_t room = 0;              // free bytes on its file system for shared memory
  std::vector<std::uint64_t> offsets;  // where its parts begin, by place on the host
  std::uint64_t bytes = 0;             // total size of its parts
};

class SharedMemories::Window final : public SharedMemory {
 public:
  Window(MPI_Win window, std::vector<std::byte*> parts, std::vector<std::uint64_t> bytes)
      : window_(window), parts_(std::move(parts)), bytes_(std::move(bytes)) {}
  ~Window() override { MPI_Win_free(&window_); }

  bool holds(const std::vector<Wanted>& wanted) const {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i].bytes > bytes_[i]) return false;
    return true;
  }

  void divide(const std::vector<Wanted>& wanted, std::size_t here, std::span<const int> processes,
              std::size_t all_processes) {
    to_.assign(all_processes, nullptr);
    from_.assign(all_processes, nullptr);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (i == here) continue;
      const auto process = static_cast<std::size_t>(processes[i]);
      to_[process] = parts_[here] + wanted[here].offsets[i];
      from_[process] = parts_[i] + wanted[i].offsets[here];
    }
  }

  std::byte* to(int process) const noexcept override {
    return to_[static_cast<std::size_t>(process)];
  }
  std::byte* from(int process) const noexcept override {
    return from_[static_cast<std::size_t>(process)];
  }

 private:
  MPI_Win window_;
  std::vector<std::byte*> parts_;     // by place on the host
  std::vector<std::uint64_t> bytes_;  // their sizes
  std::vector<std::byte*> to_;        // by process
  std::vector<std::byte*> from_;
};

SharedMemories::SharedMemories(MPI_Comm together) {
  int rank = 0, size = 0;
  FG_MPI(MPI_Comm_rank, together, &rank);
  FG_MPI(MPI_Comm_size, together, &size);
  FG_MPI(MPI_Comm_split_type, together, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &host_);
  FG_MPI(MPI_Comm_set_errhandler, host_, MPI_ERRORS_RETURN);
  FG_MPI(MPI_Comm_size, host_, &size_);
  FG_MPI(MPI_Comm_rank, host_, &rank_);
  all_processes_ = static_cast<std::size_t>(size);
  processes_ = size_ == 1 ? std::vector{rank} : gather_all(host_, rank);
}

SharedMemories::~SharedMemories() {
  windows_.clear();
  MPI_Comm_free(&host_);
}

std::vector<SharedMemories::Wanted> SharedMemories::tell_each_other(
    std::span<const std::size_t> bytes) const {
  const auto here = static_cast<std::size_t>(size_);
  std::vector<std::uint64_t> mine;  // offsets, the end of the last part, free bytes
  std::uint64_t end = 0;
  for (const int process : processes_) {
    mine.push_back(end);
    end += round_up(bytes[static_cast<std::size_t>(process)], line);
  }
  mine.push_back(end);
  struct statvfs shm {};
  mine.push_back(statvfs("/dev/shm", &shm) == 0 ? std::uint64_t{shm.f_bavail} * shm.f_frsize : 0);

  const auto all = gather_all(host_, std::span<const std::uint64_t>(mine));
  std::vector<Wanted> wanted(here);
  for (std::size_t i = 0; i < here; ++i) {
    const std::uint64_t* const its = all.data() + i * mine.size();
    wanted[i] = {.room = its[here + 1], .offsets{its, its + here}, .bytes = its[here]};
  }
  return wanted;
}

/// A window that no process uses. All processes of the host release the same windows before the
/// same call. So the use count of this process is enough to know.
std::shared_ptr<SharedMemories::Window> SharedMemories::unused_window(
    const std::vector<Wanted>& wanted) const {
  for (const auto& window : windows_)
    if (window.use_count() == 1 && window->holds(wanted)) return window;
  return nullptr;
}

std::shared_ptr<SharedMemories::Window> SharedMemories::make_window(
    const std::vector<Wanted>& wanted) const {
  std::uint64_t total = 0;
  std::uint64_t room = std::numeric_limits<std::uint64_t>::max();
  std::vector<std::uint64_t> bytes;
  for (const Wanted& its : wanted) {
    bytes.push_back(its.bytes / grain * grain + grain - line);
    total += bytes.back();
    room = std::min(room, its.room);
  }
  if (total > room / 2) return nullptr;  // leaves half for other programs

  MPI_Info info = MPI_INFO_NULL;
  FG_MPI(MPI_Info_create, &info);
  FG_MPI(MPI_Info_set, info, "alloc_shared_noncontig", "true");
  void* base = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  FG_MPI(MPI_Win_allocate_shared,
         static_cast<MPI_Aint>(bytes[static_cast<std::size_t>(rank_)] + line), 1, info, host_,
         static_cast<void*>(&base), &window);
  MPI_Info_free(&info);
  std::vector<std::byte*> parts;
  for (int i = 0; i < size_; ++i) {
    MPI_Aint size = 0;
    int unit = 0;
    void* part = nullptr;
    FG_MPI(MPI_Win_shared_query, window, i, &size, &unit, static_cast<void*>(&part));
    parts.push_back(start_of(part));
  }
  return std::make_shared<Window>(window, std::move(parts), std::move(bytes));
}

std::shared_ptr<const SharedMemory> SharedMemories::share(std::span<const std::size_t> bytes) {
  if (size_ == 1) return nullptr;
  const std::vector<Wanted> wanted = tell_each_other(bytes);
  if (std::all_of(wanted.begin(), wanted.end(), [](const Wanted& its) { return its.bytes == 0; }))
    return nullptr;
  std::shared_ptr<Window> window = unused_window(wanted);
  if (!window) {
    std::erase_if(windows_, [](const auto& other) { return other.use_count() == 1; });
    window = make_window(wanted);
    if (!window) return nullptr;
    windows_.push_back(window);
  }
  window->divide(wanted, static_cast<std::size_t>(rank_), processes_, all_processes_);
  return window;
}

}  // namespace fg::mpi
