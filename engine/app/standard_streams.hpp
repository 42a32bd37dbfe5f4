// SPDX-License-Identifier: BSD-3-Clause
//
// Standard output and error of the engine's executables: a run does not fail if its output cannot
// be written.
#pragma once

#include <string_view>

namespace fg::app {

/// Opens those of the three streams that are closed; otherwise the next file to be opened would get
/// their number. Call it before anything else.
void open_standard_streams();

/// Writes to standard output, at once; text that cannot be written is dropped.
void say(std::string_view text);

/// The same for standard error; control codes are shown as text and have no effect.
void complain(std::string_view text);

/// Throws ResourceError if some text could not be written although the reader has not left.
void check_all_was_said();

}  // namespace fg::app
