// SPDX-License-Identifier: BSD-3-Clause
//
// Quiescence across processes. When process 0 has nothing to do, it asks all processes for the
// number of messages that they have processed. Once all have answered, it asks for the number that
// they have sent. If the two sums are equal, nothing was in flight in between, and nothing can
// start any more (Mattern, Distributed Computing 2, 161 (1987), the four-counter method). Then the
// messages that waited for quiescence are sent, or the run ends.
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
  /// Starts a wave if it is time for one; in process 0 only. Returns the number of seconds after
  /// which to call it again, or infinity if packets have to arrive first.
  double begin();
  /// From now on waves follow each other soon (Runtime::expect_quiet).
  void expect_quiet() noexcept;

  // Answers of other processes, in process 0.
  void processed(std::uint64_t messages);
  /// `requests` may be `stops`: that process has been told to stop, and process 0 soon will be.
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
  double next_ = 0, pause_ = 0;  // seconds, by the transport's clock
  std::string who_waits_;
};

}  // namespace fg
