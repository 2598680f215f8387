"""Each document of the course, for the tests that ask something of every one."""

import pytest

from tests.course.prose import documents


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "document" in metafunc.fixturenames:
        found = documents()
        metafunc.parametrize("document", found, ids=[each.name for each in found])
