"""Figures as polygons with a depth in the plane of a picture, for rendering without a GPU."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mbdgen.runtime.results.scene_figures import Figure
from mbdgen.runtime.system.system_data import FloatArray
from mbdgen.view.animation_frames import Frames
from mbdgen.view.extent import Extent, box_corners, plane_corners
from mbdgen.view.palette import METAL, colours
from mbdgen.view.ribbons import faces

WIRE = 0.011
"""Radius of a drawn bar relative to the size of the mechanism."""
TURNS, COIL_STEPS = 9, 12
LIGHT = np.array([-0.35, 0.6, 0.72])  # to the right, up and towards the viewer
FACES = ((0, 1, 3, 2), (4, 5, 7, 6), (0, 1, 5, 4), (2, 3, 7, 6), (0, 2, 6, 4), (1, 3, 7, 5))


@dataclass(frozen=True, eq=False)
class FlatPiece:
    """Polygon of one colour.

    Attributes
    ----------
    outline : array, shape (n, 2)
        Corners: to the right and up.
    depth : float
        Coordinate towards the viewer, for the painter's algorithm.
    colour : tuple
        Red, green, blue, opacity.
    """

    outline: FloatArray
    depth: float
    colour: tuple[float, float, float, float]


@dataclass(frozen=True, eq=False)
class Eye:
    """Parallel projection: rows of ``axes`` are right, up, and towards the viewer."""

    axes: FloatArray

    def __call__(self, points: FloatArray) -> FloatArray:
        """Return right, up and depth of points."""
        seen: FloatArray = points @ self.axes.T
        return seen


def eye_of(frames: Frames, extent: Extent) -> Eye:
    """Return the projection chosen by the model or suited to the motion."""
    given = {kind: frames.scene.of(kind) for kind in ("azimuth", "elevation")}
    usual = {"azimuth": 0.0, "elevation": 90.0} if extent.plane else {}
    angles = {"azimuth": 35.0, "elevation": 20.0} | usual
    angles |= {kind: float(found[0].numbers[0]) for kind, found in given.items() if found}
    a, e = np.radians([angles["azimuth"], angles["elevation"]])
    back = np.array([np.sin(a) * np.cos(e), -np.cos(a) * np.cos(e), np.sin(e)])
    right = np.array([np.cos(a), np.sin(a), 0.0])
    return Eye(np.array([right, np.cross(back, right), back]) @ _upright(extent.up))


def _upright(up: FloatArray) -> FloatArray:
    """Return the shortest rotation of the vertical direction into z."""
    x, y, z = up
    if z < -1 + 1e-9:
        return np.diag([1.0, -1.0, -1.0])
    q = np.array([1 + z, y, -x]) / np.sqrt((1 + z) ** 2 + x**2 + y**2)
    w, i, j = q
    return np.array(
        [
            [1 - 2 * j * j, 2 * i * j, 2 * w * j],
            [2 * i * j, 1 - 2 * i * i, -2 * w * i],
            [-2 * w * j, 2 * w * i, 1 - 2 * (i * i + j * j)],
        ]
    )


class Painter:
    """Painter's algorithm: polygons of a scene at one instant after another."""

    def __init__(self, frames: Frames, extent: Extent, eye: Eye) -> None:
        self.frames, self.extent, self.eye = frames, extent, eye
        self.colours = colours(frames)
        self.wire = WIRE * extent.size
        self.most_strain = frames.most_strain
        shapes = ("sphere", "box", "cylinder", "disc", "line", "plane")
        self._own = {f.bodies[0] for f in frames.scene.figures if f.kind in shapes}
        self._balls = {f.bodies[0] for f in frames.scene.of("sphere")}
        self._draw = {
            "body": self._body,
            "sphere": self._sphere,
            "box": self._box,
            "cylinder": self._cylinder,
            "disc": self._disc,
            "line": self._line,
            "plane": self._plane,
            "axis": self._axis,
            "joint": self._joint,
            "coil": self._coil,
            "rod": self._rod,
        }

    def pieces(self, frame: int) -> list[FlatPiece]:
        """Return all polygons, the farthest first."""
        at = self.frames.some_of([frame])
        found: list[FlatPiece] = []
        for figure in self.frames.scene.figures:
            if figure.kind in self._draw:
                found += self._draw[figure.kind](figure, at)
        for line in at.lines:
            paint = "" if line.strained else self.colours[line.name]
            for corners, colour in faces(line, self.wire, self.most_strain, paint):
                found.append(self._face(self.eye(corners), colour))
        return sorted(found, key=lambda piece: piece.depth)

    # --- kinds of figures ---

    def _body(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        name, places = figure.bodies[0], figure.numbers.reshape(-1, 3)
        points = self.eye(at.points(name, np.vstack([np.zeros(3), places]))[0])
        colour = self.colours[name]
        if name == "ground":
            return [self._square(p, 2.0 * self.wire) for p in points[1:]]
        bars = [self._bar(points[0], p, self.wire, colour) for p in points[1:]]
        lonely = not any(np.linalg.norm(p) > 0.2 * self.wire for p in places)
        if lonely and name not in self._own:
            bars += self._ball(points[0], 3.0 * self.wire, colour)
        return bars if name in self._balls else [*bars, *self._centre(points[0])]

    def _sphere(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        centre = self._seen(figure, at, figure.numbers[None, :3])[0]
        return self._ball(centre, float(figure.numbers[3]), self._colour(figure))

    def _box(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        corners = self._seen(figure, at, box_corners(figure.numbers))
        return [self._face(corners[list(face)], self._colour(figure)) for face in FACES]

    def _cylinder(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        a, b = figure.numbers[:3], figure.numbers[3:6]
        return self._drum(figure, at, a, b, float(figure.numbers[6]), 1)

    def _disc(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        place, axes = figure.numbers[:3], figure.numbers[3:12].reshape(3, 3)
        radius, width = figure.numbers[12:14]
        half = axes[2] * (width or 0.06 * radius) / 2
        return self._drum(figure, at, place - half, place + half, float(radius), 6, axes)

    def _line(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        points = self._seen(figure, at, figure.numbers.reshape(-1, 3))
        return self._chain(points, 0.35 * self.wire, self._colour(figure))

    def _plane(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        numbers = figure.numbers.copy()
        if not numbers[12]:
            middle = (self.extent.low + self.extent.high) / 2
            normal = numbers[9:12]
            numbers[:3] = middle - normal * (normal @ (middle - numbers[:3]))
            span = np.abs(numbers[3:9].reshape(2, 3)) @ (self.extent.high - self.extent.low)
            numbers[12:14] = span + 0.1 * self.extent.size
        corners = self._seen(figure, at, plane_corners(numbers))
        red, green, blue = rgb(self._colour(figure))
        return [FlatPiece(corners[:, :2], -np.inf, (red, green, blue, 0.2))]

    def _axis(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        place, along = figure.numbers[:3], figure.numbers[3:6]
        ends = np.outer([-9.0, 9.0, -1.9, 1.9], self.wire * along) + place
        a, b, c, d = self._seen(figure, at, ends)
        return [
            self._bar(a, b, 0.25 * self.wire, METAL),
            self._bar(c, d, 1.5 * self.wire, METAL),
        ]

    def _joint(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        return self._ball(self._seen(figure, at, figure.numbers[None])[0], 1.6 * self.wire, METAL)

    def _coil(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        a, b = self._ends(figure, at)
        s = np.linspace(0.0, 1.0, TURNS * COIL_STEPS + 1)[:, None]
        along = b - a
        side = np.cross(
            along, [1.0, 0.0, 0.0] if abs(along[0]) < 0.7 * _length(along) else [0, 1, 0]
        )
        side = side / (_length(side) or 1.0)
        other = np.cross(along / (_length(along) or 1.0), side)
        grow = np.minimum(1.0, np.minimum(12 * s, 12 * (1 - s))) * 3.2 * self.wire
        turn = 2 * np.pi * TURNS * s
        helix = a + (0.12 + 0.76 * s) * along + grow * (np.cos(turn) * side + np.sin(turn) * other)
        points = self.eye(np.vstack([a, helix, b]))
        return self._chain(points, 0.45 * self.wire, figure.colour or METAL)

    def _rod(self, figure: Figure, at: Frames) -> list[FlatPiece]:
        a, b = self.eye(np.array(self._ends(figure, at)))
        return [self._bar(a, b, 0.5 * self.wire, METAL)]

    # --- pieces ---

    def _colour(self, figure: Figure) -> str:
        return figure.colour or self.colours[figure.bodies[0]]

    def _seen(self, figure: Figure, at: Frames, places: FloatArray) -> FloatArray:
        return self.eye(at.points(figure.bodies[0], places)[0])

    def _ends(self, figure: Figure, at: Frames) -> tuple[FloatArray, FloatArray]:
        places = figure.numbers.reshape(2, 1, 3)
        a, b = (at.points(k, p)[0, 0] for k, p in zip(figure.bodies, places, strict=True))
        return a, b

    def _bar(self, a: FloatArray, b: FloatArray, radius: float, colour: str) -> FlatPiece:
        """Return a bar with round ends."""
        angle = np.arctan2(b[1] - a[1], b[0] - a[0])
        half = np.linspace(np.pi / 2, 3 * np.pi / 2, 9)
        turns = [np.array([np.cos(t + angle), np.sin(t + angle)]).T for t in (half, half + np.pi)]
        outline = np.vstack([p[:2] + radius * turn for p, turn in zip((a, b), turns, strict=True)])
        return FlatPiece(outline, float(a[2] + b[2]) / 2, (*rgb(colour), 1.0))

    def _chain(self, points: FloatArray, radius: float, colour: str) -> list[FlatPiece]:
        return [self._bar(a, b, radius, colour) for a, b in pairwise(points)]

    def _ball(self, at: FloatArray, radius: float, colour: str) -> list[FlatPiece]:
        """Return a sphere as circles, brighter towards the light."""
        found = []
        for k, (share, bright) in enumerate(((1.0, 0.85), (0.82, 1.0), (0.5, 1.12), (0.2, 1.3))):
            middle = at[:2] + (1 - share) * 0.6 * radius * LIGHT[:2]
            outline = middle + share * radius * _circle(32)
            found.append(
                FlatPiece(outline, float(at[2]) + k * 1e-9, (*_shaded(colour, bright), 1.0))
            )
        return found

    def _centre(self, at: FloatArray) -> list[FlatPiece]:
        """Return the symbol of a centre of mass: a circle of four quadrants."""
        radius, depth = 1.5 * self.wire, float(at[2]) + 3 * self.wire
        found = [FlatPiece(at[:2] + radius * _circle(24), depth, (0.1, 0.1, 0.1, 1.0))]
        for first in (0, 12):
            rim = _circle(24)[first : first + 7]
            outline = at[:2] + 0.9 * radius * np.vstack([rim, [0.0, 0.0]])
            found.append(FlatPiece(outline, depth + 1e-9, (1.0, 1.0, 1.0, 1.0)))
        return found

    def _square(self, at: FloatArray, half: float) -> FlatPiece:
        corners = at[:2] + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        return FlatPiece(corners, float(at[2]) - 3 * self.wire, (*_shaded(METAL, 0.8), 1.0))

    def _face(self, corners: FloatArray, colour: str, bright: float = 1.0) -> FlatPiece:
        """Return a flat face, shaded by its direction."""
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[1])
        normal = normal * (np.sign(normal[2]) or 1.0) / (_length(normal) or 1.0)
        light = bright * (0.65 + 0.45 * max(0.0, float(normal @ LIGHT)))
        return FlatPiece(
            corners[:, :2], float(corners[:, 2].mean()), (*_shaded(colour, light), 1.0)
        )

    def _drum(
        self,
        figure: Figure,
        at: Frames,
        a: FloatArray,
        b: FloatArray,
        radius: float,
        sectors: int,
        axes: FloatArray | None = None,
    ) -> list[FlatPiece]:
        """Return a cylinder: its lateral surface in strips, its ends in sectors of two shades."""
        along = (b - a) / (_length(b - a) or 1.0)
        if axes is None:
            other = np.eye(3)[int(np.argmin(np.abs(along)))]
            first = np.cross(along, other) / _length(np.cross(along, other))
            axes = np.array([first, np.cross(along, first), along])
        n, colour = 48, self._colour(figure)
        rim = radius * _circle(n) @ axes[:2]
        ends = [self._seen(figure, at, np.vstack([p + rim, p])) for p in (a, b)]
        found = []
        for k in range(n):
            j = (k + 1) % n
            strip = np.array([ends[0][k], ends[0][j], ends[1][j], ends[1][k]])
            found.append(self._face(strip, colour))
        for end in ends:
            for s in range(sectors):
                part = [(s * n // sectors + k) % n for k in range(n // sectors + 1)]
                corners = end[[*part, n]] if sectors > 1 else end[:n]
                found.append(self._face(corners, colour, 0.85 if s % 2 else 1.1))
        return found


def rgb(colour: str) -> tuple[float, float, float]:
    """Return a colour ``#rrggbb`` as three numbers between 0 and 1."""
    red, green, blue = (int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


def _shaded(colour: str, light: float) -> tuple[float, float, float]:
    red, green, blue = (min(1.0, light * c) for c in rgb(colour))
    return red, green, blue


def _circle(n: int) -> FloatArray:
    angle = np.linspace(0.0, 2 * np.pi, n, endpoint=False)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _length(x: FloatArray) -> float:
    return float(np.linalg.norm(x))
