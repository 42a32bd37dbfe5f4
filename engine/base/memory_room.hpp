// SPDX-License-Identifier: BSD-3-Clause
//
// Asks for memory before it is needed, where a lack of it would end the process without a message.
// This is so in libraries that do not check, and on a stack that cannot grow. Memory that is found
// to be there is there a moment later, unless another thread takes it.
#pragma once

#include <cstddef>

namespace fg {

/// Throws std::bad_alloc unless so much can be had.
void require_room(std::size_t bytes);

/// Lets the stack of the process's first thread grow now by what transforms of lines and all else
/// need (512 kB). A later lack of memory would be a signal. Throws std::bad_alloc, and
/// ResourceError if the limit of the stack is too low. Called once, before there are other threads.
void grow_stack();

}  // namespace fg
