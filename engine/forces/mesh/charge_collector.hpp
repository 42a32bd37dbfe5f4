// SPDX-License-Identifier: BSD-3-Clause
//
// The neighbourhood reduction of charges. The spreaders of one process may have charges for a
// z-pencil of another one. These are added up in that process, and sent as one message. The
// potential comes back once, and goes to all of these spreaders. The sums are in fixed point, as
// those of the pencil (charge_lines.hpp). So the bits do not depend on where they are added.
// Element k is on PE k. It serves the z-pencils whose number has the remainder k for the number of
// PEs in a process.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fft/grid_box.hpp"
#include "forces/mesh/mesh_messages.hpp"
#include "runtime/runtime.hpp"

namespace fg {

template <class Real>
struct MeshSetup;

template <class Real>
class ChargeCollector final : public Chare<ChargeCollector<Real>, 1> {
 public:
  explicit ChargeCollector(std::shared_ptr<const MeshSetup<Real>> setup);

  /// A spreader sends its whole block once a round, for all pencils that this element serves.
  void add(Ref<const ChargeBlockMessage<Real>> block);
  void potential(Ref<const PotentialBlockMessage<Real>> message);

 private:
  /// For one pencil.
  struct Sum {
    std::vector<Ref<const ChargeBlockMessage<Real>>> blocks;  // of this round, as they come
    std::vector<std::int32_t> spreaders;                      // that await the potential
  };
  Sum& sum_for(int pencil) noexcept;
  void send(int pencil, Sum& sum);

  std::shared_ptr<const MeshSetup<Real>> setup_;
  std::vector<Sum> sums_;
  std::vector<fft::GridBox> boxes_;
};

extern template class ChargeCollector<float>;
extern template class ChargeCollector<double>;

}  // namespace fg
