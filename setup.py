"""Puts copies of the folders of shipped files into the wheel, as pipeline/shipped."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

#: What tests and runs write below data/, which is not shipped.
_WRITTEN = ("work", "releases", "runs")


class BuildWithFiles(build_py):
    """Builds the packages, then copies the files beside them."""

    def run(self) -> None:
        """Copy data/ and annotation_specs/ next to the modules that read them."""
        super().run()
        if self.editable_mode:
            return
        shipped = Path(self.build_lib) / "pipeline" / "shipped"
        shutil.rmtree(shipped, ignore_errors=True)
        shutil.copytree("annotation_specs", shipped / "annotation_specs")
        shutil.copytree("data", shipped / "data", ignore=shutil.ignore_patterns(*_WRITTEN))


setup(cmdclass={"build_py": BuildWithFiles})
