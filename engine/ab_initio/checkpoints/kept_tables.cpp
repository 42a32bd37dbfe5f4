// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/checkpoints/kept_tables.hpp"

#include <utility>

#include "ab_initio/orbitals/kept_dynamics.hpp"
#include "ab_initio/orbitals/stored_orbitals.hpp"

namespace fg::ab_initio {

namespace {

KeptTable kept_vector(const std::string& name,
                      std::function<const Orbitals::Vector&(const Orbitals&)> vector) {
  return {
      name, h5::native<double>(), sizeof(double),
      [of = std::move(vector)](const Orbitals& one) { return std::as_bytes(std::span(of(one))); }};
}

KeptTable kept_floats(const std::string& name,
                      std::function<const AlignedVector<float>&(const SearchMemory&)> vector) {
  return {name, h5::native<float>(), sizeof(float), [of = std::move(vector)](const Orbitals& one) {
            return std::as_bytes(std::span(of(one.memory())));
          }};
}

}  // namespace

std::vector<KeptTable> tables_of_search(int pairs) {
  std::vector<KeptTable> all{
      kept_vector(kept::orbitals, [](const Orbitals& one) -> auto& { return one.coefficients(); })};
  for (int age = 0; age < pairs; ++age) {
    all.push_back(kept_floats(
        kept::step(age), [age](const SearchMemory& of) -> auto& { return of.pair(age).step; }));
    all.push_back(kept_floats(
        kept::change(age), [age](const SearchMemory& of) -> auto& { return of.pair(age).change; }));
  }
  return all;
}

std::vector<KeptTable> tables_of_dynamics(const DynamicsSettings& settings, int past) {
  std::vector<KeptTable> all = tables_of_search(0);
  if (settings.kind == DynamicsKind::car_parrinello) {
    all.push_back(kept_vector(kept::velocity,
                              [](const Orbitals& one) -> auto& { return one.motion()->velocity; }));
    if (settings.orthonormality == Orthonormality::free)
      all.push_back(
          kept_vector(kept::free, [](const Orbitals& one) -> auto& { return one.motion()->chi; }));
  }
  for (int age = 0; age < past; ++age)
    all.push_back(kept_vector(kept::past(age),
                              [age](const Orbitals& one) -> auto& { return one.past(age); }));
  return all;
}

}  // namespace fg::ab_initio
