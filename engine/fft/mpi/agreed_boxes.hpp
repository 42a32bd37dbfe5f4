// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mpi.h>

#include "fft/mpi/mpi_transform.hpp"

namespace fg::fft {

/// Collective. The boxes of all ranks; throws InputError on all ranks unless they agree on
/// everything else. `digits` of the precision.
TransformBoxes agreed_boxes(MPI_Comm comm, const MpiTransformSettings& settings, int digits);

}  // namespace fg::fft
