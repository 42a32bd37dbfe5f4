// SPDX-License-Identifier: BSD-3-Clause
//
// An error as bytes, so that one process can tell another what went wrong.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace fg {

/// Of an fg::Error its kind and parts; of any other exception what it says. `where` is written down
/// if the error says nothing about it.
std::vector<std::byte> error_to_bytes(const std::exception_ptr& error,
                                      const std::string& where = {});
/// The same error again, of the class that belongs to its kind.
std::exception_ptr error_from_bytes(std::span<const std::byte> bytes);

}  // namespace fg
