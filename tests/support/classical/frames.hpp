// SPDX-License-Identifier: BSD-3-Clause
//
// The results of a machinery, for tests that compare them bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>

#include "classical/machinery.hpp"
#include "records/checkpoints/state_digest.hpp"
#include "records/job/job_motion.hpp"

namespace fg::test {

inline Frame last_frame(OutputQueue& output, FramePurpose purpose) {
  Frame last;
  bool came = false;
  for (auto& item : output.take(std::chrono::milliseconds(0)))
    if (auto* frame = std::get_if<Frame>(&item); frame && frame->purpose == purpose) {
      last = std::move(*frame);
      came = true;
    }
  EXPECT_TRUE(came) << "no frame came";
  return last;
}

/// The digest that a run reports, and all that the baths remember.
inline std::string digest(const Frame& frame) {
  const BathState& bath = frame.bath;
  std::string text = state_digest(frame.position, frame.velocity, bath.box);
  text += " " + std::to_string(bath.heat);
  for (const double value :
       {bath.work, bath.strain.x, bath.strain.y, bath.strain.z, bath.virial_before.x,
        bath.virial_before.y, bath.virial_before.z, bath.volume_rate})
    text += " " + std::to_string(std::bit_cast<std::uint64_t>(value));
  return text;
}

/// The state from which a run continues that stopped at this frame.
inline classical::State state_after(const Frame& stopped, const Job& job) {
  return {.step = stopped.step,
          .stage = make_integrator(integrator_settings(job.dynamics))->between_steps(),
          .position = stopped.position,
          .velocity = stopped.velocity,
          .image = stopped.image,
          .bath = stopped.bath};
}

}  // namespace fg::test
