// SPDX-License-Identifier: BSD-3-Clause
//
// Quiescence across processes. Process 0, when it has nothing to do, asks all for the number of
// messages they have processed, and once all have answered, for the number they have sent; when the
// two sums are equal, nothing was on its way in between, and nothing can start any more (Mattern,
// Distributed Computing 2, 161 (1987), the four-counter method). Then what waited for quiet is
// sent, or the run ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>

namespace fg {

class Network;
class Runtime;

class Waves {
 public:
  Waves(Runtime& runtime, Network& network) : runtime_(runtime), network_(network) {}

  void begin_run();
  /// Starts a wave if it is time for one; in process 0 only. Returns how many seconds later to call
  /// it again, infinity while packets have to come first.
  double begin();

  // Answers, in process 0.
  void processed(std::uint64_t messages);
  /// `requests` may be `stops`: the process has been told to stop, and process 0 soon will be.
  void sent(std::uint64_t messages, int requests);
  static constexpr int stops = -1;
  void fired();
  void waiting(const std::string& who);

 private:
  enum class Stage { rest, processed, sent, firing, waiting };

  void rest();
  void quiet();

  Runtime& runtime_;
  Network& network_;
  std::mutex mutex_;
  Stage stage_ = Stage::rest;
  int missing_ = 0;  // answers
  std::uint64_t processed_ = 0, sent_ = 0, last_processed_ = 0;
  std::size_t requests_ = 0;
  bool stops_ = false;
  double next_ = 0, pause_ = 0;  // seconds, of the transport's clock
  std::string who_waits_;
};

}  // namespace fg
