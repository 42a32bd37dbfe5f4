// SPDX-License-Identifier: BSD-3-Clause
//
// An error as bytes, so that one process can send it to another.
#pragma once

#include <cstddef>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace fg {

/// For an fg::Error its kind and parts; for any other exception its text. `where` is added if the
/// error does not say where.
std::vector<std::byte> error_to_bytes(const std::exception_ptr& error,
                                      const std::string& where = {});
/// The same error again, of the class for its kind.
std::exception_ptr error_from_bytes(std::span<const std::byte> bytes);

}  // namespace fg
