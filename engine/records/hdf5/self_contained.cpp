// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/self_contained.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "base/shown.hpp"
#include "records/hdf5/hdf5.hpp"
#include "records/hdf5/text_heaps.hpp"

namespace fg::h5 {

namespace {

constexpr double small = 64 << 20;           // bytes of a table or a chunk, which any file may have
constexpr double most_packed = 16;           // times its size that a file may unpack to
constexpr std::size_t most_objects = 50000;  // groups and tables; a file of a run has some hundreds
constexpr int deepest = 50;                  // groups in groups

struct Link {
  std::string name;
  H5L_type_t type;
};

/// An exception must not pass through the library, which is C.
herr_t keep_link(hid_t, const char* name, const H5L_info_t* link, void* links) noexcept {
  try {
    static_cast<std::vector<Link>*>(links)->push_back({name, link->type});
  } catch (...) {
    return -1;
  }
  return 0;
}

const char* fault_of(hid_t how) noexcept {
  if (H5Pget_external_count(how) > 0) return "keeps its numbers in another file";
  if (H5Pget_layout(how) == H5D_VIRTUAL) return "is made of tables of other files";
  const int filters = H5Pget_nfilters(how);
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, settings = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(how, static_cast<unsigned>(i), &flags, &values,
                                               nullptr, 0, nullptr, &settings);
    if (filter < 0 || filter >= H5Z_FILTER_RESERVED) return "needs a filter that is not HDF5's own";
  }
  return nullptr;
}

/// The bytes of one chunk; 0 of a table without chunks.
double chunk_bytes(hid_t how, double width) noexcept {
  if (H5Pget_layout(how) != H5D_CHUNKED) return 0;
  Shape edges(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(how, H5S_MAX_RANK, edges.data());
  for (int i = 0; i < rank; ++i) width *= static_cast<double>(edges[static_cast<std::size_t>(i)]);
  return rank > 0 ? width : 0;
}

/// What claims more than the file can hold, if anything does.
std::string excess_of(hid_t data, hid_t how, double most) {
  const Handle extent = space(H5Dget_space(data));
  const Handle kind = type(H5Dget_type(data));
  const auto width = static_cast<double>(kind ? H5Tget_size(kind.get()) : 0);
  const hssize_t count = extent ? H5Sget_simple_extent_npoints(extent.get()) : 0;
  const double bytes = width * static_cast<double>(std::max<hssize_t>(count, 0));
  const double chunk = chunk_bytes(how, width);
  // A file may have holes, so its size alone does not say what the table has.
  const double stored = most_packed * static_cast<double>(H5Dget_storage_size(data));
  if (bytes > most || (bytes > small && bytes > stored)) return "of " + shown(bytes) + " bytes";
  // The chunks of a run that begins have no frame yet.
  if (chunk > most || (chunk > small && bytes > 0 && chunk > stored))
    return "in chunks of " + shown(chunk) + " bytes";
  return {};
}

class Walk {
 public:
  explicit Walk(hid_t file) : bytes_(file) {
    hsize_t bytes = 0;
    if (H5Fget_filesize(file, &bytes) >= 0) most_ = most_packed * static_cast<double>(bytes);
    most_ = std::max(most_, small);
  }

  /// What is wrong with an object, and with all below it if it is a group.
  std::string fault_of_object(hid_t above, const std::string& name, const std::string& place,
                              int depth) {
    const Handle object(H5Oopen(above, name.c_str(), H5P_DEFAULT), H5Oclose);
    H5O_info_t about{};
    if (!object || H5Oget_info2(object.get(), &about, H5O_INFO_BASIC) < 0) return unlisted;
    if (!seen_.emplace(about.fileno, about.addr).second) return {};
    if (seen_.size() > most_objects)
      return "it has more than " + std::to_string(most_objects) + " groups and tables";
    if (!bytes_.has_sound_attributes(about.addr))
      return (place.empty() ? "/" : place) + " has damaged attributes";
    if (about.type == H5O_TYPE_GROUP) {
      if (depth > deepest) return "it has groups in groups, " + std::to_string(deepest) + " deep";
      return fault_below(object.get(), place, depth + 1);
    }
    if (about.type != H5O_TYPE_DATASET) return {};
    const Handle how = properties(H5Dget_create_plist(object.get()));
    if (!how) return unlisted;
    if (const char* const fault = fault_of(how.get())) return place + " " + fault;
    const std::string excess = excess_of(object.get(), how.get(), most_);
    return excess.empty() ? ""
                          : place + " claims to be " + excess + ", more than the file can hold";
  }

 private:
  static constexpr const char* unlisted = "its objects cannot be listed: truncated or damaged";

  /// What is wrong with the objects in a group and below it.
  std::string fault_below(hid_t group, const std::string& above, int depth) {
    std::vector<Link> links;
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, keep_link, &links) < 0)
      return unlisted;
    for (const Link& link : links) {
      if (link.type == H5L_TYPE_SOFT) continue;  // its target is looked at where it stands
      const std::string place = above + "/" + link.name;
      if (link.type != H5L_TYPE_HARD)
        return place + " is " +
               (link.type == H5L_TYPE_EXTERNAL ? "a link to another file"
                                               : "a link of a kind that is not HDF5's own");
      std::string found = fault_of_object(group, link.name, place, depth);
      if (!found.empty()) return found;
    }
    return {};
  }

  TextHeaps bytes_;
  double most_ = 0;
  std::set<std::pair<unsigned long, haddr_t>> seen_;
};

}  // namespace

std::string way_out_of(hid_t file) {
  return Walk(file).fault_of_object(file, "/", "", 0);
}

}  // namespace fg::h5
