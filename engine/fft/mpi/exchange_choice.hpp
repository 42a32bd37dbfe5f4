// SPDX-License-Identifier: BSD-3-Clause
//
// The fastest way to exchange numbers on this machine, measured once and remembered.
#pragma once

#include "fft/mpi/mpi_transform.hpp"

namespace fg::fft {

struct ChosenExchange {
  MpiTransformSettings settings;  // with the way that was chosen
  Exchanging exchanging;
};

/// Collective. Replaces Travel::measured. Takes what is remembered in `exchange_file`, or else
/// times messages and collective calls. If `settings` leaves them open, times the shapes of
/// pencils, too. All ranks choose the same. Throws as the constructor of MpiTransform does.
template <class Real>
ChosenExchange choose_exchange(MPI_Comm comm, const MpiTransformSettings& settings);

extern template ChosenExchange choose_exchange<float>(MPI_Comm, const MpiTransformSettings&);
extern template ChosenExchange choose_exchange<double>(MPI_Comm, const MpiTransformSettings&);

}  // namespace fg::fft
