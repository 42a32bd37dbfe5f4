// SPDX-License-Identifier: BSD-3-Clause
//
// What describes one kind of bonded term: a struct with its atoms and its parameters, and
//   name      what a message calls one ("a bond"), and names_of_many, what a report calls many
//   table     where the job has them; empty: they are made from others
//   energy    the entry of the energies that they add to
//   always_reported  whether reports have this entry also for a job without such terms
//   columns() the parameters with their names in the job and the least and largest allowed value
//   counts()  whether this one has an energy at all
//   Shared    what the terms of this kind have in common, such as maps; NothingShared for most
//   Kernel    what is kept for each step instead, made from a term and from Shared::Tables. It is
//             called with a TermAtoms, to which it adds energy, forces and virial
// Reading, checking, the digest, selection, sums and reports follow from this. The kinds are listed
// in terms.hpp.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/vec3.hpp"

namespace fg {

/// A parameter of a term: double or std::int32_t.
template <class Term, class Value>
struct Column {
  std::string_view name;
  Value Term::*member;
  double least, most;
};
template <class Term, class Value>
constexpr Column<Term, Value> column(std::string_view name, Value Term::*member, double least,
                                     double most) {
  return {name, member, least, most};
}

/// An array of what terms share: of double or std::int32_t.
template <class Shared, class Value>
struct SharedArray {
  std::string_view name;
  std::vector<Value> Shared::*member;
};
template <class Shared, class Value>
constexpr SharedArray<Shared, Value> shared_array(std::string_view name,
                                                  std::vector<Value> Shared::*member) {
  return {name, member};
}

/// Why the terms of a kind cannot be used with what they share.
struct TermComplaint {
  std::string what, value, limit;
};

/// For kinds of terms that share nothing.
struct NothingShared {
  static constexpr std::string_view table = "";
  static constexpr auto arrays() { return std::tuple{}; }
  static std::optional<TermComplaint> complaint(const auto& /*terms*/) { return {}; }
  struct Tables {
    Tables() = default;
    explicit Tables(const NothingShared&) noexcept {}
  };
};
using NoTables = NothingShared::Tables;

/// Calls visit(array) for each array of what terms share.
template <class Shared, class Visit>
constexpr void for_each_shared_array(const Visit& visit) {
  std::apply([&](const auto&... arrays) { (visit(arrays), ...); }, Shared::arrays());
}

/// What terms share, as the job has it. `table` and arrays() say where it is. complaint(terms) says
/// what is wrong with it, or with terms that use it. Tables are what kernels use of it, made once.
template <class S, class Term>
concept SharedBy = requires(const S& shared, const std::vector<Term>& terms) {
  { S::table } -> std::convertible_to<std::string_view>;
  S::arrays();
  { shared.complaint(terms) } -> std::same_as<std::optional<TermComplaint>>;
  requires std::default_initializable<typename S::Tables>;
  requires std::constructible_from<typename S::Tables, const S&>;
};

/// What a kernel is called with. Atoms are numbered as in the term.
template <class T>
concept TermAtoms = requires(T& atoms, const Vec3& v) {
  { atoms.between(0, 1) } -> std::same_as<Vec3>;  // from the second to the first, nearest image
  atoms.add_force(0, v);
  atoms.add_energy(1.0);
  atoms.add_virial(v, v);  // of a force at this vector from a common point
};

/// Adds what a term of two atoms gives. `d` is the vector from the second to the first, and `force`
/// acts on the first.
void add_pair(TermAtoms auto& atoms, const Vec3& d, double energy, const Vec3& force) noexcept {
  atoms.add_force(0, force);
  atoms.add_force(1, -force);
  atoms.add_energy(energy);
  atoms.add_virial(d, force);
}

/// Stands for any TermAtoms where a term's description is checked.
struct NoAtoms {
  static Vec3 between(int, int) noexcept { return {}; }
  static void add_force(int, const Vec3&) noexcept {}
  static void add_energy(double) noexcept {}
  static void add_virial(const Vec3&, const Vec3&) noexcept {}
};

template <class Term>
inline constexpr std::size_t atoms_in = std::tuple_size_v<decltype(Term::atoms)>;

template <class T>
concept BondedTerm = requires(const T& term, NoAtoms& atoms) {
  { atoms_in<T> } -> std::convertible_to<std::size_t>;
  { T::name } -> std::convertible_to<std::string_view>;
  { T::names_of_many } -> std::convertible_to<std::string_view>;
  { T::table } -> std::convertible_to<std::string_view>;
  { T::energy } -> std::convertible_to<std::string_view>;
  { T::always_reported } -> std::convertible_to<bool>;
  T::columns();
  { term.counts() } -> std::same_as<bool>;
  requires SharedBy<typename T::Shared, T>;
  requires std::constructible_from<typename T::Kernel, const T&, const typename T::Shared::Tables&>;
  { std::declval<const typename T::Kernel&>()(atoms) } noexcept;
};

/// Calls visit(column) for each parameter of a kind of term.
template <BondedTerm Term, class Visit>
constexpr void for_each_column(const Visit& visit) {
  std::apply([&](const auto&... columns) { (visit(columns), ...); }, Term::columns());
}

/// Something for each kind of term: Holder<Term>.
template <template <class> class Holder, BondedTerm... Terms>
class PerTerm {
 public:
  template <class Term>
  Holder<Term>& of() noexcept {
    return std::get<Holder<Term>>(held_);
  }
  template <class Term>
  const Holder<Term>& of() const noexcept {
    return std::get<Holder<Term>>(held_);
  }

  /// Calls visit.operator()<Term>() for each kind, in the order of the list.
  template <class Visit>
  static constexpr void for_each_kind(const Visit& visit) {
    (visit.template operator()<Terms>(), ...);
  }
  /// Calls visit(holder) for each kind, in the order of the list.
  template <class Visit>
  void for_each(const Visit& visit) const {
    (visit(of<Terms>()), ...);
  }

 private:
  std::tuple<Holder<Terms>...> held_;
};

}  // namespace fg
