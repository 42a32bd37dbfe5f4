// SPDX-License-Identifier: BSD-3-Clause
//
// Functionals of libxc (Lehtola, Steigemann, Oliveira and Marques, SoftwareX 7, 1 (2018)), with the
// interface of the engine's own. Below libxc's own threshold of each functional its results are 0.
#pragma once

#include "electrons/exchange_correlation/functional.hpp"

namespace fg::electrons {

/// `name` is one or more of libxc's names, with a + between them. Throws InputError as
/// make_functional does.
std::unique_ptr<const Functional> make_libxc_functional(std::string_view name,
                                                        const FunctionalSettings& settings);

/// The names, in capitals and in the order of the alphabet, that a term of such a name may have.
std::vector<std::string> libxc_terms();

}  // namespace fg::electrons
