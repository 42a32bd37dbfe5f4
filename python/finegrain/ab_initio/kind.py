# SPDX-License-Identifier: BSD-3-Clause
"""Ab initio calculations as a kind of run."""

from finegrain.ab_initio.job import make_job
from finegrain.ab_initio.load import load_input
from finegrain.ab_initio.model import AbInitioModel
from finegrain.ab_initio.report import check
from finegrain.ab_initio.template import names, template
from finegrain.kinds import Kind

KIND = Kind(
    model=AbInitioModel,
    load=load_input,
    check=check,
    make_job=make_job,
    templates=names,
    template=template,
)
