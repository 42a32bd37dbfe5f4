# SPDX-License-Identifier: BSD-3-Clause
"""What a file has and no reader uses: a note names each."""
