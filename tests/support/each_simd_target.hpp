// SPDX-License-Identifier: BSD-3-Clause
//
// A fixture whose tests run once on every SIMD target that this build has and this machine knows.
// A program with such tests lists the targets that it ran. It fails if this processor has another
// target for which the engine's kernels are compiled. The processor itself is asked for its
// targets, not Highway; and the engine, not the test, reports which target ran.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <optional>
#include <set>
#include <vector>

#include "base/simd_targets.hpp"
#include "hwy/highway.h"

#if HWY_ARCH_ARM_A64
#include <asm/hwcap.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

namespace fg::test {

/// The targets above the portable baseline that this processor and its system can run.
inline std::vector<std::int64_t> targets_of_this_processor() {
  std::vector<std::int64_t> targets;
#if HWY_ARCH_X86_64
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("aes") &&
      __builtin_cpu_supports("pclmul"))
    targets.push_back(HWY_SSE4);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2"))
    targets.push_back(HWY_AVX2);
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512cd"))
    targets.push_back(HWY_AVX3);
#elif HWY_ARCH_ARM_A64
  targets.push_back(HWY_NEON);
#if defined(FG_SVE_256)
  const bool has_sve = (getauxval(AT_HWCAP) & HWCAP_SVE) != 0;
  if (has_sve && (prctl(PR_SVE_GET_VL) & PR_SVE_VL_LEN_MASK) == 256 / 8)
    targets.push_back(HWY_SVE_256);
#endif
#else
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) targets.push_back(target);
#endif
  return targets;
}

/// While it lives, kernels are those of one target.
class HeldTarget {
 public:
  explicit HeldTarget(std::int64_t target) { choose(target); }
  ~HeldTarget() { choose(0); }
  HeldTarget(const HeldTarget&) = delete;
  HeldTarget& operator=(const HeldTarget&) = delete;

 private:
  static void choose(std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
};

/// Checks at the end of the program which targets have run.
class SimdTargetsThatRan final : public testing::Environment {
 public:
  static std::set<std::int64_t>& all() {
    static std::set<std::int64_t> targets;
    return targets;
  }
  void TearDown() override {
    if (testing::GTEST_FLAG(filter) != "*") return;  // only some of the tests were asked for
    std::cout << "SIMD targets that ran:";
    for (const std::int64_t target : all()) std::cout << " " << hwy::TargetName(target);
    std::cout << std::endl;
    for (const std::int64_t target : targets_of_this_processor())
      EXPECT_TRUE(all().contains(target))
          << "this processor has " << hwy::TargetName(target) << ", and no test ran on it";
  }
};

class EachSimdTarget : public testing::TestWithParam<std::int64_t> {
 protected:
  void SetUp() override {
    held_.emplace(GetParam());
    ASSERT_EQ(simd_target_in_use(), GetParam());
    SimdTargetsThatRan::all().insert(simd_target_in_use());
  }
  void TearDown() override { held_.reset(); }

 private:
  std::optional<HeldTarget> held_;
};

inline testing::Environment* const simd_targets_that_ran =
    testing::AddGlobalTestEnvironment(new SimdTargetsThatRan);

#define FG_ON_EACH_SIMD_TARGET(fixture)                                                           \
  INSTANTIATE_TEST_SUITE_P(Simd, fixture, testing::ValuesIn(hwy::SupportedAndGeneratedTargets()), \
                           [](const auto& info) { return hwy::TargetName(info.param); })

}  // namespace fg::test
