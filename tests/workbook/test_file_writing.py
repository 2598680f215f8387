"""Writing a learner's files: permissions, links and backups stay."""

from pathlib import Path

from coursekit.workbook import file_writing


def test_an_overwritten_file_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    real = tmp_path / "real.py"
    real.write_bytes(b"old")
    real.chmod(0o640)
    link = tmp_path / "link.py"
    link.symlink_to(real)
    file_writing.write_atomically(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o640


def test_backups_never_replace_each_other(tmp_path: Path) -> None:
    path = tmp_path / "context.py"
    names = []
    for text in (b"one", b"two"):
        path.write_bytes(text)
        backup = file_writing.keep_backup(path)
        assert backup.read_bytes() == text
        names.append(backup.name)
    assert names == ["context.py.1.bak", "context.py.2.bak"]
