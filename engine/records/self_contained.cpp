// SPDX-License-Identifier: BSD-3-Clause
#include "records/self_contained.hpp"

#include "records/hdf5.hpp"

namespace fg::h5 {

namespace {

/// An exception must not pass through the library, which is C.
herr_t look_at_link(hid_t, const char* name, const H5L_info_t* link, void* answer) noexcept {
  if (link->type == H5L_TYPE_HARD || link->type == H5L_TYPE_SOFT) return 0;
  try {
    *static_cast<std::string*>(answer) =
        std::string("/") + name + " is " +
        (link->type == H5L_TYPE_EXTERNAL ? "a link to another file"
                                         : "a link of a kind that is not HDF5's own");
  } catch (...) {
    return -1;
  }
  return 1;
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

herr_t look_at_object(hid_t file, const char* name, const H5O_info_t* object,
                      void* answer) noexcept {
  if (object->type != H5O_TYPE_DATASET) return 0;
  const Handle data = dataset(H5Dopen2(file, name, H5P_DEFAULT));
  if (!data) return -1;
  const Handle how = properties(H5Dget_create_plist(data.get()));
  if (!how) return -1;
  const char* const fault = fault_of(how.get());
  if (fault == nullptr) return 0;
  try {
    *static_cast<std::string*>(answer) = std::string("/") + name + " " + fault;
  } catch (...) {
    return -1;
  }
  return 1;
}

}  // namespace

std::string way_out_of(hid_t file) {
  std::string found;
  const herr_t links = H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_link, &found);
  if (links > 0) return found;
  const herr_t objects = links < 0 ? -1
                                   : H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_NATIVE, look_at_object,
                                               &found, H5O_INFO_BASIC);
  if (objects > 0) return found;
  return objects < 0 ? "its objects cannot be listed: truncated or damaged" : "";
}

}  // namespace fg::h5
