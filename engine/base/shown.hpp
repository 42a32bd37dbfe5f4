// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers in messages, with as many significant digits as asked for, whatever their size.
#pragma once

#include <sstream>
#include <string>

namespace fg {

inline std::string shown(double number, int digits = 6) {
  std::ostringstream text;
  text.precision(digits);
  text << number;
  return text.str();
}

}  // namespace fg
