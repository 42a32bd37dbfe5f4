// SPDX-License-Identifier: BSD-3-Clause
//
// The dispersion between the ions of a run. At the positions and in the cell of the job it is that
// of the job. Elsewhere a program beside the run computes it (processes/companion.hpp). The program
// is asked when the ions have been placed. Its answer is needed when the electrons have been
// evaluated. Units: hartree, bohr.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "base/vec3.hpp"
#include "electrons/waves/lattice.hpp"
#include "processes/companion.hpp"

namespace fg::ab_initio {

struct DispersionAnswer {
  double energy = 0;
  std::vector<Vec3> forces;
  std::array<double, 9> strain{};  // derivative of the energy by the strain
};

class IonDispersion {
 public:
  /// The job has a dispersion. Its program is started if ions move. Throws ResourceError if it
  /// cannot be started. `longest_wait` [s] limits the wait for one answer, from when the run has
  /// nothing else to do.
  IonDispersion(const Job& job, double longest_wait);

  /// Whether its program has been started.
  bool has_companion() const noexcept { return companion_ != nullptr; }

  /// The ions are at these positions now.
  void ask(std::span<const Vec3> positions, const electrons::Lattice& cell);
  /// Whether the answer is there, or comes within this time. Throws ResourceError if the program
  /// has ended, does not answer what was asked, or has been waited for too long.
  /// Once the run is to stop it is not waited for longer than a few seconds.
  enum class Run : std::uint8_t { goes_on, is_to_stop };
  bool is_known(std::chrono::microseconds patience, Run run);
  /// The answer to the last question, once it is known.
  const DispersionAnswer& answer() const;

 private:
  using Clock = std::chrono::steady_clock;

  void start();
  void check_wait();
  [[noreturn]] void give_up(double waited, double limit);
  void take(const CompanionFrame& frame);
  void take_answer(std::span<const std::byte> bytes);

  const Job* job_;
  DispersionAnswer of_job_, answer_;
  std::unique_ptr<Companion> companion_;
  bool ready_ = false;  // the program
  bool is_of_job_ = true, known_ = true;
  std::uint64_t asked_ = 0;
  double longest_wait_;
  std::optional<Clock::time_point> waits_since_;  // for the last answer that was asked for
  std::optional<Clock::time_point> stops_since_;  // the run is to stop
};

}  // namespace fg::ab_initio
