// SPDX-License-Identifier: BSD-3-Clause
//
// The number of members of a plain struct, for tests that a list of them is complete.
#pragma once

#include <cstddef>

namespace fg::test {

/// Stands for a member of any type.
struct Anything {
  template <class Value>
  operator Value() const;  // NOLINT(google-explicit-constructor)
};

template <class Struct, class... Members>
constexpr std::size_t members_of() {
  if constexpr (requires { Struct{Members{}..., Anything{}}; })
    return members_of<Struct, Members..., Anything>();
  else
    return sizeof...(Members);
}

}  // namespace fg::test
