// SPDX-License-Identifier: BSD-3-Clause
//
// A fixture whose tests run once on every SIMD target that this build has and this machine knows.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "base/simd_targets.hpp"
#include "hwy/highway.h"

namespace fg::test {

class EachSimdTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    hwy::SetSupportedTargetsForTest(GetParam());
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
  void TearDown() override {
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

#define FG_ON_EACH_SIMD_TARGET(fixture)                                                           \
  INSTANTIATE_TEST_SUITE_P(Simd, fixture, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()), \
                           [](const auto& info) { return hwy::TargetName(info.param); })

}  // namespace fg::test
