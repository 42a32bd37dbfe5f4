// SPDX-License-Identifier: BSD-3-Clause
//
// Whether something has the same bits on every SIMD target that this build has and this machine
// knows, where it promises so.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>

#include "base/bits_of_run.hpp"
#include "support/each_simd_target.hpp"

namespace fg::test {

/// `work()` with portable bits on every target: what it returns is compared, and is the result.
template <class Work>
auto same_on_each_target(const Work& work) {
  std::optional<decltype(work())> first;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const HeldTarget held(target);
    SimdTargetsThatRan::all().insert(simd_target_in_use());
    const BitsOfRun bits(Bits::portable);
    auto here = work();
    if (!first)
      first = std::move(here);
    else
      EXPECT_TRUE(here == *first) << "other bits on " << hwy::TargetName(target);
  }
  return *first;
}

}  // namespace fg::test
