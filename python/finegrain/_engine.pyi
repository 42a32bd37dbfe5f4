"""The finegrain engine; use the package ``finegrain``, which checks input and adds units."""

from collections.abc import Callable
from typing import Any

class EngineError(RuntimeError):
    """What the engine refused or met.

    Attributes
    ----------
    kind : str
        "input", "resource", "numerics" or "internal".
    what, where, value, limit, hint : str
        The parts of the message; all but `what` may be empty.
    exit_status : int
        1, 2, 3 or 4, in the order of `kind`.
    """

    kind: str
    what: str
    where: str
    value: str
    limit: str
    hint: str
    exit_status: int

def run(
    job: str,
    out: str,
    *,
    pes: int = 1,
    map: str = "block",  # noqa: A002 - the command line's own word
    resume: str = "",
    profile: bool = True,
    stop_after_step: int = -1,
    on_progress: Callable[[dict[str, Any]], bool | None] | None = None,
) -> dict[str, Any]:
    """Run a job file and leave the results in a folder.

    Parameters
    ----------
    job, out : str
        Path of the HDF5 job, and the folder of the results.
    pes : int
        Worker threads; the result has the same bits with any number.
    map : str
        Which thread each object lives on; never changes a bit.
    resume : str
        Checkpoint to go on from; empty starts at step 0.
    profile : bool
        Measure the time per phase.
    stop_after_step : int
        Stop there with a checkpoint; -1 goes to the end.
    on_progress : callable, optional
        Called about five times a second, in the calling thread, with a dict of ``step``,
        ``steps``, ``seconds``, ``temperature`` (K), ``energy_drift`` (kJ/mol/ps per atom),
        ``potential`` and ``kinetic`` (kJ/mol). When it returns False the run stops at its next
        rebuild step, resumable. When it raises, the run stops likewise and the exception is raised.

    Returns
    -------
    dict
        ``steps`` (of this call), ``last_step``, ``finished``, ``atoms``, ``pes``, ``seconds``,
        ``seconds_per_step``, ``ns_per_day``, ``energy_drift`` (kJ/mol/ps per atom),
        ``temperature`` (K, mean), ``state_digest``, ``checkpoint`` (path or ""), ``phases`` (list
        of dicts ``name``, ``seconds`` summed over threads, ``calls``) and ``warnings``.

    Raises
    ------
    EngineError
        The message names what, where, value, limit and remedy; the last good checkpoint stays.
    """

def energy(job: str, *, pes: int = 1) -> dict[str, Any]:
    """Evaluate the forces on the positions of a job file.

    Returns
    -------
    dict
        ``energies``  dict of float by term, kJ/mol, without a total
        ``forces``    float64, shape (atoms, 3), kJ/mol/nm, in the input's atom order
        ``virial``    float64, shape (6,), kJ/mol: xx, yy, zz, xy, xz, yz

    Raises
    ------
    EngineError
        If the job cannot be read, or the energy is not finite.
    """

def doctor() -> dict[str, Any]:
    """Tell what this build was made of and what it found on this machine.

    Returns
    -------
    dict
        ``version``, ``compiler``, ``build_type``, ``simd_target``, ``simd_targets``, ``libraries``
        (dict of versions), ``cores``, ``hardware_threads``, ``numa_nodes``, ``memory_bytes``.
    """
