"""The few modules of kss that decide where a sentence ends, loaded once more for this package.

`import kss` runs a package initialiser that loads every feature of kss (speech, toxicity, key
words, a second analyser): 6 s and 344 MB. The sentence rules live in a dozen small modules that
need none of it. They are loaded here from the installed kss, under a stand-in parent
package, in 0.03 s and a few MB, and then taken out of `sys.modules` again. Two promises follow:

- an `import kss` elsewhere in the process gets the genuine package, whole;
- the class-level state of these modules (a dict of URLs, caches) is ours alone.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from pipeline.core.errors import MissingDependencyError
from pipeline.core.extras import install_command


def load_parts() -> SimpleNamespace:
    """Load kss's sentence rules and the mecab tagger, without running kss's package initialiser.

    Returns the classes and tables of kss that are used here, and the analyser that they fit.

    Raises:
        MissingDependencyError: kss, python-mecab-ko or its dictionary is not installed. There is
            no second analyser to fall back to: pecab cuts sentences elsewhere.
    """
    tagger, lattice = _load_mecab()
    outside = _take_kss_modules()
    try:
        sys.modules["kss"] = _stand_in_package()
        return _collect(tagger, lattice)
    finally:
        _take_kss_modules()
        sys.modules.update(outside)


def _load_mecab() -> tuple[Any, Any]:
    try:
        from mecab import MeCab
        from mecab.utils import create_lattice

        return MeCab()._tagger, create_lattice
    except MemoryError:
        raise
    except (
        Exception
    ) as error:  # a missing wheel, a missing dictionary and a broken one look all different
        raise MissingDependencyError(
            "python-mecab-ko with its dictionary", install_command()
        ) from error


def _take_kss_modules() -> dict[str, ModuleType]:
    loaded = sys.modules.copy()  # other threads may be importing
    names = [name for name in loaded if name == "kss" or name.startswith("kss.")]
    return {name: sys.modules.pop(name) for name in names}


def _stand_in_package() -> ModuleType:
    spec = importlib.util.find_spec("kss")
    if spec is None or spec.submodule_search_locations is None:
        raise MissingDependencyError("kss", install_command())
    package = ModuleType("kss")
    package.__path__ = list(spec.submodule_search_locations)
    return package


def _collect(tagger: Any, lattice: Any) -> SimpleNamespace:
    load, sentences = importlib.import_module, "kss._modules.sentences."
    return SimpleNamespace(
        Empty=load("kss._elements.empty").Empty,
        Syllable=load("kss._elements.subclasses").Syllable,
        SentenceSplitter=load(sentences + "sentence_splitter").SentenceSplitter,
        EmbracingProcessor=load(sentences + "embracing_processor").EmbracingProcessor,
        SentencePreprocessor=load(sentences + "sentence_preprocessor").SentencePreprocessor,
        SentencePostprocessor=load(sentences + "sentence_postprocessor").SentencePostprocessor,
        const=load("kss._utils.const"),
        tagger=tagger,
        lattice=lattice,
    )
