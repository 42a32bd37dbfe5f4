# SPDX-License-Identifier: BSD-3-Clause
"""Ab initio calculations as a kind of run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from finegrain.ab_initio.convert import convert_run
from finegrain.ab_initio.evaluation import energies
from finegrain.ab_initio.existing_job import AbInitioJob, describe_job
from finegrain.ab_initio.job import make_job
from finegrain.ab_initio.load import load_input
from finegrain.ab_initio.model import AbInitioModel
from finegrain.ab_initio.references import references
from finegrain.ab_initio.report import check
from finegrain.ab_initio.results import figures, finish, open_results, progress_line
from finegrain.ab_initio.template import names, template
from finegrain.kinds import Kind
from finegrain.run_directory import AB_INITIO_FORMATS

if TYPE_CHECKING:
    from finegrain.tuning.search import Tunable


def tunable(*given: Any, **more: Any) -> Tunable:
    """Return what `tune` varies; imported when it is needed, since it runs jobs."""
    from finegrain.tuning.ab_initio import tunable as found

    return found(*given, **more)


KIND = Kind(
    model=AbInitioModel,
    load=load_input,
    check=check,
    make_job=make_job,
    templates=names,
    template=template,
    open_job=AbInitioJob,
    describe_job=describe_job,
    open_run=open_results,
    figures=figures,
    finish=finish,
    energies=energies,
    formats=AB_INITIO_FORMATS,
    convert=convert_run,
    references=references,
    tunable=tunable,
    progress_line=progress_line,
    drawn_after_runs=False,  # a picture would take a large share of the time of a small run
)
