// SPDX-License-Identifier: BSD-3-Clause
#include "fft/mpi/agreed_boxes.hpp"

#include <array>

#include "fft/mpi/agreement.hpp"

namespace fg::fft {

TransformBoxes agreed_boxes(MPI_Comm comm, const MpiTransformSettings& s, int digits) {
  const std::array<int, 2> parts = s.parts.value_or(std::array{0, 0});
  const std::array<NamedNumber, 10> common{{{"grid (x)", static_cast<double>(s.grid[0])},
                                            {"grid (y)", static_cast<double>(s.grid[1])},
                                            {"grid (z)", static_cast<double>(s.grid[2])},
                                            {"kind", static_cast<double>(s.kind)},
                                            {"digits", static_cast<double>(digits)},
                                            {"batch", static_cast<double>(s.batch)},
                                            {"parts (a)", static_cast<double>(parts[0])},
                                            {"parts (b)", static_cast<double>(parts[1])},
                                            {"travel", static_cast<double>(s.travel)},
                                            {"wire", static_cast<double>(s.wire)}}};
  require_same(comm, common);
  return {s.grid, s.kind, gather_boxes(comm, s.points.layout.box),
          gather_boxes(comm, s.waves.layout.box), s.parts};
}

}  // namespace fg::fft
