// SPDX-License-Identifier: BSD-3-Clause
//
// The results of a machinery, for tests that compare them bit by bit.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "app/machinery.hpp"
#include "app/state_digest.hpp"

namespace fg::test {

inline app::Frame last_frame(app::OutputQueue& output, app::FramePurpose purpose) {
  for (auto& item : output.take(std::chrono::milliseconds(0)))
    if (auto* frame = std::get_if<app::Frame>(&item); frame && frame->purpose == purpose)
      return std::move(*frame);
  ADD_FAILURE() << "no frame came";
  return {};
}

inline std::string digest(const app::Frame& frame, const app::Job& job) {
  return app::state_digest(frame.position, frame.velocity, job.box);
}

/// The state from which a run continues that stopped at this frame.
inline app::State state_after(const app::Frame& stopped, const app::Job& job) {
  const bool half = job.dynamics.integrator == app::IntegratorKind::verlet;
  return {.step = stopped.step,
          .stage = half ? app::VelocityStage::half : app::VelocityStage::full,
          .position = stopped.position,
          .velocity = stopped.velocity,
          .image = stopped.image};
}

}  // namespace fg::test
