// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers in error messages, with six digits whatever their size.
#pragma once

#include <sstream>
#include <string>

namespace fg::electrons {

inline std::string shown(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

}  // namespace fg::electrons
