// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/memory_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include "base/error.hpp"
#include "records/files/checksum.hpp"
#include "records/files/files.hpp"

namespace fg {

namespace {

namespace fs = std::filesystem;

constexpr std::array<char, 16> magic{'f', 'i', 'n', 'e', 'g', 'r', 'a', 'i',
                                     'n', '-', 'm', 'e', 'm', 'o', 'r', '3'};

struct FileHead {
  std::array<char, 16> format = magic;
  std::array<char, 64> job_digest{};
  std::int64_t step = 0;
};

struct RecordHead {
  std::int64_t step;
  std::int64_t number;
  std::uint64_t size;      // of the record after this head [bytes]
  std::uint64_t checksum;  // of the other fields and of the record
};

template <class T>
std::span<const std::byte> bytes_of(const T& value) noexcept {
  return std::as_bytes(std::span(&value, 1));
}

std::uint64_t checksum_of(const RecordHead& head, std::span<const std::byte> record) noexcept {
  Checksum sum;
  sum.add(static_cast<std::uint64_t>(head.step));
  sum.add(static_cast<std::uint64_t>(head.number));
  sum.add(head.size);
  sum.add(record);
  return sum.value();
}

std::string prefix_of_user() {
  return "finegrain-" + std::to_string(::getuid()) + "-";
}

/// Only folders with a name made by `new_memory_folder` are ever removed.
bool is_ours(const std::string& folder) {
  const std::string name = fs::path(folder).filename().string();
  const std::string prefix = prefix_of_user();
  return name.starts_with(prefix) && name.size() == prefix.size() + 32 &&
         name.find_first_not_of("0123456789abcdef", prefix.size()) == std::string::npos;
}

/// "12.0", "12.1"
bool is_memory_file(const std::string& name) {
  const auto dot = name.find('.');
  return dot != std::string::npos && dot > 0 && name.find_first_not_of("0123456789") == dot &&
         (name.substr(dot) == ".0" || name.substr(dot) == ".1");
}

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (is_memory_file(at->path().filename().string())) files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string path_of(const std::string& folder, int process, int slot) {
  return folder + "/" + std::to_string(process) + "." + std::to_string(slot);
}

template <class T>
bool take(std::span<const std::byte>& bytes, T& value) {
  if (bytes.size() < sizeof value) return false;
  std::memcpy(static_cast<void*>(&value), bytes.data(), sizeof value);
  bytes = bytes.subspan(sizeof value);
  return true;
}

void read_file(std::span<const std::byte> bytes, const std::string& job_digest, KeptSteps& kept) {
  FileHead file;
  if (!take(bytes, file) || file.format != magic ||
      std::string(file.job_digest.data(), file.job_digest.size()) != job_digest)
    return;
  RecordHead head;
  while (take(bytes, head)) {
    if (head.step != file.step || bytes.size() < head.size) return;
    const auto record = bytes.first(head.size);
    if (checksum_of(head, record) != head.checksum) return;
    kept[head.step].insert_or_assign(head.number,
                                     std::vector<std::byte>(record.begin(), record.end()));
    bytes = bytes.subspan(head.size);
  }
}

}  // namespace

std::string new_memory_folder() {
  std::string base = "/dev/shm";
  if (const char* wanted = std::getenv("FINEGRAIN_MEMORY_DIR"); wanted && *wanted) {
    base = wanted;
  } else if (::access(base.c_str(), W_OK | X_OK) != 0) {
    const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
    if (!runtime || ::access(runtime, W_OK | X_OK) != 0) return {};
    base = runtime;
  }
  std::random_device chance;
  std::string digits;
  for (int i = 0; i < 32; ++i) digits += "0123456789abcdef"[chance() % 16];
  return base + "/" + prefix_of_user() + digits;
}

void remove_memory_folder(const std::string& folder) noexcept {
  if (!is_ours(folder)) return;
  for (const auto& file : files_in(folder)) ::unlink(file.c_str());
  ::rmdir(folder.c_str());
}

void remove_memory_of(const std::string& folder, int process) noexcept {
  for (const int slot : {0, 1}) ::unlink(path_of(folder, process, slot).c_str());
  ::rmdir(folder.c_str());
}

MemoryFile::MemoryFile(std::string folder, int process, std::string job_digest)
    : folder_(std::move(folder)), job_digest_(std::move(job_digest)), process_(process) {}

MemoryFile::~MemoryFile() {
  close();
}

void MemoryFile::close() noexcept {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

void MemoryFile::begin(std::int64_t step) {
  close();
  std::signal(SIGXFSZ, SIG_IGN);  // a size limit must return an error
  if (::mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) throw_write_failure(folder_, errno);
  slot_ = 1 - slot_;
  step_ = step;
  path_ = path_of(folder_, process_, slot_);
  file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file_ < 0) throw_write_failure(path_, errno);
  FileHead head;
  job_digest_.copy(head.job_digest.data(), head.job_digest.size());
  head.step = step;
  write_all(file_, bytes_of(head), path_);
}

void MemoryFile::write(std::int64_t step, std::int64_t number, std::span<const std::byte> record) {
  if (step != step_) begin(step);
  RecordHead head{.step = step, .number = number, .size = record.size(), .checksum = 0};
  head.checksum = checksum_of(head, record);
  write_all(file_, bytes_of(head), path_);
  write_all(file_, record, path_);
}

KeptSteps read_memory_folder(const std::string& folder, const std::string& job_digest) {
  KeptSteps kept;
  if (!is_ours(folder)) return kept;
  for (const auto& file : files_in(folder)) {
    try {
      read_file(read_whole_file(file.string()), job_digest, kept);
    } catch (const InputError&) {
      continue;  // ignored: the partner has the same record
    }
  }
  return kept;
}

}  // namespace fg
