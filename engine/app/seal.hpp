// SPDX-License-Identifier: BSD-3-Clause
//
// A seal behind the end of an HDF5 file: "finegrain-sha256:" and the SHA-256 (hex) of all before
// it. HDF5 ignores what comes after its own end, so that every reader opens the file, while damage
// is known before a parser that may crash on it gets to see it. HDF5 drops the seal when it changes
// the file.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fg::app {

enum class SealState { whole, broken, missing };

struct Sealed {
  SealState state;
  std::span<const std::byte> contents;  // what the seal speaks of; all of it when there is none
};

void add_seal(std::vector<std::byte>& contents);
Sealed check_seal(std::span<const std::byte> file);

}  // namespace fg::app
