"""Extent of a scene: bounding box, vertical direction and motion in the plane, for the camera."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from mbdgen.runtime.results.scene_figures import Figure
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.view.animation_frames import Frames

SAMPLES = 300
PLANE = 1e-6
CURVE = np.linspace(0.0, 1.0, 5)
"""Sampling points of every element of a beam."""
THIN = 0.15
"""Largest thickness of a planar mechanism relative to its size."""
FAR = 8.0
"""Horizontal motion, in sizes of the mechanism, beyond which the camera follows it."""
DIRECTIONS = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1, keepdims=True)
"""Faces, edges and corners of a cube: the hull of a motion is sampled in these directions."""
SMALL = 0.12
"""Smallest size of a mechanism relative to the whole scene for which symbols are scaled by it."""


@dataclass(frozen=True, eq=False)
class Extent:
    """Size and position of a scene.

    Attributes
    ----------
    up : array
        Vertical direction: against gravity, or z.
    plane : bool
        Whether the motion is planar, to be viewed along z.
    low, high : array
        Corners of the bounding box of the whole motion.
    corners : array
        Points that a picture of the whole motion must show.
    nearby : array
        Those of the first instant.
    size : float
        Size of the mechanism, which scales the symbols.
    travels : bool
        Whether the mechanism moves far away from its initial position.
    """

    up: FloatArray
    plane: bool
    low: FloatArray
    high: FloatArray
    corners: FloatArray
    nearby: FloatArray
    size: float
    travels: bool


def extent_of(frames: Frames) -> Extent:
    """Return the extent of a scene over its motion."""
    some = frames.some(SAMPLES)
    ends = _ends(some)  # instants, directions, 3
    low, high = ends.min(axis=1), ends.max(axis=1)
    instant = float(np.median(np.linalg.norm(high - low, axis=1)))
    hull = _outermost(ends.reshape(-1, 3))
    limits = frames.scene.of("limits")
    if limits:
        hull = _box(limits[0].numbers[::2], limits[0].numbers[1::2])
    if not np.ptp(hull, axis=0).any():
        hull = _box(hull[0] - 0.5, hull[0] + 0.5)
    all_low, all_high = hull.min(axis=0), hull.max(axis=0)
    whole = float(np.linalg.norm(all_high - all_low))
    plane = _in_plane(some, float(all_high[2] - all_low[2]), whole)
    up = _up(frames, plane)
    moving = _centres(some)
    way = np.ptp(moving.mean(axis=1), axis=0) if moving.size else np.zeros(3)
    way = way - up * (way @ up)
    travels = not limits and bool(np.linalg.norm(way) > FAR * instant > 0.0)
    size = instant if travels else max(instant, SMALL * whole)
    return Extent(up, plane, all_low, all_high, hull, _outermost(ends[0]), size, travels)


def _box(low: FloatArray, high: FloatArray) -> FloatArray:
    """Return the eight corners of a box."""
    return np.array([np.where(chosen, high, low) for chosen in product((0, 1), repeat=3)])


def _outermost(points: FloatArray) -> FloatArray:
    """Return the extreme points in all directions, without duplicates."""
    found: FloatArray = np.unique(points[np.argmax(points @ DIRECTIONS.T, axis=0)], axis=0)
    return found


def outline(figure: Figure) -> list[tuple[str, FloatArray, float]]:
    """Return points of a figure with their bodies, and the radius of the figure around them."""
    kind, numbers, bodies = figure.kind, figure.numbers, figure.bodies
    if kind in ("body", "line"):
        places = numbers.reshape(-1, 3)
        centre = np.zeros((int(kind == "body" and bodies[0] != "ground"), 3))
        return [(bodies[0], np.concatenate([places, centre]), 0.0)]
    if kind in ("coil", "rod"):
        return [(b, p[None], 0.0) for b, p in zip(bodies, numbers.reshape(2, 3), strict=True)]
    if kind == "sphere":
        return [(bodies[0], numbers[None, :3], float(numbers[3]))]
    if kind == "cylinder":
        return [(bodies[0], numbers[:6].reshape(2, 3), float(numbers[6]))]
    if kind == "disc":
        return [(bodies[0], numbers[None, :3], float(numbers[12]))]
    if kind == "box":
        return [(bodies[0], box_corners(numbers), 0.0)]
    if kind == "plane" and numbers[12] > 0:
        return [(bodies[0], plane_corners(numbers), 0.0)]
    return []


def box_corners(numbers: FloatArray) -> FloatArray:
    """Return the corners of a box given by centre, axes, lengths."""
    half = numbers[12:15, None] * numbers[3:12].reshape(3, 3) / 2
    signs = np.array(list(product((-1, 1), repeat=3)))
    found: FloatArray = numbers[:3] + signs @ half
    return found


def plane_corners(numbers: FloatArray) -> FloatArray:
    """Return the corners of a rectangle, in cyclic order, given by centre, axes, lengths."""
    half = numbers[12:14, None] * numbers[3:9].reshape(2, 3) / 2
    signs = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    found: FloatArray = numbers[:3] + signs @ half
    return found


def _ends(frames: Frames) -> FloatArray:
    """Return the extreme points of all figures in each direction, at each instant."""
    count = len(frames.t)
    best = np.full((count, len(DIRECTIONS)), -np.inf)
    ends = np.zeros((count, len(DIRECTIONS), 3))
    for points, radius in _clouds(frames):
        far = points @ DIRECTIONS.T  # instants, points, directions
        k = np.argmax(far, axis=1)
        reach = np.take_along_axis(far, k[:, None], axis=1)[:, 0] + radius
        own = np.take_along_axis(points, k[..., None], axis=1) + radius * DIRECTIONS
        better = reach > best
        best[better], ends[better] = reach[better], own[better]
    return ends


def _clouds(frames: Frames) -> Iterator[tuple[FloatArray, float]]:
    """Yield points of all figures over time, and the radius of the figure around them."""
    for figure in frames.scene.figures:
        for body, places, radius in outline(figure):
            if len(places):
                yield frames.points(body, places), radius
    for line in frames.lines:
        curve = line.curve(CURVE)
        yield curve.reshape(len(curve), -1, 3), max(line.size) / 2


def _centres(frames: Frames) -> FloatArray:
    """Return moving points ``(n, any, 3)``: centres of mass of bodies, and nodes of beams."""
    return np.concatenate([frames.r, *(line.r for line in frames.lines)], axis=1)


def _in_plane(frames: Frames, thickness: float, size: float) -> bool:
    """Whether all bodies move in close planes z = constant."""
    gravity = frames.scene.of("gravity")
    out = bool(gravity) and gravity[0].numbers[2] != 0.0
    moving = _centres(frames)
    if out or thickness > THIN * size or not moving.size:
        return False
    still = bool(np.ptp(moving[..., 2], axis=0).max() <= PLANE * size)
    normals = [frames.R[..., 2, 2], *(np.cross(x.e1, x.e2)[..., 2] for x in frames.lines)]
    return still and all(bool(np.min(z, initial=1.0) >= 1.0 - PLANE) for z in normals)


def _up(frames: Frames, plane: bool) -> FloatArray:
    """Return the vertical direction: z in the plane, otherwise against gravity."""
    z = np.array([0.0, 0.0, 1.0])
    gravity = frames.scene.of("gravity")
    turned = frames.scene.of("azimuth") or frames.scene.of("elevation")
    if plane or turned or not gravity or not np.any(gravity[0].numbers):
        return z
    down = gravity[0].numbers
    up: FloatArray = -down / np.linalg.norm(down) + 0.0
    return up
