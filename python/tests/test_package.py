# Part of the Inlay project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package as its users see it; INLAY_EXAMPLE is the bundled model."""

import doctest
import gc
import inspect
import os
import re
import signal
import tempfile
import threading
import time
import unittest

import inlay
import numpy

example = os.environ["INLAY_EXAMPLE"]


def random_image(seed=0):
    return numpy.random.default_rng(seed).random((1, 3, 32, 32), numpy.float32)


def load_example():
    return inlay.load(example, dims={"batch": 1})


class Docs(unittest.TestCase):
    def test_examples(self):
        results = doctest.testmod(
            inlay, extraglobs={"example": example, "inlay": inlay},
            optionflags=doctest.ELLIPSIS)
        self.assertGreater(results.attempted, 20)
        self.assertEqual(results.failed, 0)

    def test_everything_has_an_example(self):
        things = [getattr(inlay, name) for name in inlay.__all__ if name != "NativeModel"]
        things += [own for name, own in inspect.getmembers(inlay.Model, inspect.isfunction) if not name.startswith("_")]
        for thing in things:
            if thing is not inlay.Model:
                self.assertIn(">>>", thing.__doc__, thing)

    def test_stubs_name_what_there_is(self):
        with open(os.path.join(os.path.dirname(inlay.__file__), "__init__.pyi"), encoding="utf-8") as file:
            stubs = file.read()
        for name in inlay.__all__:
            self.assertRegex(stubs, rf"(class|def) {name}\b")
        for name, _ in inspect.getmembers(inlay.Model, inspect.isfunction):
            if not name.startswith("_"):
                self.assertRegex(stubs, rf"def {name}\(")


class Arrays(unittest.TestCase):
    def test_native_equals_the_reference(self):
        model, image = load_example(), random_image()
        expected = inlay.run(model, {"image": image})["probabilities"]
        for threads in (1, 2):
            found = model.native(threads=threads)(image=image)["probabilities"]
            numpy.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * numpy.abs(expected).max())

    def test_native_keeps_code_by_shapes(self):
        native = inlay.load(example).native()
        for batch in (1, 2, 1):
            image = numpy.repeat(random_image(), batch, axis=0)
            self.assertEqual(native(image=image)["probabilities"].shape, (batch, 10))
        self.assertEqual(len(native.report), 2)

    def test_inputs_of_any_strides_and_byte_order(self):
        model, image = load_example(), random_image()
        native = model.native()
        expected = native(image=image)["probabilities"]
        strided = numpy.ascontiguousarray(image.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
        self.assertFalse(strided.flags.c_contiguous)
        swapped = image.astype(image.dtype.newbyteorder())
        for own in (strided, swapped):
            numpy.testing.assert_array_equal(native(image=own)["probabilities"], expected)

    def test_outputs_live_without_their_model(self):
        outputs = load_example().native()(image=random_image())
        kept = outputs["probabilities"].copy()
        gc.collect()
        load_example().native()(image=random_image(1))
        numpy.testing.assert_array_equal(outputs["probabilities"], kept)

    def test_inputs_are_not_kept(self):
        image = random_image()
        load_example().native()(image=image)
        gc.collect()
        image.resize((1,), refcheck=True)

    def test_dlpack(self):
        class Foreign:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, stream=None):
                return self.array.__dlpack__()

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        native, image = load_example().native(), random_image()
        found = native(image=Foreign(image))["probabilities"]
        numpy.testing.assert_array_equal(numpy.from_dlpack(found), native(image=image)["probabilities"])

    def test_models_in_several_threads(self):
        model, image = load_example(), random_image()
        native = model.native()
        expected = native(image=image)["probabilities"]
        wrong = []

        def work():
            for _ in range(20):
                if not numpy.array_equal(native(image=image)["probabilities"], expected):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Files(unittest.TestCase):
    def test_save_writes_what_was_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            compiled = load_example().compile(target="opu", rewrite=True)
            path = os.path.join(folder, "out.onnx")
            compiled.save(path)
            with open(path, "rb") as saved, open(compiled._path, "rb") as kept:
                self.assertEqual(saved.read(), kept.read())

    def test_save_of_a_loaded_model_compiles_it(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.so")
            report = load_example().save(path)
            self.assertGreater(report["kernel_steps"], 0)
            self.assertTrue(os.path.exists(path))

    def test_page_shows_what_was_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.html")
            compiled = load_example().compile(target="opu")
            self.assertEqual(compiled.page(path)["target"], "opu")
            with open(path, encoding="utf-8") as page:
                shown = page.read()
            self.assertIn("group_0", shown)
            # Another target, another page.
            compiled.page(path, target="nhwc")
            with open(path, encoding="utf-8") as page:
                self.assertNotIn("group_0", page.read())

    def test_compiled_models_leave_no_files(self):
        compiled = load_example().compile(target="nhwc")
        folder = os.path.dirname(compiled._path)
        self.assertTrue(os.path.isdir(folder))
        del compiled
        gc.collect()
        self.assertFalse(os.path.exists(folder))


class Failures(unittest.TestCase):
    def check(self, code, words, call):
        with self.assertRaises(inlay.Error) as caught:
            call()
        self.assertEqual(caught.exception.code, code, str(caught.exception))
        self.assertRegex(str(caught.exception), words)
        return caught.exception

    def test_inputs(self):
        model, image = load_example(), random_image()
        for call in (model.run, model.native()):
            self.check(2, "no input 'picture'; it has 'image'", lambda: call({"picture": image}))
            self.check(2, "image", lambda: call({}))
            self.check(2, "image", lambda: call({"image": image[0]}))
            self.check(2, "image", lambda: call({"image": image.astype(numpy.int32)}))
            self.check(2, "array of <U1, which no tensor has", lambda: call({"image": numpy.array("x")}))

    def test_options(self):
        self.check(2, "unknown option '--rewirte'", lambda: load_example().compile(rewirte=True))
        self.check(2, "--rewrite", lambda: load_example().compile(rewrite="perhaps"))

    def test_place_of_a_target(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("schema: inlay.target/1\nname: x\nlayots: []\n")
            file.flush()
            error = self.check(4, "layots", lambda: load_example().compile(target=file.name))
            self.assertEqual(error.place, (file.name, 3, 1))

    def test_model(self):
        with tempfile.NamedTemporaryFile(suffix=".onnx") as file:
            file.write(b"no model at all")
            file.flush()
            self.check(3, re.escape(file.name), lambda: inlay.load(file.name))

    def test_names_are_escaped(self):
        text = load_example()._repr_html_()
        self.assertIn("<table>", text)
        model = load_example()
        model.inputs[0]["name"] = "<script>alert(1)</script>"
        self.assertNotIn("<script>", model._repr_html_())

    def test_interrupt(self):
        model = load_example()
        main = threading.get_ident()
        # A shell may have it ignored.
        signal.signal(signal.SIGINT, signal.default_int_handler)

        def interrupt():
            time.sleep(0.3)
            signal.pthread_kill(main, signal.SIGINT)

        thread = threading.Thread(target=interrupt)
        thread.start()
        begin = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            while time.monotonic() < begin + 30:
                model.compile(target="opu", verify="on")
        thread.join()
        self.assertLess(time.monotonic(), begin + 10)
        self.assertTrue(model.compile(target="nhwc").report)


if __name__ == "__main__":
    unittest.main()
