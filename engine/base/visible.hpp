// SPDX-License-Identifier: BSD-3-Clause
//
// Text of files and users, made safe for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace fg {

/// The text with control codes and direction marks as escapes such as \x1b. Line ends are kept.
/// visible.py has the same for the command line.
std::string visible(std::string_view text);

}  // namespace fg
