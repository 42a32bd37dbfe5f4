// SPDX-License-Identifier: BSD-3-Clause
//
// Attributes and texts of variable length in an HDF5 file. A table or an attribute holds references
// to them; the texts stand in "global heaps". HDF5 1.10 trusts the sizes in a heap and the numbers
// in a reference. A damaged one lets it read beyond its memory. So texts are read here, from the
// bytes of the file, with every number compared with what there is. Files of finegrain have headers
// of version 1; other versions are refused.
//
// Source: HDF5 File Format Specification 3.0, sections III.E (global heap), IV.A (object headers),
// IV.A.2.m (attribute messages), VIII.A (references).
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fg::h5 {

class TextHeaps {
 public:
  /// Takes an open file, whose handle must outlive this. Hold a Lock.
  explicit TextHeaps(hid_t file);

  /// Whether no attribute of the object whose header stands at byte `header` claims more bytes than
  /// its message has. HDF5 1.10 would copy what lies beyond.
  bool has_sound_attributes(std::uint64_t header) const;

  /// The text of an attribute of the object whose header is at byte `header`. Nothing if the
  /// header, the reference or the heap is damaged.
  std::optional<std::string> text_of_attribute(std::uint64_t header, std::string_view name);

  /// The texts whose references stand from byte `place` on; nothing if one of them is damaged.
  std::optional<std::vector<std::string>> texts_at(std::uint64_t place, std::size_t count);

 private:
  /// What the drivers have that finegrain opens files with: journaled_driver.hpp has the third.
  enum class Storage { memory, descriptor, journaled };

  struct Heap {
    std::string bytes;
    std::vector<std::string_view> texts;  // by their numbers; without data: there is none
  };

  /// Returns whether to go on.
  using Look = std::function<bool(std::string_view message)>;

  /// Calls `look` with each attribute message of an object; false if the header is damaged.
  bool visit(std::uint64_t header, const Look& look) const;
  std::optional<std::string> bytes_at(std::uint64_t place, std::uint64_t count) const;
  std::optional<std::string> text_of_reference(std::string_view reference);
  const Heap* heap_at(std::uint64_t place);

  hid_t file_;
  std::uint64_t size_ = 0;
  Storage storage_ = Storage::descriptor;
  std::map<std::uint64_t, Heap> heaps_;
};

}  // namespace fg::h5
