"""Write ``performance.md`` and ``performance.png`` from ``performance.json``.

``python docs/scripts/performance.py --measure [options of mbdgen bench]`` measures first.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
DATA = DOCS / "scripts" / "performance.json"
PAGE, PICTURE = DOCS / "performance.md", DOCS / "pictures" / "performance.png"
HEAD = """# Performance

Work against precision on standard problems, measured in one run beside Exudyn, written from
[performance.json](scripts/performance.json) by `python docs/scripts/performance.py`.

**To reproduce it.** `python -m pip install ".[bench]"` and a C compiler, then on an idle machine
`python docs/scripts/performance.py --measure`: it runs `mbdgen bench --peer exudyn --json
docs/scripts/performance.json` (options of `mbdgen bench`, such as `--repeat 5` or
`--problem A02`, may follow `--measure`) and writes this page and its picture.

**Protocol.** {protocol}
Best of {repeat}. What a program does once before it steps (the CPU time of a run of one step) is
not part of the solve. Machine: {cpu}, {cores} cores,
Python {python}, load {load:.1f} at the end of the measurement.

Both programs run every step size and setting of the JSON file; a problem counts as solved when the
error is within its limit, and the cheapest solved run of each is compared. Exudyn also runs models
in coordinates of its own (kinematic tree, Lie group) where it has them.

"""


def read() -> dict[str, Any]:
    return dict(json.loads(DATA.read_text("utf-8")))


def page(data: dict[str, Any]) -> str:
    machine = data["machine"]
    facts = {key: data[key] for key in ("protocol", "repeat")}
    text = HEAD.format(**facts, **machine)
    text += (
        "| problem | error below | ratio | mbdgen | ms | Exudyn | ms |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
    )
    for r in data["rows"]:
        if r["kind"] == "ratio":
            text += (
                f"| {r['problem']} | {r['limit']:.0e} | {r['ratio']:.1f} | {r['ours']} "
                f"| {1e3 * r['our_cpu_s']:.3f} "
            )
            text += f"| {r['theirs']} | {1e3 * r['their_cpu_s']:.3f} |\n"
    return text + "\n![Error against CPU time](pictures/performance.png)\n"


def draw(data: dict[str, Any]) -> None:
    from matplotlib.figure import Figure

    rows = [r for r in data["rows"] if r["kind"] == "measurement" and r["error"]]
    names = list(dict.fromkeys(r["problem"] for r in rows))
    lines = -(-len(names) // 3)
    figure = Figure(figsize=(12, 3.2 * lines), layout="constrained")
    for k, name in enumerate(names):
        axes = figure.add_subplot(lines, 3, k + 1)
        for mine, mark in ((True, "o"), (False, "x")):
            chosen = [
                r for r in rows if r["problem"] == name and (r["program"] == "mbdgen") is mine
            ]
            cpu, error = [r["cpu_s"] for r in chosen], [r["error"] for r in chosen]
            axes.loglog(cpu, error, mark, label="mbdgen" if mine else "Exudyn")
        axes.axhline(next(r["limit"] for r in rows if r["problem"] == name), color="grey", lw=0.8)
        axes.set(title=name, xlabel="CPU time of the solve / s", ylabel="error")
        axes.legend(fontsize="small")
    figure.savefig(PICTURE, dpi=80)


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--measure"]:
        command = [sys.executable, "-m", "mbdgen", "bench", "--peer", "exudyn"]
        subprocess.run([*command, "--json", str(DATA), *arguments[1:]], check=True)
    data = read()
    PAGE.write_text(page(data), "utf-8")
    draw(data)


if __name__ == "__main__":
    main(sys.argv[1:])
