// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <random>
#include <string>
#include <utility>

#include "base/round_up.hpp"

namespace fg {

namespace {

constexpr std::size_t gibi = std::size_t{1} << 30;
// Addresses that Linux leaves free on x86-64 and on Arm with 48 bits, and that sanitizers of
// addresses allow.
constexpr std::uintptr_t first_address = std::uintptr_t{0x2000} << 32;
constexpr std::size_t most_of_all = 8192 * gibi;
constexpr std::size_t page_of_secret = 65536;  // a multiple of every system's page

/// It is as much as the machine has, unless many processes share the addresses.
std::size_t slice_bytes(int processes) noexcept {
  struct sysinfo machine {};
  if (sysinfo(&machine) != 0) return 0;
  const std::size_t memory = std::size_t{machine.totalram} * machine.mem_unit;
  const std::size_t share = most_of_all / static_cast<std::size_t>(processes) / gibi * gibi;
  return std::min(round_up(memory, gibi), share);
}

bool map_file(std::byte* where, std::size_t bytes, int file) noexcept {
  return mmap(where, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file,
              0) == where;
}

}  // namespace

HostMemory* HostMemory::installed_ = nullptr;
std::uintptr_t HostMemory::begin_ = 0;
std::size_t HostMemory::bytes_ = 0;

std::unique_ptr<HostMemory> HostMemory::reserve(int processes, int here, int tries_before) {
  const std::size_t slice = slice_bytes(processes);
  if (!possible || slice == 0) return nullptr;
  const std::uintptr_t address =
      first_address + static_cast<std::uintptr_t>(tries_before) * most_of_all;
  void* const wanted = reinterpret_cast<void*>(address);
  void* const found =
      mmap(wanted, slice * static_cast<std::size_t>(processes), PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  auto memory = std::unique_ptr<HostMemory>(
      new HostMemory(static_cast<std::byte*>(found), slice, processes, here));
  return found == wanted ? std::move(memory) : nullptr;
}

HostMemory::~HostMemory() {
  munmap(memory_, bytes_of_all());
  if (file_ >= 0) close(file_);
}

HostMemory::Handle HostMemory::make_slice() {
  file_ = memfd_create("finegrain messages", MFD_CLOEXEC);
  if (file_ < 0) return {};
  if (ftruncate(file_, static_cast<off_t>(slice_)) != 0 ||
      !map_file(slice_of(here_), slice_, file_))
    return {};
  std::random_device random;
  const std::uint64_t secret = (std::uint64_t{random()} << 32) | random() | 1u;
  std::memcpy(slice_of(here_), &secret, sizeof secret);
  used_ = page_of_secret;
  return {.process = getpid(), .file = file_, .secret = secret};
}

bool HostMemory::map_slice(int process, const Handle& handle) noexcept {
  if (handle.file < 0) return false;
  const std::string path =
      "/proc/" + std::to_string(handle.process) + "/fd/" + std::to_string(handle.file);
  const int file = open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (file < 0) return false;
  // With another view of the processes the path leads to any file. A file that is too short would
  // end the program at the first access.
  std::uint64_t secret = 0;
  const bool same = pread(file, &secret, sizeof secret, 0) == sizeof secret &&
                    secret == handle.secret && map_file(slice_of(process), slice_, file);
  close(file);
  return same;
}

void HostMemory::install(std::unique_ptr<HostMemory> memory, std::uint64_t group) noexcept {
  close(std::exchange(memory->file_, -1));
  memory->group_ = group;
  begin_ = reinterpret_cast<std::uintptr_t>(memory->memory_);
  bytes_ = memory->bytes_of_all();
  installed_ = memory.release();
}

void* HostMemory::take(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > slice_ - used_) throw std::bad_alloc();
  return slice_of(here_) + std::exchange(used_, used_ + round_up(bytes, std::size_t{64}));
}

std::size_t HostMemory::taken() const noexcept {
  const std::lock_guard lock(mutex_);
  return used_;
}

}  // namespace fg
