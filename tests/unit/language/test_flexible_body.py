"""Flexible bodies by their matrices: files, reduction, and everything that does not fit."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmwrite
from scipy.linalg import eigh

from mbdgen import Model
from mbdgen.errors import ModelError
from mbdgen.language.flexible.flexible_body import FlexibleBody
from mbdgen.modal.craig_bampton import interface, normal_modes
from mbdgen.modal.second_order_drawing import drawn
from mbdgen.modal.structure import Structure, structure
from tests.frames_of_beams import frame_of
from tests.unit.errors.refused import refused

D = 0.02
SIZE = {
    "area": np.pi * D**2 / 4,
    "iz": np.pi * D**4 / 64,
    "iy": np.pi * D**4 / 64,
    "torsion": np.pi * D**4 / 32,
    "young": 7e10,
    "density": 2700.0,
}
NODES = np.array(
    [[0, 0, 0], [0.25, 0, 0], [0.5, 0, 0], [0.75, 0, 0], [0.75, 0.2, 0], [0.75, 0.4, 0],
     [0.75, 0.4, 0.25]]
)  # fmt: skip
MASS, STIFFNESS = frame_of(NODES, [(k, k + 1) for k in range(6)], **SIZE)
# The scale of small eigenvalues that a dense solver finds for rigid motions is round-off.
FULL = np.sqrt(np.abs(eigh(STIFFNESS, MASS, eigvals_only=True)))[6:] / (2 * np.pi)


def body(**change: Any) -> FlexibleBody:
    given = {"mass": MASS, "stiffness": STIFFNESS, "nodes": NODES, "interface": [0, 6]}
    return Model("one").flexible_body("part", **{**given, **change})


def test_all_modes_are_those_of_the_full_structure() -> None:
    assert np.allclose(body(modes=30, highest=2000.0).frequencies, FULL[FULL < 2000.0], rtol=1e-7)


def test_reduction_converges_from_above() -> None:
    """Ritz: each frequency falls towards the full one when shapes are added; bounds measured."""
    before = np.full(6, np.inf)
    for inner, tolerance in ((0, 2.0), (4, 0.8), (12, 2e-3), (20, 2e-5)):
        found = body(modes=inner, highest=1e9).frequencies[:6]
        assert (found >= FULL[:6] * (1 - 1e-9)).all() and (found <= before * (1 + 1e-9)).all()
        assert np.abs(found / FULL[:6] - 1).max() < tolerance
        before = found


def test_sparse_solver_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [body(modes=8).frequencies, body(modes=8, interface=[]).frequencies]
    monkeypatch.setattr("mbdgen.modal.craig_bampton.DENSE", 0)
    assert np.allclose(body(modes=8).frequencies, expected[0], rtol=1e-9)
    assert np.allclose(body(modes=8, interface=[]).frequencies, expected[1], rtol=1e-6)
    assert np.allclose(expected[1], FULL[:8], rtol=1e-7)


def test_mass_and_centre_are_those_of_the_bars() -> None:
    lengths, middles = (
        np.array([0.75, 0.4, 0.25]),
        np.array([[0.375, 0, 0], [0.75, 0.2, 0], [0.75, 0.4, 0.125]]),
    )
    part = body().structure
    assert np.isclose(part.weight, 2700.0 * SIZE["area"] * lengths.sum(), rtol=1e-12)
    assert np.allclose(part.centre, lengths @ middles / lengths.sum(), atol=1e-12)


def test_central_modes_carry_no_momentum() -> None:
    part = structure(MASS, STIFFNESS, NODES, "it")
    shapes = normal_modes(part, interface(part, (np.array([0]),)), 6, None, np.inf, "it").shapes
    momenta = MASS @ shapes
    assert np.abs(part.translations().T @ momenta).max() < 1e-8
    assert np.abs(part.rotations().T @ momenta).max() < 1e-8
    assert np.allclose(shapes.T @ momenta, np.eye(shapes.shape[1]), atol=1e-8)


def test_tied_nodes_move_as_one() -> None:
    """Three nodes tied together: what each does follows from the frame of the three."""
    part = structure(MASS, STIFFNESS, NODES, "it")
    group = np.array([4, 5, 6])
    at = interface(part, (group, np.array([0])))
    found = normal_modes(part, at, 3, None, np.inf, "it")
    moved = found.shapes.reshape(len(NODES), 6, -1)
    arms = NODES[group] - NODES[group].mean(axis=0)
    u, turn = found.at_interface[0, :3], found.at_interface[0, 3:]
    for node, arm in zip(group, arms, strict=True):
        assert np.allclose(moved[node, :3], u + np.cross(turn, arm, axis=0), atol=1e-9)
        assert np.allclose(moved[node, 3:], turn, atol=1e-9)


def test_files(tmp_path: Path) -> None:
    np.save(tmp_path / "mass.npy", MASS)
    np.savez(tmp_path / "both.npz", mass=MASS, stiffness=STIFFNESS, nodes=NODES)
    sparse.save_npz(tmp_path / "stiffness.npz", sparse.csr_matrix(STIFFNESS))
    mmwrite(tmp_path / "mass.mtx", sparse.coo_matrix(MASS), symmetry="symmetric", precision=16)
    mmwrite(tmp_path / "stiffness.mtx", STIFFNESS, precision=16)
    np.savez(tmp_path / "nodes.npz", NODES)
    expected = body().frequencies
    for mass, stiffness, nodes in (
        ("mass.npy", "stiffness.npz", "nodes.npz"),
        ("both.npz", "both.npz", "both.npz"),
        ("mass.mtx", "stiffness.mtx", "both.npz"),
    ):
        part = body(
            mass=tmp_path / mass, stiffness=str(tmp_path / stiffness), nodes=tmp_path / nodes
        )
        assert np.allclose(part.frequencies, expected, rtol=1e-7)


def test_wrong_files(tmp_path: Path) -> None:
    (tmp_path / "text.npy").write_text("no array")
    (tmp_path / "text.npz").write_text("no array")
    (tmp_path / "broken.mtx").write_text("%%MatrixMarket matrix array real\n1 2 3\n")
    (tmp_path / "broken.npz").write_bytes(b"PK no archive")
    np.savez(tmp_path / "others.npz", a=MASS, b=MASS)
    np.save(tmp_path / "cube.npy", np.zeros((2, 2, 2)))
    np.save(tmp_path / "words.npy", np.array([["a", "b"]]))
    np.save(tmp_path / "objects.npy", np.array([[None]]), allow_pickle=True)
    cases = {
        "none.npy": "no file",
        "text.npy": "cannot be read",
        "text.npz": "cannot be read",
        "broken.mtx": "cannot be read",
        "broken.npz": "cannot be read",
        "objects.npy": "cannot be read",
        "others.npz": "no array 'mass'",
        "mass.txt": "format",
        "cube.npy": "3 dimensions",
        "words.npy": "type",
    }
    for name, word in cases.items():
        with refused("flexible body 'part'", word):
            body(mass=tmp_path / name)


WRONG: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "sizes": ({"mass": MASS[:-6, :-6]}, ("36 x 36", "42 x 42")),
    "nodes": ({"nodes": NODES[:-1]}, ("42 rows", "6 nodes")),
    "flat nodes": ({"nodes": NODES[:, :2]}, ("(7, 2)",)),
    "not symmetric": ({"stiffness": np.triu(STIFFNESS)}, ("stiffness", "symmetric")),
    "not finite": ({"mass": MASS * np.nan}, ("mass", "finite")),
    "supported": ({"stiffness": STIFFNESS + np.diag([1e9] + 41 * [0.0])}, ("node 0", "resists")),
    "unequal mass": ({"mass": MASS + np.diag([1.0] + 41 * [0.0])}, ("weighs",)),
    "no mass": ({"mass": 0 * MASS}, ("weighs",)),
    "interface": ({"interface": [0, 7]}, ("node 7",)),
    "interface twice": ({"interface": [0, (0, 1)]}, ("twice",)),
    "interface text": ({"interface": "tip"}, ("interface",)),
    "frame": ({"frame": "tip"}, ("'tip'",)),
    "modes": ({"modes": -1}, ("modes", "-1")),
    "too many": ({"modes": 30, "highest": 1e12}, ("36 modes",)),
    "more than there are": ({"modes": 300}, ("30 vibrations", "not 300")),
    "more of a free body": ({"modes": 300, "interface": []}, ("36 vibrations", "not 300")),
    "no order": ({"stiffened": [0, 1, 2]}, ("[0, 1, 2]", "7 nodes")),
    "order twice": ({"stiffened": [0, 1, 2, 3, 4, 5, 5]}, ("7 nodes",)),
    "tied and stiffened": ({"stiffened": range(7), "interface": [0, (5, 6)]}, ("ties",)),
    "none left": ({"highest": 0.01}, ("0 modes",)),
    "highest": ({"highest": -1}, ("-1",)),
    "damping": ({"damping": [0.1]}, ("1 damping ratios",)),
    "negative damping": ({"damping": -0.1}, ("-0.1",)),
    "amplitudes": ({"amplitudes": [1.0]}, ("amplitudes",)),
    "inertia": ({"inertia": (1, 1, 1)}, ("inertia",)),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_fit_is_refused(name: str) -> None:
    change, words = WRONG[name]
    with refused("flexible", "'part'", *words):
        body(**change)


def test_an_interface_that_does_not_hold_the_body_is_refused() -> None:
    nodes, mass, stiffness = tetrahedron()
    with refused("flexible body 'part'", "hold"):
        body(mass=mass, stiffness=stiffness, nodes=nodes, interface=[0, 1])


def test_a_frame_needs_a_place_that_turns() -> None:
    nodes, mass, stiffness = tetrahedron()
    with refused("flexible body 'part'", "node 0"):
        body(mass=mass, stiffness=stiffness, nodes=nodes, interface=[0, 1, 2], frame=0)


def test_unknown_nodes_of_the_interface_are_refused() -> None:
    with refused("'part'", "'tip'"):
        body().node("tip")


def tetrahedron() -> tuple[Any, Any, Any]:
    """Five point masses and springs between all of them: nodes without turns."""
    nodes = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.3, 0.3, 0.4]], float)
    stiffness = np.zeros((15, 15))
    for i in range(5):
        for j in range(i):
            e = nodes[i] - nodes[j]
            e /= np.linalg.norm(e)
            row = np.zeros(15)
            row[3 * i : 3 * i + 3], row[3 * j : 3 * j + 3] = e, -e
            stiffness += 900.0 * np.outer(row, row)
    return nodes, np.diag(np.repeat([1.0, 2.0, 1.5, 0.7, 1.2], 3)), stiffness


def test_a_tie_of_nodes_on_one_line() -> None:
    """Nodes without turns do not say how a line of them is turned about itself."""
    nodes = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 1]], float)
    part = structure(np.eye(15), np.zeros((15, 15)), nodes, "part")
    for line in ([0, 1], [0, 1, 2]):
        with pytest.raises(ModelError, match="on one line"):
            interface(part, (np.array(line),), "part")
    assert interface(part, (np.array([0, 1, 3]),), "part").map.shape == (15, 12)


@pytest.mark.parametrize("turns", [True, False])
def test_bending_draws_a_line_together(turns: bool) -> None:
    """A parabola w = x^2 and a straight line w = x, across each other in part, at unequal nodes."""
    x = np.array([0.0, 0.2, 0.5, 0.6, 1.0])
    size = 6 if turns else 3
    shapes = np.zeros((len(x), size, 2))
    shapes[:, 1, 0], shapes[:, 1, 1], shapes[:, 2, 1] = x**2, 3 * x, 5 * x
    if turns:
        shapes[:, 5, 0], shapes[:, 5, 1], shapes[:, 4, 1] = 2 * x, 3.0, -5.0
    nodes = np.column_stack([x, 0 * x, 0 * x])
    line = Structure(None, None, nodes, size, 1.0, nodes[0], np.eye(3))
    b = drawn(line, shapes.reshape(-1, 2), range(5))
    assert not b[..., 1:].any()
    chords = np.append(0.0, np.cumsum(np.diff(x**2) ** 2 / np.diff(x)))
    np.testing.assert_allclose(b[0, 0, :, 0], -4 / 3 * x**3 if turns else -chords, atol=1e-14)
    np.testing.assert_allclose(b[0, 1, :, 0], -3 * x**2, atol=1e-14)
    np.testing.assert_allclose(b[1, 1, :, 0], -34 * x, atol=1e-13)
