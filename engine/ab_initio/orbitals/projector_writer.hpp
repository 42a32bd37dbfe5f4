// SPDX-License-Identifier: BSD-3-Clause
//
// Writes the projectors of some ions at new positions. All orbitals of a part that are in one
// process share them. When all projectors of the part are written, its orbitals are told. A process
// has as many writers as PEs. No number depends on this, because the projectors of an ion follow
// from its position alone.
#pragma once

#include <complex>
#include <memory>
#include <string_view>
#include <vector>

#include "ab_initio/orders/orders.hpp"
#include "runtime/runtime.hpp"

namespace fg::ab_initio {

struct ProjectorWriterSetup;

class ProjectorWriter final : public Chare<ProjectorWriter, 3> {
 public:
  static constexpr std::string_view array_name = "projector-writers";

  explicit ProjectorWriter(std::shared_ptr<const ProjectorWriterSetup> setup)
      : setup_(std::move(setup)) {}

  /// Called for the first writer of a part in a process, if the cell has changed. It finds again
  /// what follows from the cell alone, and then has all writers of the part place the ions.
  void change_cell(Ref<const PlaceOrder> order);

  /// The next order may come when an evaluation after this one has ended: until then the projectors
  /// are read.
  void place(Ref<const PlaceOrder> order);

 private:
  int process() const noexcept { return index()[0]; }
  int part() const noexcept { return index()[1]; }
  int share() const noexcept { return index()[2]; }

  std::shared_ptr<const ProjectorWriterSetup> setup_;
  std::vector<std::complex<double>> work_;
};

}  // namespace fg::ab_initio
