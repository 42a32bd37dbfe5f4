// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/journaled_driver.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <cstddef>
#include <new>
#include <span>

namespace fg::h5 {

namespace {

/// What the library copies from one property list to the next.
struct Target {
  JournaledFile* file;
};

/// HDF5 knows the first member only.
struct OpenFile {
  H5FD_t common;
  JournaledFile* file;
  haddr_t allocated;
};

OpenFile& of(H5FD_t* file) noexcept {
  return *reinterpret_cast<OpenFile*>(file);
}
const OpenFile& of(const H5FD_t* file) noexcept {
  return *reinterpret_cast<const OpenFile*>(file);
}

H5FD_t* open(const char*, unsigned, hid_t access, haddr_t) {
  const auto* const target = static_cast<const Target*>(H5Pget_driver_info(access));
  if (target == nullptr) return nullptr;
  auto* const opened = new (std::nothrow) OpenFile{{}, target->file, 0};
  return opened == nullptr ? nullptr : &opened->common;
}

herr_t close(H5FD_t* file) {
  delete &of(file);  // NOLINT(cppcoreguidelines-owning-memory): HDF5 holds it in between
  return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t get_allocated(const H5FD_t* file, H5FD_mem_t) {
  return of(file).allocated;
}
herr_t set_allocated(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file).allocated = end;
  return 0;
}
haddr_t get_end(const H5FD_t* file, H5FD_mem_t) {
  return of(file).file->end();
}

herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, void* bytes) {
  return of(file).file->read(at, {static_cast<std::byte*>(bytes), size}) ? 0 : -1;
}
herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t size, const void* bytes) {
  return of(file).file->write(at, {static_cast<const std::byte*>(bytes), size}) ? 0 : -1;
}
herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  of(file).file->set_end(of(file).allocated);
  return 0;
}

/// For `TextHeaps`, which reads bytes beside the library.
herr_t get_handle(H5FD_t* file, hid_t, void** handle) {
  *handle = &of(file).file;
  return 0;
}

hid_t driver() {
  static const hid_t registered = [] {
    static H5FD_class_t methods{};
#ifdef H5FD_CLASS_VERSION
    methods.version = H5FD_CLASS_VERSION;
    methods.value = static_cast<H5FD_class_value_t>(511);
#endif
    methods.name = "finegrain_journaled";
    methods.maxaddr = (haddr_t{1} << 62) - 1;
    methods.fc_degree = H5F_CLOSE_WEAK;
    methods.fapl_size = sizeof(Target);
    methods.open = open;
    methods.close = close;
    methods.query = query;
    methods.get_eoa = get_allocated;
    methods.set_eoa = set_allocated;
    methods.get_eof = get_end;
    methods.get_handle = get_handle;
    methods.read = read;
    methods.write = write;
    methods.truncate = truncate;
    for (H5FD_mem_t& list : methods.fl_map) list = H5FD_MEM_SUPER;
    methods.fl_map[H5FD_MEM_DRAW] = H5FD_MEM_DRAW;
    methods.fl_map[H5FD_MEM_GHEAP] = H5FD_MEM_DRAW;
    return H5FDregister(&methods);
  }();
  return registered;
}

}  // namespace

Handle access_to(JournaledFile& file) {
  const Lock lock;
  Handle access = properties(H5Pcreate(H5P_FILE_ACCESS));
  const Target target{&file};
  if (H5Pset_driver(access.get(), driver(), &target) < 0) return {};
  H5Pset_file_locking(access.get(), false, true);
  return access;
}

}  // namespace fg::h5
