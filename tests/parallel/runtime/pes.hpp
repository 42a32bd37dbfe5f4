// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of PEs for the tests of this folder; some are larger than the cores of a small
// machine.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace fg {

inline auto all_pes() {
  return testing::Values(1, 2, 3, 4, 8);
}
inline std::string pes_name(const testing::TestParamInfo<int>& info) {
  return "Pes" + std::to_string(info.param);
}

}  // namespace fg
