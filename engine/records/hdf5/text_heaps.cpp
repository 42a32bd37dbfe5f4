// SPDX-License-Identifier: BSD-3-Clause
#include "records/hdf5/text_heaps.hpp"

#include <unistd.h>

#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "records/hdf5/journaled_file.hpp"

namespace fg::h5 {

namespace {

constexpr std::string_view signature{"GCOL\1", 5};  // and three bytes that nobody reads
constexpr std::size_t heap_header = 16;             // bytes, of a heap and of an object in it
constexpr std::uint64_t smallest_heap = 4096;
constexpr std::size_t reference_bytes = 16;  // length, place of the heap, number in it
constexpr std::size_t object_header = 16;
constexpr std::size_t message_header = 8;
constexpr unsigned attribute_message = 0x0c, continuation_message = 0x10;

/// A number with its lowest byte first, as all are in the file; 0 where there are no such bytes.
std::uint64_t number_at(std::string_view bytes, std::size_t at, std::size_t width) noexcept {
  std::uint64_t value = 0;
  if (at > bytes.size() || width > bytes.size() - at) return 0;
  for (std::size_t i = width; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

constexpr std::uint64_t padded(std::uint64_t size) noexcept {
  return (size + 7) / 8 * 8;
}

/// The texts of a heap by their numbers, from its bytes after the header. Nothing if a size leads
/// beyond the heap.
std::optional<std::vector<std::string_view>> texts_of(std::string_view heap) {
  std::vector<std::string_view> texts;
  while (heap.size() >= heap_header) {
    const auto number = static_cast<std::size_t>(number_at(heap, 0, 2));
    const std::uint64_t size = number_at(heap, 8, 8);
    if (number == 0) {  // what is free
      if (size != heap.size()) return {};
      break;
    }
    const std::string_view rest = heap.substr(heap_header);
    if (size > rest.size() || padded(size) > rest.size()) return {};
    if (number >= texts.size()) texts.resize(number + 1);
    texts[number] = rest.substr(0, static_cast<std::size_t>(size));
    heap = rest.substr(static_cast<std::size_t>(padded(size)));
  }
  return texts;
}

/// The parts of an attribute message; nothing if one leads beyond the message.
struct Attribute {
  std::string_view name, type, extent, value;
};
std::optional<Attribute> attribute_in(std::string_view message) {
  const std::uint64_t version = number_at(message, 0, 1);
  if (version < 1 || version > 3) return {};
  std::size_t at = version == 3 ? 9 : 8;
  std::array<std::string_view, 3> parts;  // name, type and extent, each with its size before
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::uint64_t size = number_at(message, 2 + 2 * i, 2);
    if (at > message.size() || size > message.size() - at) return {};
    parts.at(i) = message.substr(at, static_cast<std::size_t>(size));
    at += static_cast<std::size_t>(version == 1 ? padded(size) : size);
  }
  if (at > message.size()) return {};
  const std::size_t end = parts[0].find('\0');
  if (end == std::string_view::npos) return {};
  return Attribute{parts[0].substr(0, end), parts[1], parts[2], message.substr(at)};
}

/// The bytes of one value of a type. Nothing for kinds that no file of finegrain has, and for types
/// whose description is cut short.
std::optional<std::uint64_t> width_of(std::string_view type) {
  enum : unsigned { integer = 0, floating = 1, text = 3, choice = 8, variable = 9 };
  constexpr std::size_t common = 8;
  const std::uint64_t kind = number_at(type, 0, 1) & 0x0f;
  const std::size_t least = common + (kind == integer    ? 4
                                      : kind == floating ? 12
                                      : kind == text     ? 0
                                                         : common);
  if (type.size() < least) return {};
  if (kind != integer && kind != floating && kind != text && kind != choice && kind != variable)
    return {};
  return number_at(type, 4, 4);
}

/// The number of values of an extent.
std::optional<std::uint64_t> count_of(std::string_view extent) {
  constexpr std::uint64_t most_axes = 32, most = std::uint64_t{1} << 32;
  const std::uint64_t version = number_at(extent, 0, 1), axes = number_at(extent, 1, 1);
  const bool has_limits = (number_at(extent, 2, 1) & 1) != 0;
  const std::size_t at = version == 1 ? 8 : 4;
  if (version < 1 || version > 2 || axes > most_axes) return {};
  if (extent.size() < at + 8 * axes * (has_limits ? 2 : 1)) return {};
  std::uint64_t count = version == 2 && number_at(extent, 3, 1) == 2 ? 0 : 1;  // 2: no values
  for (std::size_t i = 0; i < axes; ++i) {
    const std::uint64_t edge = number_at(extent, at + 8 * i, 8);
    if (count != 0 && edge > most / count) return {};
    count *= edge;
  }
  return count;
}

bool is_sound(const std::optional<Attribute>& attribute) {
  if (!attribute) return false;
  const auto width = width_of(attribute->type), count = count_of(attribute->extent);
  return width && count && *width * *count <= attribute->value.size();
}

}  // namespace

TextHeaps::TextHeaps(hid_t file) : file_(file) {
  hsize_t size = 0;
  if (file < 0 || H5Fget_filesize(file, &size) < 0) return;
  size_ = size;
  const hid_t access = H5Fget_access_plist(file);
  const hid_t driver = H5Pget_driver(access);
  storage_ = driver == H5FD_CORE   ? Storage::memory
             : driver == H5FD_SEC2 ? Storage::descriptor
                                   : Storage::journaled;
  H5Pclose(access);
}

std::optional<std::string> TextHeaps::bytes_at(std::uint64_t place, std::uint64_t count) const {
  if (place > size_ || count > size_ - place) return {};
  void* handle = nullptr;
  if (H5Fget_vfd_handle(file_, H5P_DEFAULT, &handle) < 0 || handle == nullptr) return {};
  std::string bytes(static_cast<std::size_t>(count), '\0');
  if (storage_ == Storage::journaled) {
    JournaledFile* const file = *static_cast<JournaledFile**>(handle);
    const auto whole = std::as_writable_bytes(std::span(bytes));
    return file->read(place, whole) ? std::optional(std::move(bytes)) : std::nullopt;
  }
  if (storage_ == Storage::memory) {
    const auto* const memory = *static_cast<const char* const*>(handle);
    std::memcpy(bytes.data(), memory + place, bytes.size());
    return bytes;
  }
  const int descriptor = *static_cast<const int*>(handle);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t more = ::pread(descriptor, bytes.data() + done, bytes.size() - done,
                                 static_cast<off_t>(place + done));
    if (more <= 0) return {};
    done += static_cast<std::size_t>(more);
  }
  return bytes;
}

const TextHeaps::Heap* TextHeaps::heap_at(std::uint64_t place) {
  const auto known = heaps_.find(place);
  if (known != heaps_.end()) return &known->second;
  const auto start = bytes_at(place, heap_header);
  if (!start || !start->starts_with(signature)) return nullptr;
  const std::uint64_t size = number_at(*start, 8, 8);
  if (size < smallest_heap) return nullptr;
  auto bytes = bytes_at(place, size);
  if (!bytes) return nullptr;
  Heap& heap = heaps_[place];
  heap.bytes = std::move(*bytes);
  // A damaged heap stays here without texts.
  if (auto texts = texts_of(std::string_view(heap.bytes).substr(heap_header)))
    heap.texts = std::move(*texts);
  return &heap;
}

std::optional<std::string> TextHeaps::text_of_reference(std::string_view reference) {
  const std::uint64_t length = number_at(reference, 0, 4);
  const std::uint64_t place = number_at(reference, 4, 8);
  const auto number = static_cast<std::size_t>(number_at(reference, 12, 4));
  if (place == 0) return length == 0 ? std::optional<std::string>("") : std::nullopt;
  const Heap* const heap = heap_at(place);
  if (heap == nullptr || number >= heap->texts.size()) return {};
  const std::string_view text = heap->texts[number];
  // No text has a zero in it: one comes from the bytes beyond a text that claims too many.
  if (text.data() == nullptr || text.size() != length || text.find('\0') != text.npos) return {};
  return std::string(text);
}

std::optional<std::vector<std::string>> TextHeaps::texts_at(std::uint64_t place,
                                                            std::size_t count) {
  const auto references = bytes_at(place, std::uint64_t{count} * reference_bytes);
  if (!references) return {};
  std::vector<std::string> texts(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto text = text_of_reference(
        std::string_view(*references).substr(i * reference_bytes, reference_bytes));
    if (!text) return {};
    texts[i] = std::move(*text);
  }
  return texts;
}

bool TextHeaps::visit(std::uint64_t header, const Look& look) const {
  const auto start = bytes_at(header, object_header);
  if (!start || number_at(*start, 0, 1) != 1) return false;
  using Block = std::pair<std::uint64_t, std::uint64_t>;  // place and size
  std::vector<Block> blocks{{header + object_header, number_at(*start, 8, 4)}};
  std::uint64_t left_of_file = size_;  // blocks do not overlap: a circle of them ends here
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto [place, length] = blocks[i];
    if (length > left_of_file) return false;
    left_of_file -= length;
    const auto bytes = bytes_at(place, length);
    if (!bytes) return false;
    std::string_view left = *bytes;
    while (left.size() >= message_header) {
      const std::uint64_t kind = number_at(left, 0, 2), size = number_at(left, 2, 2);
      left = left.substr(message_header);
      if (size > left.size()) return false;
      const std::string_view message = left.substr(0, static_cast<std::size_t>(size));
      left = left.substr(static_cast<std::size_t>(size));
      if (kind == continuation_message)
        blocks.emplace_back(number_at(message, 0, 8), number_at(message, 8, 8));
      if (kind == attribute_message && !look(message)) return true;
    }
  }
  return true;
}

bool TextHeaps::has_sound_attributes(std::uint64_t header) const {
  bool sound = true;
  return visit(header,
               [&](std::string_view message) {
                 sound = is_sound(attribute_in(message));
                 return sound;
               }) &&
         sound;
}

std::optional<std::string> TextHeaps::text_of_attribute(std::uint64_t header,
                                                        std::string_view name) {
  std::string reference;
  const bool listed = visit(header, [&](std::string_view message) {
    const auto attribute = attribute_in(message);
    if (!attribute || attribute->name != name) return true;
    reference = attribute->value.substr(0, reference_bytes);
    return false;
  });
  if (!listed || reference.size() < reference_bytes) return {};
  return text_of_reference(reference);
}

}  // namespace fg::h5
