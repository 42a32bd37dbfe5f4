// SPDX-License-Identifier: BSD-3-Clause
//
// A job in words, for the log.
#pragma once

#include <sstream>
#include <string>

namespace fg::ab_initio {

/// The parts one after the other; numbers with six significant digits.
template <class... Parts>
std::string words(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

}  // namespace fg::ab_initio
