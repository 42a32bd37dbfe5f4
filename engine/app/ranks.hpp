// SPDX-License-Identifier: BSD-3-Clause
//
// Process 0 of a run decides and writes; the others make the same objects and run when told. An
// error that only one of them meets has to reach all, or the rest would wait for it.
#pragma once

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "transport/transport.hpp"

namespace fg::app {

/// What this process may have met alone, while others wait for it: not to be agreed on.
struct LoneError : Error {
  explicit LoneError(const Error& error) : Error(error.kind(), error.parts()) {}
};
/// Throws an error of the input as it is, for all have it, and any other as a LoneError.
[[noreturn]] void throw_alone(const Transport* transport, const std::exception_ptr& error);

/// By all processes; throws the error of the lowest process that has one, in all of them.
void agree(Transport* transport, const std::exception_ptr& mine);

/// Does `work` in each process and goes on only where it succeeded in all.
template <class Work>
void together(Transport* transport, Work&& work) {
  std::exception_ptr error;
  try {
    work();
  } catch (...) {
    if (!transport) throw;
    error = std::current_exception();
  }
  agree(transport, error);
}

/// Does `work` on a thread of its own, or at once where there can be none.
template <class Work>
std::thread beside(const Transport* transport, Work&& work) {
  if (!transport || !transport->single_threaded()) return std::thread(std::forward<Work>(work));
  work();
  return {};
}

/// On the clock of the machine that the run is on, which may be a simulated one.
inline double seconds_now(const Transport* transport) {
  const auto here = std::chrono::steady_clock::now().time_since_epoch();
  return transport ? transport->seconds() : std::chrono::duration<double>(here).count();
}

inline bool is_first(const Transport* transport) noexcept {
  return !transport || transport->rank() == 0;
}

}  // namespace fg::app
