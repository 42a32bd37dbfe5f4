// SPDX-License-Identifier: BSD-3-Clause
//
// A program beside a run, started by one of its processes. It gets requests and answers them, over
// a socket that is its standard input and output. Nothing here waits longer than it is told to. A
// frame is a head (CompanionHead) and its bytes; docs/reference/job-file.md describes it.
#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace fg {

/// It stands before the bytes of each frame, in the byte order of the machine.
struct CompanionHead {
  static constexpr std::array<char, 8> name{'f', 'i', 'n', 'e', 'g', 'r', 'n', '\n'};
  static constexpr std::uint32_t this_version = 1;

  std::array<char, 8> magic = name;
  std::uint32_t version = this_version;
  std::uint32_t kind = 0;
  std::uint64_t number = 0;  // of the request, which its answer repeats
  std::uint64_t bytes = 0;   // that follow
};
static_assert(sizeof(CompanionHead) == 32);

struct CompanionFrame {
  std::uint32_t kind = 0;
  std::uint64_t number = 0;
  std::vector<std::byte> bytes;
};

class Companion {
 public:
  /// Starts the program, with one thread for libraries that have several. `task` says in messages
  /// what it does: "finds the dispersion". Throws ResourceError if it cannot be started.
  Companion(std::string task, std::vector<std::string> command);
  /// Ends the program.
  ~Companion();
  Companion(const Companion&) = delete;
  Companion& operator=(const Companion&) = delete;

  /// Begins to send; the rest goes out in `receive`.
  void send(std::uint32_t kind, std::uint64_t number, std::span<const std::byte> bytes);
  /// The next whole frame, if it comes within this time. Throws ResourceError, with the last lines
  /// that the program has written, if it has ended or sends something else than frames.
  std::optional<CompanionFrame> receive(std::chrono::microseconds patience);

  /// An error that names the program and its last lines.
  ResourceError trouble(const std::string& what) const;
  pid_t process() const noexcept { return process_; }

 private:
  void start();
  void write_some();
  /// Whether something came.
  bool read_some();
  std::optional<CompanionFrame> take_frame();
  [[noreturn]] void fail_ended();
  std::string last_lines() const;

  std::string task_;
  std::vector<std::string> command_;
  pid_t process_ = -1;
  int socket_ = -1, messages_ = -1;
  std::vector<std::byte> out_, in_;
  std::size_t written_ = 0;  // of `out_`
};

}  // namespace fg
