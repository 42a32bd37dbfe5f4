// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/array.hpp"

#include <span>

#include "runtime/runtime.hpp"

namespace fg {

namespace {

/// The element that a factory is making on this thread.
struct Nascent {
  ArrayCore* array;
  Pe* home;
  int ordinal;
  std::array<int, 4> index;
};
constinit thread_local const Nascent* nascent = nullptr;

}  // namespace

ChareBase::ChareBase() {
  FG_CHECK(nascent != nullptr);  // only the factory of Runtime::create_array makes chares
  array_ = nascent->array;
  home_ = nascent->home;
  ordinal_ = nascent->ordinal;
  index_ = nascent->index;
}

Runtime& ChareBase::runtime() const noexcept {
  return *array_->runtime;
}
int ChareBase::pe() const noexcept {
  return home_->rank();
}

Location* ChareBase::location() const noexcept {
  return &array_->locations[static_cast<std::size_t>(ordinal_)];
}

void ChareBase::drive_network() {
  if (Pe* const here = Pe::current()) here->drive_network();
}

void ChareBase::drive_network_if_due() {
  if (Pe* const here = Pe::current()) here->drive_network_if_due();
}

std::string ChareBase::describe_wait() const {
  std::string text;
  for (const detail::Suspension* who = waiting_.first(); who; who = who->next) {
    const char* separator = text.empty() ? "awaits " : ", ";
    for (const Expectation& wanted : std::span(who->wanted, who->wanted_count)) {
      if (wanted.remaining <= 0) continue;
      text += separator;
      text += wanted.entry->name;
      text += " at step " + std::to_string(wanted.step);
      text += " (" + std::to_string(wanted.remaining) + (who->any ? " wanted)" : " missing)");
      separator = who->any ? " or " : ", ";
    }
  }
  if (!mailbox_.empty()) {
    text += text.empty() ? "keeps " : ", keeps ";
    text += std::to_string(mailbox_.size()) + " messages that no life awaits";
  }
  return text;
}

void ChareBase::archive(Archive&) {
  throw InternalError({.what = "a chare without archive() cannot move to another process",
                       .where = array_->element_name(ordinal_),
                       .hint = "override archive() in its class"});
}

std::unique_ptr<ChareBase> ArrayCore::make_element(int ordinal, Pe* home) const {
  struct Scope {
    const Nascent* outer = nascent;
    ~Scope() { nascent = outer; }
  } scope;
  const Nascent element{const_cast<ArrayCore*>(this), home, ordinal, index_of(ordinal)};
  nascent = &element;
  std::unique_ptr<ChareBase> object = factory(element.index);
  FG_CHECK(object != nullptr);
  return object;
}

void ArrayCore::populate(const Map& map, Factory make) {
  factory = std::move(make);
  int total = 1;
  for (int extent : shape) {
    FG_CHECK(extent >= 1);
    total *= extent;
  }
  locations = std::vector<Location>(static_cast<std::size_t>(total));
  objects.resize(static_cast<std::size_t>(total));
  for (int ordinal = 0; ordinal < total; ++ordinal) {
    const auto place = static_cast<std::size_t>(ordinal);
    Location& location = locations[place];
    location.array = this;
    location.ordinal = ordinal;
    const int pe = map(index_of(ordinal));
    location.pe = pe;
    Pe* const home = runtime->pe_here(pe);
    if (!home) continue;
    objects[place] = make_element(ordinal, home);
    location.object = objects[place].get();
    location.home = home;
  }
  std::vector<int> all(static_cast<std::size_t>(total));
  for (int ordinal = 0; ordinal < total; ++ordinal)
    all[static_cast<std::size_t>(ordinal)] = ordinal;
  everyone = detail::make_section(this, std::move(all));
}

ArrayCore::~ArrayCore() {
  // Lives end before the members of the derived class, to which their local variables may refer.
  for (const auto& object : objects)
    if (object) object->life_ = Task();
  for (const Held& one : held) one.envelope.entry->release(one.envelope.payload);
}

std::array<int, 4> ArrayCore::index_of(int ordinal) const noexcept {
  std::array<int, 4> index{};
  for (int d = dimensions; d-- > 0;) {
    const auto axis = static_cast<std::size_t>(d);
    index[axis] = ordinal % shape[axis];
    ordinal /= shape[axis];
  }
  return index;
}

std::string ArrayCore::element_name(int ordinal) const {
  const std::array<int, 4> index = index_of(ordinal);
  std::string text = name;
  for (int d = 0; d < dimensions; ++d) {
    text += d == 0 ? '[' : ',';
    text += std::to_string(index[static_cast<std::size_t>(d)]);
  }
  text += ']';
  return text;
}

}  // namespace fg
