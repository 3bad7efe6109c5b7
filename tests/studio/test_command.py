"""``mbdgen studio`` as a process: it prints its address, answers, and ends when it is told to."""

import http.client
import os
import signal
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_a_studio_from_start_to_end(tmp_path: Path, end: signal.Signals) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "mbdgen", "studio", "bricard", "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        url = urlsplit(process.stdout.readline().partition(": ")[2].strip())
        assert url.hostname == "127.0.0.1" and url.fragment.startswith("token=")
        connection = http.client.HTTPConnection("127.0.0.1", url.port or 0, timeout=60)
        connection.request("GET", "/", headers={"Host": url.netloc})
        assert connection.getresponse().status == 200
        assert list(tmp_path.iterdir())
        process.send_signal(end)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0 and "Traceback" not in said, said
        assert list(tmp_path.iterdir()) == []
    finally:
        process.kill()
