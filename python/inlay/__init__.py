# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fit neural networks to the hardware that runs them.

>>> import inlay
>>> model = inlay.load(example, dims={"batch": 1})
>>> model
<inlay.Model mini_shufflenet.onnx: image [1, 3, 32, 32] -> probabilities [1, 10]>
>>> compiled = model.compile(target="nhwc")
>>> compiled.report["proved"]
True
"""

import html as _html
import json as _json
import os as _os
import re as _re
import shutil as _shutil
import tempfile as _tempfile
import weakref as _weakref

__all__ = ["Error", "Model", "NativeModel", "load", "run", "targets"]


class Error(RuntimeError):
    """Something that Inlay cannot do, or that is wrong with what it was given.

    `code` is the exit code that the command line would end with (2: a wrong
    argument, 3: a model that is not valid, 4: a target, 5: not supported, 6: a
    file, 70: a fault of Inlay's, 130: interrupted). `node` is the name of the
    node that the message is about, and `place` the file, line and column of a
    target, or None.

    >>> inlay.load("missing.onnx")
    Traceback (most recent call last):
    inlay.Error: cannot read 'missing.onnx': No such file or directory
    """

    def __init__(self, message, code):
        super().__init__(message)
        self.code = code
        node = _re.search(r"node '([^']*)' \(", message)
        self.node = node.group(1) if node else None
        place = _re.search(r"^([^\n:]+):(\d+):(\d+): ", message, _re.M)
        self.place = (place.group(1), int(place.group(2)), int(place.group(3))) if place else None


# The module in C++ raises Error, so that it comes first.
from . import _inlay  # noqa: E402


def _flags(options):
    """Keyword arguments as the options of a verb."""
    words = []
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        if isinstance(value, bool):
            words += [flag, "on" if value else "off"]
        elif isinstance(value, dict):
            for key, own in value.items():
                words += [flag, f"{key}={own}"]
        elif isinstance(value, (list, tuple)):
            for own in value:
                words += [flag, str(own)]
        elif value is not None:
            words += [flag, str(value)]
    return words


def _array(value):
    """What NumPy makes of a tensor of another library, without a copy."""
    import numpy

    if isinstance(value, numpy.ndarray) or not hasattr(value, "__dlpack__"):
        return value
    return numpy.from_dlpack(value)


def _feeds(inputs):
    return {name: _array(value) for name, value in inputs.items()}


def _dims(port):
    return "[" + ", ".join(str(dim) for dim in port["shape"]) + "]" if port["shape"] is not None else "?"


class Model:
    """A model: one that was loaded, or what it was compiled to.

    `inputs` and `outputs` are lists of {"name", "type", "shape"}; `report` is
    what `compile` said about it as a dict, None for a model that was loaded.
    """

    def __init__(self, path, dims=None, shapes=None, data_roots=(), report=None, source=None, options=None):
        self._path = _os.fspath(path)
        self._dims = dict(dims or {})
        self._shapes = {name: list(shape) for name, shape in (shapes or {}).items()}
        self._roots = [_os.fspath(root) for root in data_roots]
        # What it was compiled of, and how.
        self._source = source
        self._options = dict(options or {})
        self._reference = None
        self.report = report
        facts = self.inspect()
        self.inputs, self.outputs = facts["inputs"], facts["outputs"]

    def _words(self):
        words = []
        for name, extent in self._dims.items():
            words += ["--dim", f"{name}={extent}"]
        for name, shape in self._shapes.items():
            words += ["--shape", f"{name}:{','.join(map(str, shape))}"]
        for root in self._roots:
            words += ["--data-root", root]
        return words

    def _call(self, verb, *rest):
        return _inlay.call([verb, self._path, *self._words(), *rest])

    def __repr__(self):
        ports = " -> ".join(
            ", ".join(f"{port['name']} {_dims(port)}" for port in ports) for ports in (self.inputs, self.outputs))
        name = _os.path.basename(self._source._path if self._source else self._path)
        return f"<inlay.Model {name}: {ports}>"

    def _repr_html_(self):
        """A table for notebooks. Names come from the model and are escaped."""
        rows = [("input", port) for port in self.inputs] + [("output", port) for port in self.outputs]
        cells = "".join(
            f"<tr><td>{kind}</td><td>{_html.escape(port['name'])}</td><td>{_html.escape(str(port['type']))}</td>"
            f"<td>{_html.escape(_dims(port))}</td></tr>" for kind, port in rows)
        text = f"<table><tr><th></th><th>name</th><th>type</th><th>shape</th></tr>{cells}</table>"
        if self.report:
            facts = _rows_of_totals(self.report)
            text += f"<table><tr><th></th><th>before</th><th>after</th></tr>{facts}</table>" if facts else ""
        return text

    def inspect(self, **options):
        """What is in it, as a dict; `cost=True` adds what each node costs.

        >>> inlay.load(example, dims={"batch": 1}).inspect(cost=True)["flops"] > 0
        True
        """
        cost = options.pop("cost", False)
        return _json.loads(self._call("inspect", *(["--cost"] if cost else []), *_flags(options)).json)

    def compile(self, target=None, **options):
        """Compiles the model; options are those of `inlay compile --help`.

        >>> compiled = inlay.load(example, dims={"batch": 1}).compile(target="nhwc", rewrite=True)
        >>> compiled.report["target"]
        'nhwc'
        >>> inlay.load(example).compile(target="nhcw")
        Traceback (most recent call last):
        inlay.Error: no target or file 'nhcw', expected a file or one of ...
        """
        folder = _tempfile.mkdtemp(prefix="inlay-")
        try:
            path = _os.path.join(folder, "model.onnx")
            options = {"target": target, **options}
            outcome = self._call("compile", "--output", path, *_flags(options))
            model = Model(path, report=_json.loads(outcome.json), source=self, options=options)
        except BaseException:
            _shutil.rmtree(folder, ignore_errors=True)
            raise
        # The file is the model's, and gone with it.
        _weakref.finalize(model, _shutil.rmtree, folder, ignore_errors=True)
        return model

    def save(self, path, **options):
        """Writes it: as ONNX, as MLIR (.mlir), or as machine code (.so).

        A compiled model is written as it was compiled, one that was loaded is
        compiled with these options (`inlay compile --help`). Returns the report.

        >>> import os, tempfile
        >>> folder = tempfile.mkdtemp()
        >>> report = inlay.load(example, dims={"batch": 1}).compile(target="nhwc").save(folder + "/out.onnx")
        >>> "inlay.nhwc::Conv" in inlay.load(folder + "/out.onnx").inspect()["operators"]
        True
        """
        # The same options give the same bytes.
        model = self._source or self
        words = _flags({**self._options, **options})
        return _json.loads(model._call("compile", "--output", _os.fspath(path), *words).json)

    def explain(self, node=None, target=None, **options):
        """Why each relayout is needed, and what is in which group, as text.

        Of a compiled model it is what compiling did to the original.

        >>> print(inlay.load(example, dims={"batch": 1}).explain(target="nhwc").splitlines()[0])
        target: nhwc
        """
        model = self._source or self
        if target is None and self.report:
            target = self.report["target"]
        words = [node] if node is not None else []
        return model._call("explain", *words, *_flags({"target": target, **options})).text

    def page(self, path, target=None, **options):
        """Writes a page for browsers: the graph before and after, and why.

        Of a compiled model it is what compiling did to the original. Options
        are those of `inlay report --help`. Returns what that prints, as a dict.

        >>> import os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "model.html")
        >>> inlay.load(example, dims={"batch": 1}).page(path, target="nhwc")["target"]
        'nhwc'
        >>> os.path.getsize(path) > 100_000
        True
        """
        model = self._source or self
        if target is None and self.report:
            target = self.report["target"]
        return _json.loads(model._call("report", "--output", _os.fspath(path), *_flags({"target": target, **options})).json)

    def run(self, inputs):
        """Its outputs by the reference executor, as a dict of arrays.

        >>> import numpy
        >>> model = inlay.load(example, dims={"batch": 1})
        >>> outputs = model.run({"image": numpy.zeros((1, 3, 32, 32), numpy.float32)})
        >>> outputs["probabilities"].shape
        (1, 10)
        """
        if self._reference is None:
            self._reference = _inlay.ReferenceModel(self._path, self._dims, self._shapes, self._roots)
        return self._reference.run(_feeds(inputs))

    def native(self, threads=1):
        """The model as machine code in memory, to be called with arrays.

        >>> import numpy
        >>> image = numpy.ones((1, 3, 32, 32), numpy.float32)
        >>> model = inlay.load(example, dims={"batch": 1})
        >>> scores = model.native(threads=2)(image=image)["probabilities"]
        >>> bool(numpy.allclose(scores, model.run({"image": image})["probabilities"], atol=1e-5))
        True
        """
        return NativeModel(self, threads)


class NativeModel:
    """Machine code of a model. Called with arrays by name, it returns a dict.

    Arrays that are dense are looked at, not copied; what is returned looks at
    the outputs. Code is made when shapes come first, and kept.
    """

    def __init__(self, model, threads):
        self._model = model
        self._threads = int(threads)
        self._programs = {}

    def __call__(self, inputs=None, **more):
        feeds = _feeds({**(inputs or {}), **more})
        key = tuple(sorted((name, tuple(getattr(array, "shape", ()))) for name, array in feeds.items()))
        program = self._programs.get(key)
        if program is None:
            model = self._model
            program = _inlay.NativeProgram(
                model._path, model._dims, model._shapes, model._roots, feeds, self._threads)
            self._programs[key] = program
        return program.run(feeds)

    @property
    def report(self):
        """What the programs consist of, one for each set of shapes."""
        return [_json.loads(program.report()) for program in self._programs.values()]


def _rows_of_totals(report):
    """Rows of numbers before and after, for notebooks."""
    totals = report.get("totals")
    if not isinstance(totals, dict):
        return ""
    return "".join(
        f"<tr><td>{_html.escape(str(name))}</td><td>{_html.escape(str(row.get('before')))}</td>"
        f"<td>{_html.escape(str(row.get('after')))}</td></tr>" for name, row in totals.items() if isinstance(row, dict))


def load(path, dims=None, shapes=None, data_roots=()):
    """Reads a model: an ONNX file, or MLIR that Inlay wrote.

    `dims` fixes dimensions of the inputs by name, `shapes` whole inputs;
    `data_roots` are folders in which external data may lie besides the model's.

    >>> inlay.load(example, dims={"batch": 2}).inputs[0]["shape"]
    [2, 3, 32, 32]
    """
    return Model(path, dims, shapes, data_roots)


def run(model, inputs):
    """model.run(inputs); `model` may be a path.

    >>> import numpy
    >>> list(inlay.run(example, {"image": numpy.zeros((1, 3, 32, 32), numpy.float32)}))
    ['probabilities']
    """
    if not isinstance(model, Model):
        model = load(model)
    return model.run(inputs)


def targets():
    """The names of the targets that are built in.

    >>> "nhwc" in inlay.targets()
    True
    """
    return [row["name"] for row in _json.loads(_inlay.call(["targets", "list"]).json)["targets"]]
