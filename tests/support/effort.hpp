// SPDX-License-Identifier: BSD-3-Clause
//
// How often a randomised test tries: a few times by default, and as often as the environment
// variable FINEGRAIN_EFFORT says for a thorough check.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace fg::test {

/// `usual` times the effort asked for, which is at least 1; otherwise a test would try nothing.
inline long effort(long usual) {
  const char* const text = std::getenv("FINEGRAIN_EFFORT");
  const long factor = text ? std::atol(text) : 1;
  if (factor < 1)
    throw std::invalid_argument(std::string("FINEGRAIN_EFFORT is not 1 or more: ") + text);
  return usual * factor;
}

}  // namespace fg::test
