// SPDX-License-Identifier: BSD-3-Clause
//
// A product of two matrices in tiles, and the name under which all work on tiles is measured.
#pragma once

#include "ab_initio/matrices/ortho.hpp"
#include "electrons/matrices/blas.hpp"

namespace fg::ab_initio {

inline const Phase ortho_phase{"matrices of all orbitals"};

/// to += factor a b, where a is read as it is, or transposed.
struct Ortho::Product {
  double factor;
  const Matrix* a;
  electrons::blas::Factor::Reading reading;
  const Matrix* b;
  Matrix* to;
};

}  // namespace fg::ab_initio
