// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/growing_table.hpp"

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/error.hpp"

namespace fg::h5 {

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

bool is_stored(const Handle& data, hsize_t row) {
  Shape at = extent_of(data);
  if (at.empty() || row >= at[0]) return false;
  std::fill(at.begin(), at.end(), 0);
  at[0] = row;
  unsigned filters = 0;
  haddr_t address = HADDR_UNDEF;
  hsize_t size = 0;
  return H5Dget_chunk_info_by_coord(data.get(), at.data(), &filters, &address, &size) >= 0 &&
         address != HADDR_UNDEF;
}

bool is_not_zero(const Handle& data, hsize_t row, hsize_t sample) {
  const Shape shape = extent_of(data);
  FG_CHECK(shape.size() == 3);
  const hsize_t count = std::min(sample, shape[1]);
  std::vector<double> values(count * shape[2]);
  for (const hsize_t first : {hsize_t{0}, shape[1] - count}) {
    const Shape start{row, first, 0}, size{1, count, shape[2]};
    const Handle there = space(H5Dget_space(data.get()));
    H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(), nullptr);
    const Handle here = space(H5Screate_simple(3, size.data(), nullptr));
    if (H5Dread(data.get(), H5T_NATIVE_DOUBLE, here.get(), there.get(), H5P_DEFAULT,
                values.data()) < 0 ||
        std::all_of(values.begin(), values.end(), [](double value) { return value == 0; }))
      return false;
  }
  return true;
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

}  // namespace fg::h5
