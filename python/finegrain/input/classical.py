# SPDX-License-Identifier: BSD-3-Clause
"""Classical dynamics as a kind of run."""

from finegrain.input.check import check
from finegrain.input.job import make_job
from finegrain.input.load import load_input
from finegrain.input.model import InputModel
from finegrain.input.template import names, template
from finegrain.kinds import Kind

KIND = Kind(
    model=InputModel,
    load=load_input,
    check=check,
    make_job=make_job,
    templates=names,
    template=template,
)
