// SPDX-License-Identifier: BSD-3-Clause
//
// Whether everything that an HDF5 file shows is in the file itself, and fits into it. HDF5 would
// follow external links, external storage and virtual tables to any file of the machine, even to a
// pipe or a device. It would also load a filter from a library of that name. No file of finegrain
// has any of these. A small file can also claim tables that fill all memory, by compression or by
// rows that were never written. The same limits are in python/finegrain/files/hdf5.py.
#pragma once

#include <hdf5.h>

#include <string>

namespace fg::h5 {

/// What in the file leads out of it, or is more than it can hold, in words with the name of the
/// object. Empty if there is no such thing. A file whose objects cannot be listed is also refused:
/// nobody knows what they are.
std::string way_out_of(hid_t file);

}  // namespace fg::h5
