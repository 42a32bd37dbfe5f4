// SPDX-License-Identifier: BSD-3-Clause
//
// HDF5 over a journaled file: a driver below the library that passes on reads and writes. What HDF5
// has written counts only after a commit of the file, which is up to the caller.
#pragma once

#include "records/hdf5/hdf5.hpp"
#include "records/hdf5/journaled_file.hpp"

namespace fg::h5 {

/// File access properties for the file, which must outlive all that is opened with them.
Handle access_to(JournaledFile& file);

}  // namespace fg::h5
