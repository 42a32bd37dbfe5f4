// SPDX-License-Identifier: BSD-3-Clause
//
// Which last bits a run may have. `fast`: those of the fastest kernels of the SIMD target, the same
// in every run on it. `portable`: the same on every SIMD target. See
// docs/explanation/determinism.md.
#pragma once

namespace fg {

enum class Bits { fast, portable };

}  // namespace fg
