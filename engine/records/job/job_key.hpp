// SPDX-License-Identifier: BSD-3-Clause
//
// The description of one key of a job: an attribute of one of its objects. The struct that holds
// the values lists its keys in keys(). Reading, limits, the digest of the job, the reference page
// and what Python knows of the key follow from the list.
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/sha256.hpp"
#include "base/vec3.hpp"
#include "records/hdf5/hdf5.hpp"

namespace fg {

/// When the file has the key. `optional`: if its value is not the default. `where_used`: where the
/// values of the keys before it make use of it.
enum class Given { always, optional, where_used };

/// What the digest of a job gets of a key. `value` is that of the key, and the number of a choice.
/// `real` is the value as a floating-point number. `word` is that of a choice. `mark` is only the
/// mark.
enum class InDigest { nothing, value, real, word, mark };

/// What is said of a key besides its name and type.
template <class Owner>
struct KeyNotes {
  using Test = bool (*)(const Owner&);

  std::string_view meaning;
  std::string_view unit = "";  // empty: a pure number
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
  Given given = Given::always;
  std::string_view with = "";  // a key without which the file has this one neither
  Test used = nullptr;         // where the limits count; null: always
  InDigest digest = InDigest::value;
  Test counts = nullptr;       // where the digest has it; null: always
  std::string_view mark = "";  // a text that the digest gets before the value
};

/// A word of a job, with what it stands for if that is not a text.
template <class Value>
using Word =
    std::conditional_t<std::is_enum_v<Value>, std::pair<std::string_view, Value>, std::string_view>;

template <class Owner, class Value>
struct Key {
  std::string_view name;
  Value Owner::*member;
  KeyNotes<Owner> notes;
  std::span<const Word<Value>> words = {};  // that it may be; of a text empty: any
};

template <class Owner, class Value>
constexpr Key<Owner, Value> key(std::string_view name, Value Owner::*member,
                                const KeyNotes<Owner>& notes) {
  return {name, member, notes};
}
template <class Owner, class Value, std::size_t n>
constexpr Key<Owner, Value> key(std::string_view name, Value Owner::*member,
                                const std::array<Word<Value>, n>& words,
                                const KeyNotes<Owner>& notes) {
  return {name, member, notes, words};
}

template <class... Keys, class Visit>
constexpr void for_each_key(const std::tuple<Keys...>& keys, const Visit& visit) {
  std::apply([&](const auto&... each) { (visit(each), ...); }, keys);
}

namespace key_values {

constexpr std::string_view text_of(std::string_view word) {
  return word;
}
template <class Value>
constexpr std::string_view text_of(const std::pair<std::string_view, Value>& word) {
  return word.first;
}
template <class Value>
std::vector<std::string> texts_of(std::span<const Value> words) {
  std::vector<std::string> texts;
  for (const Value& word : words) texts.emplace_back(text_of(word));
  return texts;
}

/// Throws InputError with the words that are known.
[[noreturn]] void refuse_word(const h5::Reader& file, const std::string& at,
                              const std::string& name, const std::string& text,
                              std::vector<std::string> known);

// Whole numbers beyond those of the type become its largest or smallest one.
void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                double& value);
void read_value(const h5::Reader& file, const std::string& at, const std::string& name, int& value);
void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                std::int64_t& value);
void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                std::uint64_t& value);
void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                std::span<int> values);
void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                Int3& value);
/// Throws InputError if it is neither 0 nor 1.
void read_value(const h5::Reader& file, const std::string& at, const std::string& name,
                bool& value);

/// Calls visit(number) for a number or each one of several; not for words.
template <class Value, class Visit>
void for_each_number(const Value& value, const Visit& visit) {
  if constexpr (std::same_as<Value, Int3>) {
    visit(value.x), visit(value.y), visit(value.z);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    visit(value);
  } else if constexpr (!std::is_enum_v<Value> && !std::same_as<Value, std::string>) {
    for (const auto number : value) visit(number);
  }
}

inline void add_number(Sha256& sum, double number) {
  sum.add(number);
}
template <std::integral Number>
void add_number(Sha256& sum, Number number) {
  sum.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(number)));
}

std::string shown_number(double number);
template <class Value>
std::string shown_value(const Value& value) {
  std::string text;
  for_each_number(value, [&](const auto number) {
    text += (text.empty() ? "" : " ") + shown_number(static_cast<double>(number));
  });
  return text;
}

template <class Value>
std::string type_name() {
  if (std::is_enum_v<Value> || std::same_as<Value, std::string>) return "text";
  if (std::same_as<Value, bool>) return "0 or 1";
  if (std::same_as<Value, double>) return "number";
  if (std::is_integral_v<Value>) return "whole number";
  int count = 0;
  for_each_number(Value(), [&](auto) { ++count; });
  return std::to_string(count) + " whole numbers";
}

}  // namespace key_values

/// The word of a choice.
template <class Value>
  requires std::is_enum_v<Value>
std::string_view word_of(std::span<const Word<Value>> words, Value value) {
  return std::find_if(words.begin(), words.end(),
                      [&](const auto& word) { return word.second == value; })
      ->first;
}

/// Reads one key of an object of the file, if it is given.
template <class Owner, class Value>
void read_key(const h5::Reader& file, const std::string& at, Owner& owner,
              const Key<Owner, Value>& key) {
  const std::string name(key.name);
  const KeyNotes<Owner>& notes = key.notes;
  if (!notes.with.empty() && !file.has_attribute(at, std::string(notes.with))) return;
  if (notes.given == Given::optional && !file.has_attribute(at, name)) return;
  if (notes.given == Given::where_used && !notes.used(owner)) return;
  Value& value = owner.*key.member;
  if constexpr (std::is_enum_v<Value> || std::same_as<Value, std::string>) {
    const std::string text = file.text(at, name);
    const auto found = std::find_if(key.words.begin(), key.words.end(), [&](const auto& word) {
      return key_values::text_of(word) == text;
    });
    if (found == key.words.end() && !key.words.empty())
      key_values::refuse_word(file, at, name, text, key_values::texts_of(key.words));
    if constexpr (std::is_enum_v<Value>)
      value = found->second;
    else
      value = text;
  } else {
    key_values::read_value(file, at, name, value);
  }
}

/// Reads the keys of an object of the file, in the order of the list.
template <class Owner, class... Keys>
void read_keys(const h5::Reader& file, const std::string& at, Owner& owner,
               const std::tuple<Keys...>& keys) {
  for_each_key(keys, [&](const auto& key) { read_key(file, at, owner, key); });
}

/// A number that is beyond the limits of its key.
struct KeyComplaint {
  std::string name, value, limit;
};

/// The first number beyond its limits, if there is one.
template <class Owner, class... Keys>
std::optional<KeyComplaint> beyond_limits(const Owner& owner, const std::tuple<Keys...>& keys) {
  std::optional<KeyComplaint> first;
  for_each_key(keys, [&](const auto& key) {
    const KeyNotes<Owner>& notes = key.notes;
    if (first || (notes.used && !notes.used(owner))) return;
    key_values::for_each_number(owner.*key.member, [&](const auto number) {
      const auto value = static_cast<double>(number);
      if (first || (value >= notes.least && value <= notes.most)) return;  // false for NaN
      first = {
          std::string(key.name), key_values::shown_number(value),
          key_values::shown_number(notes.least) + " to " + key_values::shown_number(notes.most)};
    });
  });
  return first;
}

/// Adds what the keys say to a digest, in the order of the list.
template <class Owner, class... Keys>
void add_keys(Sha256& sum, const Owner& owner, const std::tuple<Keys...>& keys) {
  for_each_key(keys, [&]<class Value>(const Key<Owner, Value>& key) {
    const KeyNotes<Owner>& notes = key.notes;
    if (notes.digest == InDigest::nothing || (notes.counts && !notes.counts(owner))) return;
    if (!notes.mark.empty()) sum.add(notes.mark);
    if (notes.digest == InDigest::mark) return;
    const Value& value = owner.*key.member;
    if constexpr (std::is_enum_v<Value>) {
      if (notes.digest == InDigest::word)
        sum.add(word_of(key.words, value));
      else if (notes.digest == InDigest::real)
        sum.add(static_cast<double>(value));
      else
        key_values::add_number(sum, static_cast<std::int64_t>(value));
    } else if constexpr (std::same_as<Value, std::string>) {
      sum.add(std::string_view(value));
    } else {
      key_values::for_each_number(value,
                                  [&](const auto number) { key_values::add_number(sum, number); });
    }
  });
}

/// A key in words, for pages and for Python.
struct KeyDescription {
  std::string name, type, unit;
  double least = 0, most = 0;
  std::vector<std::string> words;
  Given given = Given::always;
  std::string with;
  std::string standard;  // the value without the key, if it is optional
  bool in_digest = true;
  std::string meaning;
};

/// The keys of an object of a job.
struct KeyGroup {
  std::string object;
  std::vector<KeyDescription> keys;
};

template <class Owner, class... Keys>
void describe_keys(std::vector<KeyDescription>& all, const Owner& standard,
                   const std::tuple<Keys...>& keys) {
  for_each_key(keys, [&]<class Value>(const Key<Owner, Value>& key) {
    const KeyNotes<Owner>& notes = key.notes;
    KeyDescription one{.name = std::string(key.name),
                       .type = key_values::type_name<Value>(),
                       .unit = std::string(notes.unit),
                       .least = notes.least,
                       .most = notes.most,
                       .words = key_values::texts_of(key.words),
                       .given = notes.given,
                       .with = std::string(notes.with),
                       .standard = "",
                       .in_digest = notes.digest != InDigest::nothing,
                       .meaning = std::string(notes.meaning)};
    if (notes.given == Given::optional) {
      if constexpr (std::is_enum_v<Value>)
        one.standard = word_of(key.words, standard.*key.member);
      else
        one.standard = key_values::shown_value(standard.*key.member);
    }
    all.push_back(std::move(one));
  });
}

}  // namespace fg
