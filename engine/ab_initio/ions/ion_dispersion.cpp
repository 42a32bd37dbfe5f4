// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ions/ion_dispersion.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg::ab_initio {

namespace {

/// Kinds of frames; docs/reference/job-file.md describes them.
enum Kind : std::uint32_t { ready = 1, elements = 2, geometry = 3, answered = 4, refused = 5 };

template <class T>
void append(std::vector<std::byte>& bytes, std::span<const T> values) {
  const auto* const first = reinterpret_cast<const std::byte*>(values.data());
  bytes.insert(bytes.end(), first, first + values.size_bytes());
}

/// A run that is to stop waits for no answer longer than this.
constexpr double longest_wait_of_stop = 5;

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

IonDispersion::IonDispersion(const Job& job, double longest_wait)
    : job_(&job),
      of_job_{.energy = job.dispersion->energy,
              .forces = job.dispersion->forces,
              .strain = job.dispersion->strain},
      longest_wait_(longest_wait) {
  // While the orbitals of the first step are found.
  const bool moves = job.dynamics.kind != DynamicsKind::none && !job.dynamics.ions_rest;
  if (moves && !job.dispersion->companion.empty()) start();
}

void IonDispersion::start() {
  companion_ = std::make_unique<Companion>("finds the dispersion", job_->dispersion->companion);
  std::vector<std::byte> bytes;
  append(bytes, std::span(job_->dispersion->elements));
  companion_->send(Kind::elements, 0, bytes);
}

void IonDispersion::ask(std::span<const Vec3> positions, const electrons::Lattice& cell) {
  is_of_job_ = known_ =
      cell == job_->cell && std::equal(positions.begin(), positions.end(), job_->positions.begin());
  if (is_of_job_) return;
  if (!companion_) start();
  waits_since_.reset();
  std::vector<std::byte> bytes;
  append(bytes, std::span<const Vec3>(cell.vectors));
  append(bytes, positions);
  companion_->send(Kind::geometry, ++asked_, bytes);
}

bool IonDispersion::is_known(std::chrono::microseconds patience, Run run) {
  if (known_) return true;
  if (run == Run::is_to_stop && !stops_since_) stops_since_ = Clock::now();
  if (!waits_since_) waits_since_ = Clock::now();
  while (!known_) {
    const auto frame = companion_->receive(patience);
    if (!frame) break;
    take(*frame);
  }
  if (!known_) check_wait();
  return known_;
}

/// Called after a look: an answer counts that came while this process itself was stopped.
void IonDispersion::check_wait() {
  const double waited = seconds_since(*waits_since_);
  if (waited > longest_wait_) give_up(waited, longest_wait_);
  if (stops_since_ && seconds_since(*stops_since_) > longest_wait_of_stop)
    give_up(waited, longest_wait_of_stop);
}

void IonDispersion::give_up(double waited, double limit) {
  const std::string fails = ready_ ? "answer" : "begin";
  ErrorParts parts =
      companion_->trouble("the program that finds the dispersion does not " + fails).parts();
  parts.value = "waited " + shown(waited, 3) + " s; " + parts.value;
  parts.limit = shown(limit) + (limit < longest_wait_ ? " s after the run was told to stop"
                                                      : " s (--companion-seconds)");
  parts.hint =
      "if it hangs, remove the cause; if it is only slow, allow more time; then continue from the "
      "last checkpoint: finegrain resume DIR --companion-seconds " +
      shown(10 * longest_wait_);
  throw ResourceError(parts);
}

void IonDispersion::take(const CompanionFrame& frame) {
  if (!ready_ && frame.kind == Kind::ready) {
    ready_ = true;
    return;
  }
  if (frame.kind == Kind::refused) {
    const auto* const text = reinterpret_cast<const char*>(frame.bytes.data());
    throw companion_->trouble("the program that finds the dispersion refuses: " +
                              std::string(text, frame.bytes.size()));
  }
  if (!ready_ || frame.kind != Kind::answered || frame.number > asked_)
    throw companion_->trouble("the program that finds the dispersion sends a frame of kind " +
                              std::to_string(frame.kind) + " and number " +
                              std::to_string(frame.number) + ", which nobody has asked for");
  if (frame.number < asked_) return;  // of a question that is no longer of interest
  take_answer(frame.bytes);
  known_ = true;
}

void IonDispersion::take_answer(std::span<const std::byte> bytes) {
  const std::size_t ions = job_->positions.size(), numbers = 1 + 3 * ions + 9;
  if (bytes.size() != numbers * sizeof(double))
    throw companion_->trouble("the program that finds the dispersion answers with " +
                              std::to_string(bytes.size()) + " bytes instead of " +
                              std::to_string(numbers * sizeof(double)));
  std::vector<double> all(numbers);
  std::memcpy(all.data(), bytes.data(), bytes.size());
  if (!std::all_of(all.begin(), all.end(), [](double x) { return std::isfinite(x); }))
    throw companion_->trouble(
        "the program that finds the dispersion answers with a number that is not finite");
  answer_.energy = all[0];
  answer_.forces.resize(ions);
  for (std::size_t i = 0; i < ions; ++i)
    answer_.forces[i] = {all[1 + 3 * i], all[2 + 3 * i], all[3 + 3 * i]};
  std::copy(all.end() - 9, all.end(), answer_.strain.begin());
}

const DispersionAnswer& IonDispersion::answer() const {
  FG_CHECK(known_);
  return is_of_job_ ? of_job_ : answer_;
}

}  // namespace fg::ab_initio
