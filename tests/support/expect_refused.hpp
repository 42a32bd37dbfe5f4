// SPDX-License-Identifier: BSD-3-Clause
//
// That a call throws an error of one kind, whose message says a certain thing.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

namespace fg::test {

template <class Kind>
void expect_refused(const std::function<void()>& work, const char* because) {
  try {
    work();
    ADD_FAILURE() << "accepted; expected: " << because;
  } catch (const Kind& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(because));
  }
}

}  // namespace fg::test
