// SPDX-License-Identifier: BSD-3-Clause
//
// How often a randomised test tries: a few times by default, and as often as the environment
// variable FINEGRAIN_EFFORT says for a thorough check. The thread sanitizer makes a program some
// fifty times as slow, so with it a test compares fewer cases.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

namespace fg::test {

/// `usual` times the effort asked for, which is at least 1; otherwise a test would try nothing.
inline long effort(long usual) {
  const char* const text = std::getenv("FINEGRAIN_EFFORT");
  const long factor = text ? std::atol(text) : 1;
  if (factor < 1)
    throw std::invalid_argument(std::string("FINEGRAIN_EFFORT is not 1 or more: ") + text);
  return usual * factor;
}

#ifdef __SANITIZE_THREAD__
inline constexpr bool watches_threads = true;
#else
inline constexpr bool watches_threads = false;
#endif

/// All values, or the first few with the thread sanitizer: a race needs threads, and not every
/// number of them.
template <class Value>
std::vector<Value> few_with_watch(std::size_t few, std::initializer_list<Value> values) {
  return std::vector<Value>(values.begin(), watches_threads ? values.begin() + few : values.end());
}

}  // namespace fg::test
