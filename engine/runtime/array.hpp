// SPDX-License-Identifier: BSD-3-Clause
//
// An array: chares indexed in 1 to 4 dimensions, made by Runtime::create_array and owned by the
// runtime. Array<C> is the handle to it, cheap to copy and valid as long as the runtime.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runtime/chare.hpp"
#include "runtime/places/location.hpp"
#include "runtime/proxy.hpp"
#include "runtime/section.hpp"

namespace fg {

struct ArrayCore {
  ArrayCore() = default;
  ArrayCore(const ArrayCore&) = delete;
  ArrayCore& operator=(const ArrayCore&) = delete;
  ~ArrayCore();

  Runtime* runtime = nullptr;
  int id = 0;  // in the order of creation; the same in all processes
  std::string name;
  int dimensions = 0;
  std::array<int, 4> shape{1, 1, 1, 1};
  std::vector<Location> locations;                  // by ordinal
  std::vector<std::unique_ptr<ChareBase>> objects;  // by ordinal; null: in another process
  const SectionCore* everyone = nullptr;

  /// Where the elements of an array that is bound to another one live: with these of its elements.
  struct Bond {
    ArrayCore* leader = nullptr;
    std::vector<int> to{};  // by ordinal
  };
  Bond bond;

  /// A message for an element that is moving to this process.
  struct Held {
    Lane lane;
    Envelope envelope;
  };
  std::mutex moving;  // protects the known places for writing; reading needs no lock
  std::vector<Held> held;

  using Map = std::function<int(const std::array<int, 4>&)>;
  using Factory = std::function<std::unique_ptr<ChareBase>(const std::array<int, 4>&)>;
  Factory factory;
  void populate(const Map& map, Factory make);
  /// Makes a new element for a PE of this process.
  std::unique_ptr<ChareBase> make_element(int ordinal, Pe* home) const;

  std::array<int, 4> index_of(int ordinal) const noexcept;
  /// Returns a text such as "Cell[1,2,0]".
  std::string element_name(int ordinal) const;
};

template <class C>
class Array {
 public:
  static constexpr std::size_t dimensions = C::dimensions;
  using Index = std::array<int, dimensions>;

  Array() = default;
  explicit Array(ArrayCore* core) noexcept : core_(core) {}

  Element<C> operator[](const Index& index) const {
    return Element<C>(&core_->locations[static_cast<std::size_t>(ordinal(index))]);
  }
  /// The element at a position in index order, last index fastest.
  Element<C> at_ordinal(int ordinal) const {
    FG_CHECK(ordinal >= 0 && ordinal < size());
    return Element<C>(&core_->locations[static_cast<std::size_t>(ordinal)]);
  }

  int size() const noexcept { return static_cast<int>(core_->locations.size()); }
  Index shape() const noexcept {
    Index shape;
    for (std::size_t d = 0; d < dimensions; ++d) shape[d] = core_->shape[d];
    return shape;
  }
  int ordinal(const Index& index) const {
    int ordinal = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      FG_CHECK(static_cast<unsigned>(index[d]) < static_cast<unsigned>(core_->shape[d]));
      ordinal = ordinal * core_->shape[d] + index[d];
    }
    return ordinal;
  }
  Index index(int ordinal) const noexcept {
    const std::array<int, 4> raw = core_->index_of(ordinal);
    Index index;
    for (std::size_t d = 0; d < dimensions; ++d) index[d] = raw[d];
    return index;
  }

  /// Sends to every element, with one shared buffer.
  template <auto Member, class... A>
  void broadcast(A&&... argument_and_lane) const {
    everyone().template multicast<Member>(std::forward<A>(argument_and_lane)...);
  }
  template <auto Member, class... A>
  void broadcast_at(std::int64_t step, A&&... argument_and_lane) const {
    everyone().template multicast_at<Member>(step, std::forward<A>(argument_and_lane)...);
  }
  Section<C> everyone() const noexcept { return Section<C>(core_->everyone); }

  /// Whether the element is in this process. Do not call it while the runtime runs.
  bool here_at(int ordinal) const {
    return core_->locations.at(static_cast<std::size_t>(ordinal)).object != nullptr;
  }
  bool here(const Index& index) const { return here_at(ordinal(index)); }
  /// The object itself, which must be in this process. It is for set-up before a run and reading
  /// after it. Never use it while the runtime runs.
  C& object(const Index& index) const { return object_at(ordinal(index)); }
  C& object_at(int ordinal) const {
    FG_CHECK(here_at(ordinal));
    return static_cast<C&>(*core_->locations[static_cast<std::size_t>(ordinal)].object);
  }
  /// The PE of an element, numbered across all processes.
  int pe_of(const Index& index) const noexcept {
    return core_->locations[static_cast<std::size_t>(ordinal(index))].pe.load(
        std::memory_order_relaxed);
  }

  ArrayCore* core() const noexcept { return core_; }
  explicit operator bool() const noexcept { return core_ != nullptr; }

 private:
  ArrayCore* core_ = nullptr;
};

template <class Self, std::size_t D>
Array<Self> Chare<Self, D>::array() const noexcept {
  return Array<Self>(array_core());
}
template <class Self, std::size_t D>
Element<Self> Chare<Self, D>::self() const noexcept {
  return Element<Self>(&array_core()->locations[static_cast<std::size_t>(ordinal())]);
}

}  // namespace fg
