# The commands of the project. `make help` lists them; on a machine without
# make, `scripts/run TARGET` installs it first.

RELEASE := build/release
ASAN    := build/asan
PREFIX  ?= install
EXAMPLE := examples/mini_detector.onnx
# CPU-minutes of fuzzing that `make soak` spends.
FUZZ_MINUTES ?= 10

CMAKE_BUILD := cmake --build
JOBS        := -j$(shell nproc)

.DEFAULT_GOAL := help
.PHONY: help demo test soak bench asan format lint docs install wheel \
        package package-test clean \
        setup-build setup-test configure

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: configure ## Build Inlay, compile the bundled example model and run it natively
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS) --target inlay
	$(RELEASE)/bin/inlay compile $(EXAMPLE) --dim batch=1 -t nhwc -o build/demo.onnx
	@echo
	$(RELEASE)/bin/inlay explain $(EXAMPLE) --dim batch=1 -t nhwc
	@echo
	$(RELEASE)/bin/inlay explain $(EXAMPLE) --dim batch=1 -t opu
	@echo
	$(RELEASE)/bin/inlay compile $(EXAMPLE) --dim batch=1 -o build/demo.so
	@echo
	$(RELEASE)/bin/inlay bench $(EXAMPLE) --dim batch=1
	@echo
	$(RELEASE)/bin/inlay compare $(EXAMPLE) --dim batch=1 --native
	@echo
	$(RELEASE)/bin/inlay report $(EXAMPLE) --dim batch=1 -t nhwc -o build/demo.html
	@echo "open build/demo.html in a browser to see it"

test: setup-test configure ## Build everything and run all tests
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS)
	@scripts/fuzz.sh build
	@scripts/test.sh $(RELEASE) -LE soak

soak: setup-test configure ## The random and fuzz tests with their full counts, clang-tidy over all files
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS)
	@scripts/fuzz.sh $$((60 * $(FUZZ_MINUTES)))
	@scripts/test.sh $(RELEASE) -L soak

bench: setup-test configure ## Measure time and memory
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS) --target inlay inlay-opt inlay-library-runner inlay-contractions inlay-rows
	@bench/run.sh $(RELEASE)

asan: setup-test ## All tests under the address and undefined-behaviour sanitizers
	@cmake --preset asan >/dev/null
	@$(CMAKE_BUILD) $(ASAN) $(JOBS)
	@scripts/test.sh $(ASAN) -LE 'soak|project'

format: setup-test ## Format every C and C++ file
	@python3 test/project/format.py --fix

lint: setup-test configure ## The checks of the project itself, without the other tests
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS)
	@scripts/test.sh $(RELEASE) -L project

docs: configure ## Generate the reference of operators and passes
	@scripts/docs.sh docs

install: configure ## Install under PREFIX (default: ./install)
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS)
	@cmake --install $(RELEASE) --prefix $(PREFIX)

wheel: setup-test ## A wheel for Python, in build/wheel
	@scripts/setup.sh package
	@cmake --preset release >/dev/null
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS) --target InlayPython
	@/usr/bin/python3 scripts/wheel.py $(RELEASE) build/wheel

package: configure ## Debian packages, in build/package
	@scripts/setup.sh package
	@$(CMAKE_BUILD) $(RELEASE) $(JOBS) --target inlay inlay-opt inlay-manual
	@cd $(RELEASE) && cpack -B $(CURDIR)/build/package >cpack.log || { cat cpack.log; exit 1; }
	@rm -rf build/package/_CPack_Packages && ls build/package/*.deb

package-test: package wheel ## Install the packages and the wheel in a fresh Debian, and use them there
	@scripts/package-test.sh build/package build/wheel build/root

clean: ## Remove everything that was built
	rm -rf build

configure: setup-build
	@cmake --preset release >/dev/null

setup-build:
	@scripts/setup.sh build

setup-test:
	@scripts/setup.sh build test
