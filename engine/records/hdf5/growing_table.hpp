// SPDX-License-Identifier: BSD-3-Clause
//
// HDF5 tables whose first dimension grows during a run, and their groups. Errors are those of a
// file that cannot be written.
#pragma once

#include <string>

#include "records/hdf5/hdf5.hpp"

namespace fg::h5 {

/// An empty table of rows of shape `row`, stored `rows_in_chunk` at a time.
Handle growing(hid_t group, const char* name, hid_t stored, const Shape& row, hsize_t rows_in_chunk,
               const std::string& path);

Shape extent_of(const Handle& data);

/// Whether a row has a place of its own in the file; the table has a row in each chunk.
bool is_stored(const Handle& data, hsize_t row);
/// Whether some number of the first and last `sample` items of a row is not zero.
bool is_not_zero(const Handle& data, hsize_t row, hsize_t sample);

/// Adds one row at the end.
void extend(const Handle& data, hid_t memory_type, const void* values, const std::string& path);
template <class T>
void extend(const Handle& data, const T* values, const std::string& path) {
  extend(data, native<T>(), values, path);
}

Handle make_group(hid_t parent, const char* name, const std::string& path);

/// Gives the object `name` in `from` the same name in `to`.
void link(const Handle& from, const char* name, const Handle& to, const std::string& path);

}  // namespace fg::h5
