// SPDX-License-Identifier: BSD-3-Clause
//
// What all ranks have to know and to agree on before there is a plan; errors that all ranks throw.
#pragma once

#include <mpi.h>

#include <functional>

#include "fft/mpi/mpi_transform.hpp"

namespace fg::fft {

/// Collective. Gathers the boxes of all ranks. Throws InputError on all ranks if anything else
/// differs; `digits` are those of the numbers, 24 or 53.
TransformBoxes gather_boxes(MPI_Comm comm, const MpiTransformSettings& settings, int digits);

/// Collective. Runs `work`; if it throws an InputError on any rank, all ranks throw that of the
/// lowest such rank.
void together(MPI_Comm comm, const std::function<void()>& work);

}  // namespace fg::fft
