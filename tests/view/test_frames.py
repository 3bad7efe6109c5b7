"""What pages and pictures are made from: poses at few instants, series, extents."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from mbdgen.errors import OptionError
from mbdgen.view.animation_frames import MOST_FRAMES, chosen, frames_of, quaternions
from mbdgen.view.extent import extent_of
from mbdgen.view.plot_series import MOST_SAMPLES, thinned
from tests.sample_motion import DOWN, about_z, many, result_of, wheel
from tests.sample_result import make


def test_quaternions_are_those_of_scipy_and_continuous() -> None:
    # Three turns about an axis in space pass every case of the formula.
    axis = np.array([1.0, -2.0, 0.5]) / np.linalg.norm([1.0, -2.0, 0.5])
    angles = np.linspace(0.0, 6 * np.pi, 400)
    turns = Rotation.from_rotvec(angles[:, None] * axis)
    found = quaternions(turns.as_matrix()[:, None])[:, 0]
    theirs = turns.as_quat()[:, [3, 0, 1, 2]]
    assert np.abs(np.abs(np.sum(found * theirs, axis=1)) - 1.0).max() < 1e-14
    assert np.linalg.norm(np.diff(found, axis=0), axis=1).max() < 0.03  # half of the angle's step


def test_half_turns_about_all_axes() -> None:
    for axis in np.eye(3):
        R = Rotation.from_rotvec(np.pi * axis).as_matrix()[None, None]
        assert np.abs(quaternions(R)[0, 0, 1:]) == pytest.approx(axis, abs=1e-15)


def test_chosen_instants_are_spread_and_have_the_ends() -> None:
    t = np.concatenate([np.linspace(0, 1, 9000), np.linspace(1, 10, 1000)[1:]])  # dense at first
    rows = chosen(t, 500)
    assert len(rows) <= 500 and rows[0] == 0 and rows[-1] == len(t) - 1
    assert np.diff(t[rows]).max() < 2 * 10 / 499 + 9 / 999
    assert chosen(t[::-1], 500)[-1] == len(t) - 1  # a motion backwards
    assert (chosen(t[:100], 500) == np.arange(100)).all()


def test_a_long_result_is_a_page_of_few_frames() -> None:
    frames = frames_of(many(10_000))
    assert len(frames.t) == MOST_FRAMES
    assert len(frames_of(many(1000, bodies=300)).t) == 500  # a budget of numbers


def test_series_keep_their_peaks() -> None:
    t = np.linspace(0.0, 1.0, 50_000)
    values = np.sin(50 * t)[None].repeat(2, axis=0)
    values[0, 31_234], values[1, 777] = 9.0, -7.0  # one sample each
    instants, kept = thinned(t, values)
    assert len(instants) <= MOST_SAMPLES and kept.shape == (2, len(instants))
    assert kept[0].max() == 9.0 and kept[1].min() == -7.0
    assert abs(instants[np.argmax(kept[0])] - t[31_234]) < 2 / MOST_SAMPLES
    assert (instants[0], instants[-1]) == (0.0, 1.0) and (np.diff(instants) > 0).all()
    assert kept[0, -1] == values[0, -1]


def test_points_turn_with_their_body() -> None:
    result = wheel()
    tip = frames_of(result).points("b0", np.array([[1.0, 0.0, 0.0]]))[:, 0]
    assert np.abs(tip - result["tip"]).max() < 1e-15


def test_motion_in_the_plane_is_recognised() -> None:
    flat = wheel()
    assert flat.scene is not None
    in_plane = [row for row in flat.scene.rows() if row[0] != "gravity"]
    down_y = ("gravity", "", (), "", (0.0, -9.81, 0.0))
    t, motion = flat.t, flat.bodies
    assert extent_of(frames_of(result_of(t, motion.r, motion.R, [down_y, *in_plane]))).plane
    assert not extent_of(frames_of(flat)).plane  # gravity along z: seen from a corner
    tilted = motion.R @ Rotation.from_rotvec([0.1, 0, 0]).as_matrix()
    assert not extent_of(frames_of(result_of(t, motion.r, tilted, [down_y, *in_plane]))).plane


def test_extent_is_that_of_the_whole_motion() -> None:
    extent = extent_of(frames_of(wheel(201)))
    # The tip passes the ends of the axes at recorded instants.
    assert extent.low == pytest.approx([-1, -1, 0], abs=1e-3)
    assert extent.high == pytest.approx([1, 1, 0], abs=1e-3)
    assert extent.up == pytest.approx([0, 0, 1]) and not extent.travels


def test_what_goes_far_is_followed() -> None:
    n = 100
    t = np.linspace(0, 10, n)
    r = np.zeros((n, 1, 3))
    r[:, 0, 0] = 50 * t
    rows = [DOWN, ("sphere", "b0", ("b0",), "", (0.0, 0.0, 0.0, 0.5))]
    extent = extent_of(frames_of(result_of(t, r, about_z(0 * t)[:, None], rows)))
    assert extent.travels and extent.size == pytest.approx(np.sqrt(3), rel=1e-6)
    limits = ("limits", "", (), "", (-1.0, 2.0, -3.0, 4.0, 0.0, 6.0))
    given = extent_of(frames_of(result_of(t, r, about_z(0 * t)[:, None], [*rows, limits])))
    assert not given.travels and given.low.tolist() == [-1, -3, 0]
    assert given.high.tolist() == [2, 4, 6]


def test_a_result_without_bodies_is_refused() -> None:
    with pytest.raises(OptionError, match="nothing to draw"):
        frames_of(make())
