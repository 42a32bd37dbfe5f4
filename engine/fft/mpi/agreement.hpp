// SPDX-License-Identifier: BSD-3-Clause
//
// What all ranks have to know and to agree on before there is a plan; errors that all ranks throw.
#pragma once

#include <mpi.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fft/mpi/mpi_transform.hpp"

namespace fg::fft {

/// A setting that is a number, or stands for one.
struct NamedNumber {
  std::string name;
  double value;
};

/// Collective. Throws InputError on all ranks unless all of them have these values.
void require_same(MPI_Comm comm, std::span<const NamedNumber> settings);

/// Collective. The boxes of all ranks; those without points are {}.
std::vector<GridBox> gather_boxes(MPI_Comm comm, const GridBox& mine);

/// Collective. The boxes of all ranks; throws InputError on all ranks unless they agree on
/// everything else. `digits` of the precision.
TransformBoxes agreed_boxes(MPI_Comm comm, const MpiTransformSettings& settings, int digits);

/// Collective. Runs `work`; if it throws an InputError on any rank, all ranks throw that of the
/// lowest such rank.
void together(MPI_Comm comm, const std::function<void()>& work);

}  // namespace fg::fft
