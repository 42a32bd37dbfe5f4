// SPDX-License-Identifier: BSD-3-Clause
//
// A seal after the end of an HDF5 file: "finegrain-sha256:" and the SHA-256 (hex) of all bytes
// before it. HDF5 ignores what comes after its own end, so every reader opens the file. Damage is
// detected before a parser that may crash on it reads the file. HDF5 drops the seal when it changes
// the file.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace fg {

/// The seal itself, of so many bytes, from a SHA-256 (hex).
inline constexpr std::size_t seal_size = 17 + 64;
std::string seal_text(const std::string& sha256);

enum class SealState { whole, broken, missing };

struct Sealed {
  SealState state;
  std::span<const std::byte> contents;  // the sealed bytes; all bytes if there is no seal
};

void add_seal(std::vector<std::byte>& contents);
Sealed check_seal(std::span<const std::byte> file);

}  // namespace fg
