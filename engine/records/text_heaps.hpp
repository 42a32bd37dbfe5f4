// SPDX-License-Identifier: BSD-3-Clause
//
// HDF5 keeps texts of variable length in global heaps. It trusts their sizes: a damaged one makes
// it read beyond its memory, or walk for ever. So heaps are looked at before it opens a file. A
// heap is: "GCOL", version 1, its size, then objects, each a number, a size and bytes up to a
// multiple of 8; number 0 is the free space, which comes last. HDF5 File Format Specification 3.0,
// III.E.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace fg::h5 {

/// What is wrong with the first damaged heap in the bytes of a file; empty if all are sound.
/// A heap that begins in these bytes and ends beyond them counts as damaged if `whole` is true.
std::string fault_of_text_heaps(std::span<const std::byte> bytes, bool whole = true);

/// The same of a file on disk, in its first 64 MiB. HDF5 makes heaps together with the first texts,
/// which all files of finegrain have before their tables.
std::string fault_of_text_heaps(const std::string& path);

}  // namespace fg::h5
