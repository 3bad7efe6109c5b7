"""Translation of expressions on arrays: elements, slices, sums, products."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from mbdgen.subset import typed_tree as tree
from mbdgen.subset import types
from mbdgen.subset.translate_expressions import OPERATORS, ExpressionTranslator
from mbdgen.subset.translated_values import (
    ArrayValue,
    LazyArray,
    NumberValue,
    PointerValue,
    TupleValue,
    Value,
    parts_of,
    type_of,
)
from mbdgen.subset.typed_tree import Expression

Elementwise = Callable[[Sequence[Expression]], Expression]
Body = Callable[[Sequence[Expression]], None]


class ArrayTranslator(ExpressionTranslator):
    """Translator of expressions on arrays."""

    # Elements and slices.
    def subscript(self, node: ast.Subscript) -> Value:
        """Translate ``value[index]``."""
        owner = self.value(node.value)
        if isinstance(owner, TupleValue) or self.members(owner) is not None:
            items = self.items(owner, node)
            if isinstance(node.slice, ast.Slice):
                low, high = (self.constant(x) for x in (node.slice.lower, node.slice.upper))
                return TupleValue(items[low:high])
            index = self.let(self.number(node.slice))
            if isinstance(index, tree.Constant):
                return items[int(index.value)]
            return self.chosen(items, index, node)
        place = self.place(node, owner)
        if isinstance(place, ArrayValue):
            return place
        address, index_of, item = place
        return NumberValue(self.load(address, index_of, item))

    def chosen(self, items: Sequence[Value], index: Expression, node: ast.AST) -> Value:
        """Return the member of a tuple of equal types at an index that is not known yet."""
        kind = type_of(items[0])
        if any(type_of(x) != kind for x in items):
            self.refuse(node, "the index of a tuple of different types is a constant")
        found = parts_of(items[-1])
        for k in range(len(items) - 2, -1, -1):
            here = tree.Compare("==", index, tree.integer(k))
            pairs = zip(parts_of(items[k]), found, strict=True)
            found = [self.select(here, self.let(a), b) for a, b in pairs]
        return self.rebuild(items[0], found)

    def select(self, test: Expression, yes: Expression, no: Expression) -> Expression:
        """Return one of two numbers."""
        assert yes.type is not None
        return self.let(tree.Choice(test, yes, no, yes.type))

    def constant(self, node: ast.expr | None) -> int | None:
        """Return an integer known when the function is specialised; None for none."""
        if node is None:
            return None
        found = self.number(node)
        if not isinstance(found, tree.Constant):
            self.refuse(node, "the index of a tuple is a constant")
        return int(found.value)

    def place(
        self, node: ast.Subscript, owner: Value | None = None
    ) -> ArrayValue | tuple[Expression, Expression, types.NumberType]:
        """Return a part of an array, or address, index and type of an element."""
        owner = self.value(node.value) if owner is None else owner
        if isinstance(owner, PointerValue):
            return owner.expression, self.as_type(self.number(node.slice), types.int64), owner.item
        if isinstance(owner, LazyArray):
            owner = self.materialise(owner)
        if not isinstance(owner, ArrayValue):
            self.refuse(node, f"{type_of(owner)} has no elements")
        axes = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(axes) == 1 and isinstance(axes[0], ast.Name):
            index = self.value(axes[0])
            if isinstance(index, TupleValue):
                return self.part(owner, [self.as_index(x, node) for x in index.items], node)
        if any(isinstance(x, ast.Constant) and x.value is ... for x in axes):
            axes = [ast.Slice()] * len(owner.shape)
        if len(axes) > len(owner.shape):
            self.refuse(node, f"the array has {len(owner.shape)} axes")
        chosen: list[Expression | ast.Slice] = []
        for axis, part in enumerate(axes):
            if isinstance(part, ast.Slice):
                chosen.append(part)
            else:
                chosen.append(self.index(part, owner.shape[axis]))
        return self.part(owner, chosen, node)

    def as_index(self, value: Value, node: ast.AST) -> Expression:
        """Return a value as an index."""
        if not isinstance(value, NumberValue):
            self.refuse(node, "an index is a number")
        return self.as_type(value.expression, types.int64)

    def index(self, node: ast.expr, size: Expression) -> Expression:
        """Return an index; negative constants count from the end."""
        found = self.as_type(self.number(node), types.int64)
        if isinstance(found, tree.Constant) and found.value < 0:
            return self.plus(size, found)
        if isinstance(found, tree.Negative):
            return self.minus(size, found.operand)
        return found

    def bound(self, node: ast.expr | None, size: Expression, default: Expression) -> Expression:
        """Return a bound of a slice."""
        return default if node is None else self.let(self.index(node, size))

    def part(
        self, array: ArrayValue, chosen: Sequence[Expression | ast.Slice], node: ast.AST
    ) -> ArrayValue | tuple[Expression, Expression, types.NumberType]:
        """Return the part of an array at indices and slices, the last of which may be missing."""
        rest = len(array.shape) - len(chosen)
        chosen = [*chosen, *(ast.Slice() for _ in range(rest))]
        strides = self.strides_of(array)
        offset: Expression = tree.integer(0)
        shape: list[Expression] = []
        kept: list[Expression] = []
        whole_rows = True
        for axis, part in enumerate(chosen):
            if not isinstance(part, ast.Slice):
                offset = self.plus(offset, self.times(part, strides[axis]))
                whole_rows = whole_rows and not shape
                continue
            if part.step is not None:
                self.refuse(node, "slices have no step")
            size = array.shape[axis]
            first = self.bound(part.lower, size, tree.integer(0))
            last = self.bound(part.upper, size, size)
            offset = self.plus(offset, self.times(first, strides[axis]))
            whole_rows = whole_rows and (not shape or (first == tree.integer(0) and last == size))
            shape.append(self.let(self.minus(last, first)))
            kept.append(strides[axis])
        if not shape:
            return array.address, offset, array.item
        address = array.address
        if offset != tree.integer(0):
            address = self.let(tree.Behind(address, offset, types.Pointer(array.item)))
        contiguous = array.strides is None and whole_rows
        return ArrayValue(array.item, address, tuple(shape), None if contiguous else tuple(kept))

    def element(self, array: ArrayValue, indices: Sequence[Expression]) -> Value:
        """Return an element, or a row if there are fewer indices than axes."""
        place = self.part(array, indices, self.source.node)
        if isinstance(place, ArrayValue):
            return place
        address, index, item = place
        return NumberValue(self.load(address, index, item))

    def offset(self, array: ArrayValue, indices: Sequence[Expression]) -> Expression:
        """Return the distance of an element from the first one."""
        found: Expression = tree.integer(0)
        for index, stride in zip(indices, self.strides_of(array), strict=True):
            found = self.plus(found, self.times(index, stride))
        return found

    def fixed(self, array: ArrayValue) -> ArrayValue:
        """Return an array with address, shape and strides computed."""
        shape = tuple(map(self.let, array.shape))
        strides = tuple(map(self.let, self.strides_of(replace(array, shape=shape))))
        return ArrayValue(array.item, self.let(array.address), shape, strides)

    # Whole arrays.
    def allocate(
        self, item: types.NumberType, shape: Sequence[Expression], zero: bool, name: str = "array"
    ) -> ArrayValue:
        """Return a new array."""
        self.frame = True
        shape = tuple(self.let(self.as_type(x, types.int64), "n") for x in shape)
        count: Expression = tree.integer(1)
        for size in shape:
            count = self.times(count, size)
        variable = self.fresh(name, types.Pointer(item), fixed=True)
        self.emit(tree.Allocate(variable, count, zero))
        return ArrayValue(item, variable, shape)

    def lazy(self, value: Value, node: ast.AST) -> LazyArray:
        """Return an array as a function of indices."""
        if isinstance(value, LazyArray):
            return value
        if isinstance(value, NumberValue):
            held = self.let(value.expression)
            assert isinstance(held.type, types.NumberType)
            return LazyArray(held.type, (), lambda indices: held)
        if not isinstance(value, ArrayValue):
            self.refuse(node, f"there is no arithmetic of {type_of(value)}")
        array = self.fixed(value)

        def at(indices: Sequence[Expression]) -> Expression:
            return self.load(array.address, self.offset(array, indices), array.item)

        return LazyArray(self.number_of(array.item), array.shape, at)

    def elementwise(
        self, values: Sequence[Value], of: Elementwise, item: types.NumberType, node: ast.AST
    ) -> LazyArray:
        """Return a function of the elements of arrays, the last axes of which agree."""
        arrays = [self.lazy(value, node) for value in values]
        longest = max(arrays, key=lambda x: len(x.shape))
        count = len(longest.shape)

        def at(indices: Sequence[Expression]) -> Expression:
            return of([x.at(indices[count - len(x.shape) :]) for x in arrays])

        return LazyArray(item, longest.shape, at)

    def operate_arrays(
        self, op: ast.operator | ast.unaryop, a: Value, b: Value, node: ast.AST
    ) -> Value:
        """Translate an operation on arrays, element by element, or a product of matrices."""
        if isinstance(op, ast.MatMult):
            return self.product(a, b, node)
        if isinstance(op, ast.USub):
            one = self.lazy(a, node)
            return self.elementwise([one], lambda x: tree.Negative(x[0], one.item), one.item, node)
        operator = OPERATORS[type(op)]  # type: ignore[index]
        left, right = self.lazy(a, node), self.lazy(b, node)
        item = types.float64
        if operator != "/" and left.item == right.item == types.int64:
            item = types.int64
        return self.elementwise(
            [left, right], lambda x: self.binary(operator, x[0], x[1], node), item, node
        )

    def materialise(self, value: LazyArray) -> ArrayValue:
        """Return an array after computing all of its elements."""
        array = self.allocate(value.item, value.shape, zero=False)
        self.fill(array, value, False, self.source.node)
        return array

    def each(self, shape: Sequence[Expression], body: Body) -> None:
        """Emit loops over all elements of an array."""
        self._each(shape, [], body)

    def _each(self, shape: Sequence[Expression], indices: list[Expression], body: Body) -> None:
        if len(indices) == len(shape):
            body(indices)
            return
        counter = self.fresh("i", types.int64, fixed=True)
        with self.nested() as inner:
            self._each(shape, [*indices, counter], body)
        self.emit(tree.For(counter, tree.integer(0), shape[len(indices)], tree.integer(1), inner))

    def fill(self, array: ArrayValue, value: Value, overlap: bool, node: ast.AST) -> None:
        """Emit ``array[...] = value``; values that may overlap with it are copied first."""
        if overlap and isinstance(value, ArrayValue | LazyArray):
            value = self.materialise(self.lazy(value, node))
        given = self.lazy(value, node)
        skipped, array = len(array.shape) - len(given.shape), self.fixed(array)

        def store(indices: Sequence[Expression]) -> None:
            number = self.as_type(given.at(indices[skipped:]), array.item)
            self.emit(tree.StoreElement(array.address, self.offset(array, indices), number))

        self.each(array.shape, store)

    def copied(self, value: Value, node: ast.AST) -> ArrayValue:
        """Return a contiguous copy."""
        return self.materialise(self.lazy(value, node))

    def product(self, a: Value, b: Value, node: ast.AST) -> Value:
        """Translate ``a @ b``: sums in ascending order, rows of ``b`` in the innermost loop."""
        left, right = (self.materialise(x) if isinstance(x, LazyArray) else x for x in (a, b))
        if not (isinstance(left, ArrayValue) and isinstance(right, ArrayValue)):
            self.refuse(node, f"there is no product of {type_of(left)} and {type_of(right)}")
        left, right = self.fixed(left), self.fixed(right)
        rows, columns = left.shape[:-1], right.shape[1:]
        if len(rows) > 1 or len(columns) > 1:
            self.refuse(node, "products are those of vectors and matrices")
        inner = right.shape[0]
        if not columns:
            return self._sums(left, right, rows, inner)
        result = self.allocate(types.float64, (*rows, *columns), zero=True)

        def along(row: Sequence[Expression]) -> None:
            def add(k: Sequence[Expression]) -> None:
                factor = self.let(
                    tree.ArrayElement(left.address, self.offset(left, [*row, *k]), left.item)
                )

                def term(j: Sequence[Expression]) -> None:
                    at = self.offset(result, [*row, *j])
                    other = tree.ArrayElement(
                        right.address, self.offset(right, [*k, *j]), right.item
                    )
                    product = tree.Binary("*", factor, other, types.float64)
                    old = tree.ArrayElement(result.address, at, types.float64)
                    total = tree.Binary("+", old, product, types.float64)
                    self.emit(tree.StoreElement(result.address, at, total))

                self.each(columns, term)

            self.each([inner], add)

        self.each(rows, along)
        return result

    def _sums(
        self,
        left: ArrayValue,
        right: ArrayValue,
        rows: tuple[Expression, ...],
        inner: Expression,
    ) -> Value:
        """Return products of rows with a vector."""
        result = self.allocate(types.float64, rows, zero=False) if rows else None
        total = self.fresh("total", types.float64)

        def row_sum(row: Sequence[Expression]) -> None:
            self.emit(tree.Assign(total, tree.real(0.0)))

            def term(k: Sequence[Expression]) -> None:
                x = tree.ArrayElement(left.address, self.offset(left, [*row, *k]), left.item)
                y = tree.ArrayElement(right.address, self.offset(right, k), right.item)
                product = tree.Binary("*", x, y, types.float64)
                self.emit(tree.Assign(total, tree.Binary("+", total, product, types.float64)))

            self.each([inner], term)
            if result is not None:
                self.emit(tree.StoreElement(result.address, self.offset(result, row), total))

        self.each(rows, row_sum)
        return NumberValue(self.let(total)) if result is None else result
