// SPDX-License-Identifier: BSD-3-Clause
//
// How often a randomised test tries: a few times in every run of the tests, and as often as the
// environment variable FINEGRAIN_EFFORT says where somebody wants to be sure.
#pragma once

#include <cstdlib>

namespace fg::test {

/// `usual` times the effort asked for.
inline long effort(long usual) {
  const char* const factor = std::getenv("FINEGRAIN_EFFORT");
  return factor ? usual * std::atol(factor) : usual;
}

}  // namespace fg::test
