// SPDX-License-Identifier: BSD-3-Clause
#include "app/growing_table.hpp"

#include <algorithm>
#include <cerrno>

namespace fg::app::h5 {

Handle growing(hid_t parent, const char* name, hid_t stored, const Shape& row,
               hsize_t rows_in_chunk, const std::string& path) {
  Shape now{0}, most{H5S_UNLIMITED}, chunk{rows_in_chunk};
  for (const hsize_t size : row) {
    now.push_back(size);
    most.push_back(size);
    chunk.push_back(std::max<hsize_t>(size, 1));
  }
  const Handle extent =
      h5::space(H5Screate_simple(static_cast<int>(now.size()), now.data(), most.data()));
  const Handle creation = properties(H5Pcreate(H5P_DATASET_CREATE));
  H5Pset_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
  Handle made = dataset(
      H5Dcreate2(parent, name, stored, extent.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT));
  check_write(static_cast<bool>(made), path);
  return made;
}

Shape extent_of(const Handle& data) {
  const Handle extent = space(H5Dget_space(data.get()));
  Shape shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(extent.get()))));
  if (!shape.empty()) H5Sget_simple_extent_dims(extent.get(), shape.data(), nullptr);
  return shape;
}

void extend(const Handle& data, hid_t memory_type, const void* values, const std::string& path) {
  Shape shape = extent_of(data);
  Shape start(shape.size(), 0), count = shape;
  start[0] = shape[0];
  count[0] = 1;
  shape[0] += 1;
  errno = 0;
  check_write(H5Dset_extent(data.get(), shape.data()) >= 0, path);
  const Handle target = space(H5Dget_space(data.get()));
  H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
  const Handle source =
      space(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr));
  check_write(
      H5Dwrite(data.get(), memory_type, source.get(), target.get(), H5P_DEFAULT, values) >= 0,
      path);
}

Handle make_group(hid_t parent, const char* name, const std::string& path) {
  Handle made = group(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  check_write(static_cast<bool>(made), path);
  return made;
}

void link(const Handle& from, const char* name, const Handle& to, const std::string& path) {
  check_write(H5Lcreate_hard(from.get(), name, to.get(), name, H5P_DEFAULT, H5P_DEFAULT) >= 0,
              path);
}

}  // namespace fg::app::h5
