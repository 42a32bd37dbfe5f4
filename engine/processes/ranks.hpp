// SPDX-License-Identifier: BSD-3-Clause
//
// Process 0 of a run decides and writes; the others make the same objects and run when told. An
// error that only one process has must reach all; otherwise the rest would wait for it.
#pragma once

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "base/error.hpp"
#include "runtime/runtime.hpp"
#include "transport/transport.hpp"

namespace fg {

/// An error that this process may have alone while others wait for it; `agree` cannot handle it.
struct LoneError : Error {
  explicit LoneError(const Error& error) : Error(error.kind(), error.parts()) {}
};
/// The processes that know about an error.
enum class Known {
  everywhere,  // process 0 reports it to the user
  cut_off,     // the network failed here; the others notice that
  alone,       // the others would wait for this process
};
/// For an error that ended a run of `runtime`, or, without one, an error in work that all processes
/// do.
Known who_knows(const Runtime* runtime, const std::exception_ptr& error);
/// Throws it unchanged, or as a LoneError if the other processes do not have it.
[[noreturn]] void throw_known(const Transport* transport, const Runtime* runtime,
                              const std::exception_ptr& error);

/// Called by all processes; throws the error of the lowest process that has one, in all of them.
void agree(Transport* transport, const std::exception_ptr& mine);

/// Calls `work` in each process; returns only if it succeeded in all.
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

/// Calls `work` on a new thread, or at once if there can be no threads.
template <class Work>
std::thread beside(const Transport* transport, Work&& work) {
  if (!transport || !transport->single_threaded()) return std::thread(std::forward<Work>(work));
  work();
  return {};
}

/// The clock is that of the machine of this run, which may be simulated.
inline double seconds_now(const Transport* transport) {
  const auto here = std::chrono::steady_clock::now().time_since_epoch();
  return transport ? transport->seconds() : std::chrono::duration<double>(here).count();
}

inline bool is_first(const Transport* transport) noexcept {
  return !transport || transport->rank() == 0;
}

}  // namespace fg
