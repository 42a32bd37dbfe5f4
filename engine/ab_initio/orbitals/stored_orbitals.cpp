// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/orbitals/stored_orbitals.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"

namespace fg::ab_initio {

namespace {

constexpr hsize_t none = ~hsize_t{0};

/// Rows of complex numbers, from these on.
template <class Real>
void read_rows(const h5::Handle& data, std::array<hsize_t, 2> first, std::array<hsize_t, 2> count,
               Real* to, const h5::Reader& file, const std::string& name) {
  const std::array<hsize_t, 3> start{first[0], first[1], 0}, size{count[0], count[1], 2};
  const h5::Handle there = h5::space(H5Dget_space(data.get()));
  const h5::Handle here = h5::space(H5Screate_simple(3, size.data(), nullptr));
  if (H5Sselect_hyperslab(there.get(), H5S_SELECT_SET, start.data(), nullptr, size.data(),
                          nullptr) < 0 ||
      H5Dread(data.get(), h5::native<Real>(), here.get(), there.get(), H5P_DEFAULT, to) < 0)
    file.fail("cannot be read", name);
}

}  // namespace

namespace kept {
std::string step(int age) {
  return "search/step_" + std::to_string(age);
}
std::string change(int age) {
  return "search/change_" + std::to_string(age);
}
}  // namespace kept

StoredOrbitals::StoredOrbitals(const std::string& path, const std::string& group, int orbitals)
    : path_(path), group_(group), orbitals_(static_cast<hsize_t>(orbitals)) {
  const h5::Reader file(path);
  const auto flat = file.array<std::int32_t>(name_of("waves"), {3});
  waves_ = flat.size() / 3;
  places_.reserve(waves_);
  for (hsize_t i = 0; i < waves_; ++i)
    places_.push_back({{flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]}, i});
  std::sort(places_.begin(), places_.end());
  open(file, kept::orbitals);  // checks its shape
}

std::string StoredOrbitals::name_of(const std::string& table) const {
  return group_ + "/" + table;
}

h5::Handle StoredOrbitals::open(const h5::Reader& file, const std::string& table) const {
  const std::string name = name_of(table);
  if (!file.has(name)) file.fail("the table is missing", name);
  h5::Handle data = file.open(name);
  const h5::Handle extent = h5::space(H5Dget_space(data.get()));
  std::array<hsize_t, 3> shape{};
  if (H5Sget_simple_extent_ndims(extent.get()) != 3 ||
      H5Sget_simple_extent_dims(extent.get(), shape.data(), nullptr) < 0 ||
      shape != std::array<hsize_t, 3>{orbitals_, waves_, 2})
    throw InputError({.what = "the orbitals have another shape than the job",
                      .where = path_ + ":" + name,
                      .value = std::to_string(shape[0]) + " x " + std::to_string(shape[1]) + " x " +
                               std::to_string(shape[2]),
                      .limit = std::to_string(orbitals_) + " x " + std::to_string(waves_) + " x 2",
                      .hint = "start without them, from atoms or at random"});
  return data;
}

template <class Real>
void StoredOrbitals::read(const std::string& table, fft::Range orbitals,
                          std::span<const std::array<int, 3>> indices, std::span<Real> to) const {
  FG_CHECK(to.size() == 2 * static_cast<std::size_t>(orbitals.size()) * indices.size());
  if (indices.empty()) return;
  std::vector<hsize_t> columns(indices.size(), none);
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const auto found =
        std::lower_bound(places_.begin(), places_.end(), std::pair{indices[i], hsize_t{0}});
    if (found != places_.end() && found->first == indices[i]) columns[i] = found->second;
  }
  bool same_order = columns[0] != none;
  for (std::size_t i = 1; i < columns.size() && same_order; ++i)
    same_order = columns[i] == columns[0] + i;
  const h5::Reader file(path_);
  const h5::Handle data = open(file, table);
  const auto first = static_cast<hsize_t>(orbitals.begin);
  if (same_order) {
    read_rows(data, {first, columns[0]}, {static_cast<hsize_t>(orbitals.size()), columns.size()},
              to.data(), file, name_of(table));
    return;
  }
  std::vector<Real> whole(2 * waves_);
  for (int row = 0; row < orbitals.size(); ++row) {
    read_rows(data, {first + static_cast<hsize_t>(row), 0}, {1, waves_}, whole.data(), file,
              name_of(table));
    Real* const mine = to.data() + 2 * static_cast<std::size_t>(row) * columns.size();
    for (std::size_t i = 0; i < 2 * columns.size(); ++i)
      mine[i] = columns[i / 2] == none ? Real() : whole[2 * columns[i / 2] + i % 2];
  }
}

template void StoredOrbitals::read<double>(const std::string&, fft::Range,
                                           std::span<const std::array<int, 3>>,
                                           std::span<double>) const;
template void StoredOrbitals::read<float>(const std::string&, fft::Range,
                                          std::span<const std::array<int, 3>>,
                                          std::span<float>) const;

}  // namespace fg::ab_initio
