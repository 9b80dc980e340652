//===- CheckProgram.c - Whether a program is one --------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tables are the compiler's, so none of this can happen. What they lead to
// if it did is memory of others.
//
//===----------------------------------------------------------------------===//

#include "CheckProgram.h"

/* No step has so many turns, and the sum of what all threads ask for stays
 * within 64 bits. */
static const int64_t max_turns = (int64_t)1 << 48;

/* More would be no use, and tables for them stay within 64 bits. */
static const uint32_t max_samples_at_once = 4096;

/* How large the memory is that a place is in; 0 of what there is not. */
static uint64_t size_of_home(const inlay_program *program,
                             const inlay_place *place) {
  const inlay_info *info = &program->info;
  switch (place->home) {
  case INLAY_ARENA:
    return info->arena_bytes;
  case INLAY_INPUT:
    return place->index < info->num_inputs ? info->inputs[place->index].bytes
                                           : 0;
  case INLAY_OUTPUT:
    return place->index < info->num_outputs ? info->outputs[place->index].bytes
                                            : 0;
  case INLAY_WEIGHTS:
    return info->weights_bytes;
  case INLAY_SCRATCH:
    return program->scratch_bytes;
  default:
    return 0;
  }
}

static int is_inside(const inlay_program *program, const inlay_place *place) {
  uint64_t size = size_of_home(program, place);
  return place->bytes <= size && place->offset <= size - place->bytes;
}

static int has_good_turns(const inlay_step *step) {
  return step->extent >= 0 && step->extent <= max_turns && step->grain > 0 &&
         step->grain <= max_turns &&
         (!step->pack ||
          (step->pack_extent >= 0 && step->pack_extent <= max_turns));
}

static int has_good_indices(const inlay_step *step) {
  for (uint32_t i = 0; i != step->num_indices; ++i) {
    const inlay_indices *indices = &step->indices[i];
    if (indices->buffer >= step->num_buffers || indices->num_extents == 0 ||
        (indices->width != 4 && indices->width != 8))
      return 0;
  }
  return 1;
}

static inlay_status check_step(const inlay_program *program,
                               const inlay_step *step, char *text) {
  if (!has_good_turns(step))
    return inlay_fail(text, INLAY_INTERNAL, "step '%s' has no good turns",
                      step->name);
  if (!has_good_indices(step))
    return inlay_fail(text, INLAY_INTERNAL, "step '%s' has no good indices",
                      step->name);
  for (uint32_t i = 0; i != step->num_buffers; ++i)
    if (!is_inside(program, &step->buffers[i]))
      return inlay_fail(text, INLAY_INTERNAL,
                        "step '%s': buffer %u is outside of its memory",
                        step->name, i);
  return INLAY_OK;
}

static int is_good_copy(const inlay_program *program, const inlay_copy *copy) {
  return copy->output < program->info.num_outputs &&
         copy->from.bytes == program->info.outputs[copy->output].bytes &&
         is_inside(program, &copy->from);
}

/* Whether what it says of samples fits together. */
static int is_good_port(const inlay_port *port) {
  if (port->per_sample == 0)
    return 1;
  return port->per_sample > 0 && port->rank > 0 && port->dims[0] == -1;
}

static inlay_status check_ports(const inlay_info *info, char *text) {
  int has_open_input = 0;
  for (uint32_t i = 0; i != info->num_inputs; ++i) {
    const inlay_port *port = &info->inputs[i];
    has_open_input |= port->per_sample != 0;
    if (!is_good_port(port))
      return inlay_fail(text, INLAY_INTERNAL, "input '%s' has no good samples",
                        port->name);
  }
  for (uint32_t i = 0; i != info->num_outputs; ++i) {
    const inlay_port *port = &info->outputs[i];
    if (!is_good_port(port) || (port->per_sample != 0 && !has_open_input))
      return inlay_fail(text, INLAY_INTERNAL, "output '%s' has no good samples",
                        port->name);
  }
  return INLAY_OK;
}

inlay_status inlay_check_program(const inlay_program *program, char *text) {
  if (program->info.abi != INLAY_ABI)
    return inlay_fail(text, INLAY_INTERNAL,
                      "the model has the ABI %u where %u is required",
                      program->info.abi, INLAY_ABI);
  if (program->samples_at_once == 0 ||
      program->samples_at_once > max_samples_at_once)
    return inlay_fail(text, INLAY_INTERNAL, "%u samples are to be at hand",
                      program->samples_at_once);
  inlay_status ports = check_ports(&program->info, text);
  if (ports)
    return ports;
  for (uint64_t i = 0; i != program->num_steps; ++i) {
    inlay_status status = check_step(program, &program->steps[i], text);
    if (status)
      return status;
  }
  for (uint64_t i = 0; i != program->num_copies; ++i)
    if (!is_good_copy(program, &program->copies[i]))
      return inlay_fail(text, INLAY_INTERNAL,
                        "copy %llu is outside of its memory",
                        (unsigned long long)i);
  return INLAY_OK;
}
