"""Beams in pictures: curves through nodes, sections as bodies, colours, pages, a browser."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mbdgen import Model, Result, load, material, rectangle, simulate
from mbdgen.runtime.results.beam_results import LineMotion, StoredLines
from mbdgen.view.animation_frames import frames_of
from mbdgen.view.animation_page import page, save_page
from mbdgen.view.extent import extent_of
from mbdgen.view.palette import STRAINS, strain_colour
from tests.browser import Tab, browser
from tests.frames_of_beams import frame_of
from tests.quickest import quickest
from tests.sample_motion import result_of
from tests.view.test_animation_page import data_of
from tests.view.test_browser import DRAWN

pytest.importorskip("matplotlib")
RADIUS, HEIGHT = 2.0, 0.1


def arcs(elements: int = 4, instants: int = 5) -> Result:
    """A beam of length one that becomes a part of a circle, with a ball on its end."""
    t = np.linspace(0.0, 1.0, instants)
    starts = np.arange(elements)[:, None] / elements
    s = starts + np.array([0.0, 0.5, 1.0]) / elements
    curvature = np.maximum(t / RADIUS, 1e-9)[:, None, None]
    angle = curvature * s
    c, n, zero = np.cos(angle), np.sin(angle), 0 * angle
    r = [n / curvature, (1 - c) / curvature, zero]
    bent = curvature + zero
    vectors = {"r": r, "slope": [c, n, zero], "e1": [c, n, zero], "e2": [-n, c, zero]}
    names = [f"{name}.{x}" for name in vectors for x in "xyz"]
    values = [x for parts in vectors.values() for x in parts]
    names += ["stretch", "curvature", "energy"]
    line = LineMotion(
        tuple(names),
        ("",) * len(names),
        np.full(elements, 1 / elements),
        np.array([0.0, 0.5, 1.0]),
        np.array([*values, zero, bent, zero]),
    )
    bodies = tuple(f"b{k}" for k in range(elements))
    rows = [
        ("beam", "blade", bodies, "", (HEIGHT, 0.05, HEIGHT * 0.05)),
        ("sphere", "", (bodies[-1],), "", (1 / elements, 0.0, 0.0, 0.02)),
        ("point", "tip", (bodies[-1],), "", (1 / elements, 0.0, 0.0)),
    ]
    where = np.zeros((instants, elements, 3))
    R = np.broadcast_to(np.eye(3), (instants, elements, 3, 3))
    made = result_of(t, where, R, rows, {"tip.x": r[0][:, -1, -1]})
    return replace(made, lines=StoredLines({"blade": line}, np.zeros(instants)))


def test_curves_go_through_the_circle() -> None:
    """Hermite's cubics of a quarter of the length: an error of ``l^4 |r_xxxx| / 384``."""
    frames = frames_of(arcs())
    (line,) = frames.lines
    points = line.curve(np.linspace(0.0, 1.0, 9))[-1].reshape(-1, 3)
    distance = np.linalg.norm(points - [0, RADIUS, 0], axis=1)
    assert np.abs(distance - RADIUS).max() < 1.01 * 0.25**4 / RADIUS**3 / 384
    assert line.shade(np.array([0.3]))[-1] == pytest.approx(HEIGHT / 2 / RADIUS)
    assert frames.most_strain == pytest.approx(HEIGHT / 2 / RADIUS)
    assert line.knots.max() == 4  # neighbours have a node in common


def test_what_is_attached_stands_on_a_section() -> None:
    frames = frames_of(arcs())
    assert frames.owners == ("blade",)
    angle = 1.0 / RADIUS
    np.testing.assert_allclose(
        frames.r[-1, 0], RADIUS * np.array([np.sin(angle), 1 - np.cos(angle), 0]), atol=1e-12
    )
    np.testing.assert_allclose(frames.R[-1, 0, :2, 0], [np.cos(angle), np.sin(angle)], atol=1e-12)
    extent = extent_of(frames)
    assert extent.plane and extent.size == pytest.approx(1.0, abs=0.2)


def test_colours() -> None:
    assert strain_colour(0.0) == STRAINS[0] and strain_colour(1.0) == STRAINS[-1]
    assert strain_colour(2.0) == STRAINS[-1] and strain_colour(0.5) not in STRAINS


def test_size_of_a_page() -> None:
    """100 elements at 1000 instants: what a browser loads in a moment."""
    text = page(arcs(100, 1000))
    assert len(text) < 4_000_000
    (beam,) = data_of(text)["beams"]
    assert len(json.dumps(beam["knots"])) < 2000 and beam["axes"] is None


def test_pictures(tmp_path: Path) -> None:
    from PIL import Image

    animation = arcs().animate()
    animation.save(tmp_path / "beam.png")
    animation.save(tmp_path / "beam.gif", fps=4)
    with Image.open(tmp_path / "beam.png") as picture:
        colours = {colour[:3] for _, colour in picture.getcolors(1 << 20)}
    assert len(colours) > 100  # shades, and the bar


@pytest.mark.representatives(id="mean")
@pytest.mark.parametrize("frame", ["chord", "mean"])
def test_floating_beams_are_drawn_where_their_places_are(frame: str) -> None:
    """Cubics through eight knots; the strain is that of the half sine of a pinned beam."""
    model, mass, size = Model("lying", gravity=(0, 0)), 0.8, 0.04
    beam = model.floating_beam(
        "rod", [(0.2, 0.1), (0.8, 0.9)], rectangle(size, 0.02), material(1e9, mass / (size * 0.02)),
        frame=frame, modes=(1, 1), stiffened=True, amplitudes=(0.02, 0.0),
    )  # fmt: skip
    for k, share in enumerate((0.0, 0.43, 1.0)):
        model.output(f"p{k}", beam.at(share * beam.length))
    result = simulate(load(model, backend=quickest(), layout="loop"), (0, 0))
    frames = frames_of(result)
    (line,) = frames.lines
    for k, share in enumerate((0.0, 0.43, 1.0)):
        place, axes = line.section("rod", np.array([share - 0.5, 0.0, 0.0]))
        np.testing.assert_allclose(place, result[f"p{k}"], atol=2e-6)
        assert abs(axes[0] @ axes[0].T - np.eye(3)).max() < 1e-12
    if frame == "chord":
        bent = 0.02 / np.sqrt(mass) * np.sqrt(2) * np.pi**2 * size / 2
        assert line.strain.max() == pytest.approx(bent, rel=1e-6)
    assert set(frames.owners) == {"rod"}


@pytest.mark.slow
def test_floating_beams_in_space_are_drawn_where_their_places_are() -> None:
    """Places and axes at knots; the strain at the clamp is that of both bendings and of stretch."""
    model = Model("lying", gravity=(0, 0, 0))
    beam = model.floating_beam(
        "rod", [(0.2, 0.1, 0), (0.8, 0.9, 0.3)], rectangle(0.04, 0.02), material(1e9, 1000),
        modes=(2, 1, 1, 1), stiffened=True, amplitudes=(0.02, -0.01, 0.015, 1e-3, 1e-3),
    )  # fmt: skip
    for k, share in enumerate((0.0, 4 / 9, 1.0)):
        place = beam.at(share * beam.length)
        for name, value in (("p", place), ("e1", place.e1), ("e2", place.e2)):
            model.output(f"{name}_{k}", value)
    result = simulate(load(model, backend=quickest(), layout="loop"), (0, 0))
    (line,) = frames_of(result).lines
    for k, share in enumerate((0.0, 4 / 9, 1.0)):
        place, axes = line.section("rod", np.array([(share - 0.5) * beam.length, 0.0, 0.0]))
        np.testing.assert_allclose(place, result[f"p_{k}"], atol=2e-6)
        np.testing.assert_allclose(axes[:, :, 0], result[f"e1_{k}"], atol=1e-12)
        np.testing.assert_allclose(axes[:, :, 1], result[f"e2_{k}"], atol=1e-12)
    root, size = np.sqrt(float(beam.mass)), beam.length
    # Beam functions of square 1 have the curvature 2 k^2 at the clamp.
    y, z = 0.02 * 1.8751040687**2 - 0.01 * 4.6940911330**2, 0.015 * 1.8751040687**2
    bent = 2 * (0.02 * abs(y) + 0.01 * abs(z)) / (root * size**2)
    stretched = 1e-3 * np.sqrt(2) * np.pi / 2 / (root * size)
    assert line.strain[0, 0] == pytest.approx(bent + stretched, rel=1e-6)


@pytest.mark.slow
def test_bodies_by_matrices_are_wires_through_their_places() -> None:
    """Two tubes at a right angle, bent by their first modes; joints stand on turned places."""
    nodes = np.array([[0, 0, 0], [0.5, 0, 0], [1.0, 0, 0], [1.0, 0.5, 0]])
    size = {"area": 1e-3, "iz": 2e-7, "iy": 2e-7, "torsion": 4e-7, "young": 2e9, "density": 1e3}
    mass, stiffness = frame_of(nodes, [(0, 1), (1, 2), (2, 3)], **size)
    model = Model("bent", gravity=(0, 0, 0))
    body = model.flexible_body(
        "part", mass=mass, stiffness=stiffness, nodes=nodes, interface={"foot": 0, "tip": 3},
        frame="foot", modes=0, highest=12.0, amplitudes=[0.03, 0.02], position=(0.3, 0.2, 0.1),
    )  # fmt: skip
    tip = body.node("tip")
    model.output("tip", tip)
    model.output("axis", tip.e1)
    result = simulate(load(model, backend=quickest(), layout="loop"), (0, 0))
    frames = frames_of(result)
    (line,) = frames.lines
    place = nodes[3] - body.structure.centre
    point, axes = line.section("part", place)
    np.testing.assert_allclose(point, result["tip"], atol=1e-12)
    np.testing.assert_allclose(axes[:, :, 0], result["axis"], atol=1e-12)
    assert np.linalg.norm(point[0] - [1.3, 0.7, 0.1]) > 0.01
    assert len(line.lengths) == 3 and not line.strained and frames.most_strain == 0
    curve = line.curve(np.array([0.0, 1.0]))[0]
    np.testing.assert_allclose(curve[:-1, 1], curve[1:, 0], atol=1e-12)  # wires meet at nodes
    assert abs(np.sum(line.e1 * line.e2, axis=-1)).max() < 1e-12


@pytest.fixture(scope="module")
def tab() -> Iterator[Tab]:
    with browser() as found:
        yield found


@pytest.mark.slow
def test_a_browser_draws_them(tab: Tab, tmp_path: Path) -> None:
    save_page(arcs(100, 1000), tmp_path / "page.html")
    tab.open(tmp_path / "page.html")
    tab.run("animation.play(false), animation.seek(1)")
    tab.pictures()
    assert tab.run("!document.getElementById('strain').hidden")
    assert tab.run("document.getElementById('most').textContent") == "0.025"
    shown = tab.run(DRAWN)
    # The tip, from the vertices: the last ring but the caps.
    middle = tab.run(
        "(() => { const b = animation.scene.beams[0].move(animation.scene.pose(1));"
        "const n = b.rim.points.length, at = 9 * n * (b.rings - 1), sum = [0, 0];"
        "for (let k = 0; k < n; k++) for (const j of [0, 1]) sum[j] += b.vertices[at + 9 * k + j];"
        "return sum.map((x) => x / n); })()"
    )
    angle = 1.0 / RADIUS
    assert middle == pytest.approx([RADIUS * np.sin(angle), RADIUS * (1 - np.cos(angle))], abs=1e-5)
    tab.run(
        "[...document.querySelectorAll('#layers input, #bodies input')].forEach(b => b.click())"
    )
    tab.pictures()
    assert tab.run("document.getElementById('strain').hidden")
    assert tab.run(DRAWN) < shown
    assert tab.errors == []
