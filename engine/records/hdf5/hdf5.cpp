// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/hdf5.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <new>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "records/files/files.hpp"
#include "records/hdf5/self_contained.hpp"
#include "records/hdf5/text_heaps.hpp"

namespace fg::h5 {

namespace {

std::recursive_mutex& library_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

Handle open_on_disk(const std::string& path) {
  std::error_code unknown;
  // The library would wait for ever for a writer of a pipe, and read a device without end.
  if (!std::filesystem::is_regular_file(path, unknown)) return {};
  const Handle access = properties(H5Pcreate(H5P_FILE_ACCESS));
  // A reader must not stop a run from writing, and the run must not lock out readers.
  H5Pset_file_locking(access.get(), false, true);
  return file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()));
}

Handle open_image(std::span<const std::byte> image) {
  if (image.empty()) return {};  // without an image the library looks for a file
  const Handle access = properties(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_core(access.get(), 1 << 20, false);
  H5Pset_file_image(access.get(), const_cast<std::byte*>(image.data()), image.size());
  return file(H5Fopen("image", H5F_ACC_RDONLY, access.get()));
}

/// Whether Python can decode it: a message with any other text could not be shown.
bool is_utf8(std::string_view text) noexcept {
  static constexpr std::array<std::uint32_t, 4> least{0, 0x80, 0x800, 0x10000};
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i++]);
    const std::size_t more = first < 0x80             ? 0
                             : (first & 0xe0) == 0xc0 ? 1
                             : (first & 0xf0) == 0xe0 ? 2
                             : (first & 0xf8) == 0xf0 ? 3
                                                      : least.size();
    if (more > text.size() - i || more == least.size()) return false;
    std::uint32_t sign = more == 0 ? first : first & (0x3fU >> more);
    for (std::size_t k = 0; k < more; ++k, ++i) {
      const auto next = static_cast<unsigned char>(text[i]);
      if ((next & 0xc0) != 0x80) return false;
      sign = sign << 6 | (next & 0x3fU);
    }
    if (sign < least.at(more) || sign > 0x10ffff || (sign >= 0xd800 && sign < 0xe000)) return false;
  }
  return true;
}

/// Whether the library's last call failed because a limit (ulimit -v) left it no memory. Without a
/// limit only the absurd sizes in a damaged file fail in this way.
bool is_without_memory() {
  rlimit most{};
  if (::getrlimit(RLIMIT_AS, &most) != 0 || most.rlim_cur == RLIM_INFINITY) return false;
  bool found = false;
  const auto look = [](unsigned, const H5E_error2_t* error, void* answer) -> herr_t {
    if (error->min_num == H5E_NOSPACE || error->min_num == H5E_CANTALLOC)
      *static_cast<bool*>(answer) = true;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, look, &found);
  return found;
}

}  // namespace

Lock::Lock() : lock_(library_mutex()) {
  static const bool prepared = [] {
    H5dont_atexit();
    H5open();
    return true;
  }();
  // Each thread has a stack of errors of its own, which it would print.
  thread_local const bool quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;
  static_cast<void>(prepared && quiet);
}

Reader::Reader(std::string path) : path_(std::move(path)), file_(open_on_disk(path_)) {
  if (!std::filesystem::exists(path_))
    throw InputError({.what = "the file does not exist", .where = path_, .hint = "check the path"});
  require_readable();
}

Reader::Reader(std::string path, std::span<const std::byte> image)
    : path_(std::move(path)), file_(open_image(image)) {
  require_readable();
}

Reader::Reader(std::string path, Handle file) : path_(std::move(path)), file_(std::move(file)) {
  require_readable();
}

void Reader::require_readable() {
  if (!file_) fail("not a readable HDF5 file: truncated, damaged or of another kind", "");
  const std::string way_out = way_out_of(file_.get());
  if (way_out.empty()) {
    heaps_ = std::make_shared<TextHeaps>(file_.get());
    return;
  }
  if (is_without_memory()) throw std::bad_alloc();
  throw InputError({.what = "the file is damaged, or leads to other files, which are never read",
                    .where = path_,
                    .value = way_out,
                    .hint = "make the file again with finegrain"});
}

void Reader::fail(const std::string& what, const std::string& object) const {
  if (is_without_memory()) throw std::bad_alloc();
  throw InputError({.what = what,
                    .where = object.empty() ? path_ : path_ + ":" + object,
                    .hint = "make the file again"});
}

bool Reader::has(const std::string& object) const {
  // H5Lexists requires that every group of the path exists.
  for (std::size_t slash = object.find('/', 1);; slash = object.find('/', slash + 1)) {
    if (H5Lexists(file_.get(), object.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
    if (slash == std::string::npos) return true;
  }
}

bool Reader::has_attribute(const std::string& object, const std::string& name) const {
  return H5Aexists_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

Handle Reader::open(const std::string& table) const {
  if (!has(table)) fail("the file lacks this table", table);
  Handle data = dataset(H5Dopen2(file_.get(), table.c_str(), H5P_DEFAULT));
  if (!data) fail("the table cannot be opened", table);
  return data;
}

Handle Reader::open_dataset(const std::string& object, const Shape& inner) const {
  Handle data = open(object);
  const Handle extent = space(H5Dget_space(data.get()));
  const int rank = H5Sget_simple_extent_ndims(extent.get());
  Shape shape(static_cast<std::size_t>(rank < 0 ? 0 : rank));
  if (rank > 0) H5Sget_simple_extent_dims(extent.get(), shape.data(), nullptr);
  if (rank != static_cast<int>(inner.size()) + 1)
    fail("the table has " + std::to_string(rank) + " dimensions instead of " +
             std::to_string(inner.size() + 1),
         object);
  for (std::size_t i = 0; i < inner.size(); ++i)
    if (inner[i] != 0 && shape[i + 1] != inner[i])
      fail("dimension " + std::to_string(i + 1) + " is " + std::to_string(shape[i + 1]) +
               " instead of " + std::to_string(inner[i]),
           object);
  // A damaged extent must not lead to the allocation of all memory.
  hsize_t count = 1;
  for (const hsize_t size : shape) {
    if (size > (hsize_t{1} << 33)) fail("the table claims an impossible size", object);
    count *= size;
  }
  if (count > (hsize_t{1} << 33)) fail("the table claims an impossible size", object);
  return data;
}

std::size_t Reader::element_count(const Handle& data, const std::string& object) const {
  const Handle extent = space(H5Dget_space(data.get()));
  const hssize_t count = H5Sget_simple_extent_npoints(extent.get());
  if (count < 0) fail("the table cannot be read", object);
  return static_cast<std::size_t>(count);
}

void Reader::read_into(const Handle& data, hid_t memory_type, void* values,
                       const std::string& object) const {
  if (H5Dread(data.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    fail("the table cannot be read: truncated, damaged or not of numbers", object);
}

std::vector<std::string> Reader::strings(const std::string& object) const {
  const Handle data = open_dataset(object, {});
  const std::size_t count = element_count(data, object);
  std::vector<std::string> texts(count);
  if (count == 0) return texts;
  const Handle stored = type(H5Dget_type(data.get()));
  if (H5Tget_class(stored.get()) != H5T_STRING) fail("the table does not hold text", object);
  if (H5Tis_variable_str(stored.get()) > 0) {
    const haddr_t place = H5Dget_offset(data.get());  // undefined if the table is in chunks
    auto found = place == HADDR_UNDEF ? std::nullopt : heaps_->texts_at(place, count);
    if (!found) fail("the texts of the table are damaged", object);
    texts = std::move(*found);
  } else {
    const std::size_t width = H5Tget_size(stored.get());
    std::vector<char> raw(count * width);
    read_into(data, stored.get(), raw.data(), object);
    for (std::size_t i = 0; i < count; ++i)
      texts[i].assign(raw.data() + i * width, strnlen(raw.data() + i * width, width));
  }
  if (!std::ranges::all_of(texts, is_utf8)) fail("the table does not hold text in UTF-8", object);
  return texts;
}

void Reader::read_attribute(const std::string& object, const std::string& name, hid_t memory_type,
                            void* values, std::size_t count) const {
  if (!has_attribute(object, name)) fail("the attribute '" + name + "' is missing", object);
  const Handle opened = attribute(
      H5Aopen_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  const Handle extent = space(H5Aget_space(opened.get()));
  if (H5Sget_simple_extent_npoints(extent.get()) != static_cast<hssize_t>(count))
    fail("the attribute '" + name + "' does not have " + std::to_string(count) + " value(s)",
         object);
  if (H5Aread(opened.get(), memory_type, values) < 0)
    fail("the attribute '" + name + "' is not a number", object);
}

std::string Reader::text(const std::string& object, const std::string& name) const {
  if (!has_attribute(object, name)) fail("the attribute '" + name + "' is missing", object);
  const Handle opened = attribute(
      H5Aopen_by_name(file_.get(), object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT));
  const Handle stored = type(H5Aget_type(opened.get()));
  if (H5Tget_class(stored.get()) != H5T_STRING)
    fail("the attribute '" + name + "' is not text", object);
  const Handle extent = space(H5Aget_space(opened.get()));
  if (H5Sget_simple_extent_npoints(extent.get()) != 1)
    fail("the attribute '" + name + "' is not a single text", object);
  std::string result;
  if (H5Tis_variable_str(stored.get()) > 0) {
    H5O_info_t about{};
    std::optional<std::string> found;
    if (H5Oget_info_by_name2(file_.get(), object.c_str(), &about, H5O_INFO_BASIC, H5P_DEFAULT) >= 0)
      found = heaps_->text_of_attribute(about.addr, name);
    if (!found) fail("the attribute '" + name + "' is damaged", object);
    result = std::move(*found);
  } else {
    std::vector<char> raw(H5Tget_size(stored.get()) + 1, '\0');
    if (H5Aread(opened.get(), stored.get(), raw.data()) < 0)
      fail("the attribute '" + name + "' cannot be read", object);
    result = raw.data();
  }
  if (!is_utf8(result)) fail("the attribute '" + name + "' is not text in UTF-8", object);
  return result;
}

std::vector<std::byte> image_of_file(const std::string& path,
                                     const std::function<void(hid_t root)>& write) {
  const Lock lock;
  const Handle access = properties(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_fapl_core(access.get(), 1 << 20, false);
  const Handle made = file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()));
  check_write(static_cast<bool>(made), path);
  write(made.get());
  check_write(H5Fflush(made.get(), H5F_SCOPE_LOCAL) >= 0, path);
  const ssize_t size = H5Fget_file_image(made.get(), nullptr, 0);
  check_write(size > 0, path);
  std::vector<std::byte> image(static_cast<std::size_t>(size));
  check_write(H5Fget_file_image(made.get(), image.data(), image.size()) == size, path);
  return image;
}

void check_write(bool good, const std::string& path) {
  if (good) return;
  // The library gives the system's error number only as text; a failed write sets errno last.
  if (errno == 0)
    throw WriteRefused({.what = "cannot write: HDF5 refuses to",
                        .where = path,
                        .hint = "is the file damaged, or is memory short?"});
  throw_write_failure(path, errno);
}

Handle string_type() {
  Handle made = type(H5Tcopy(H5T_C_S1));
  H5Tset_size(made.get(), H5T_VARIABLE);
  H5Tset_cset(made.get(), H5T_CSET_UTF8);
  return made;
}

void write_text(hid_t object, const char* name, const std::string& text, const std::string& path) {
  // Variable length, because h5py, and so MDAnalysis, returns it as text and not as bytes.
  const Handle stored = string_type();
  const Handle scalar = space(H5Screate(H5S_SCALAR));
  const Handle made =
      attribute(H5Acreate2(object, name, stored.get(), scalar.get(), H5P_DEFAULT, H5P_DEFAULT));
  const char* pointer = text.c_str();
  check_write(made && H5Awrite(made.get(), stored.get(), &pointer) >= 0, path);
}

void write_texts(hid_t group, const char* name, std::span<const std::string> texts,
                 const std::string& path) {
  // Fixed width: a text of variable length needs more space for its reference than for itself.
  std::size_t width = 1;
  for (const std::string& text : texts) width = std::max(width, text.size());
  std::vector<char> padded(width * texts.size(), '\0');
  for (std::size_t i = 0; i < texts.size(); ++i)
    std::copy(texts[i].begin(), texts[i].end(),
              padded.begin() + static_cast<std::ptrdiff_t>(i * width));
  const Handle stored = type(H5Tcopy(H5T_C_S1));
  H5Tset_size(stored.get(), width);
  H5Tset_strpad(stored.get(), H5T_STR_NULLPAD);
  H5Tset_cset(stored.get(), H5T_CSET_UTF8);
  const hsize_t count = texts.size();
  const Handle extent = space(H5Screate_simple(1, &count, nullptr));
  const Handle made = dataset(
      H5Dcreate2(group, name, stored.get(), extent.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  check_write(made && (count == 0 || H5Dwrite(made.get(), stored.get(), H5S_ALL, H5S_ALL,
                                              H5P_DEFAULT, padded.data()) >= 0),
              path);
}

}  // namespace fg::h5
