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
#include "Lengths.h"
#include "Shape.h"

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
  case INLAY_LENGTH:
    return place->index < info->num_lengths ? sizeof(int64_t) : 0;
  default:
    return 0;
  }
}

static int is_inside(const inlay_program *program, const inlay_place *place) {
  uint64_t size = size_of_home(program, place);
  return place->bytes <= size && place->offset <= size - place->bytes;
}

static int are_good_turns(const inlay_program *program,
                          const inlay_turns *turns) {
  int64_t all;
  if (turns->fixed < 0 || turns->fixed > max_turns)
    return 0;
  if (turns->block == 0)
    return 1;
  return turns->length < program->info.num_lengths && turns->block > 0 &&
         turns->block <= max_turns && turns->turns >= 0 &&
         !__builtin_mul_overflow(turns->turns,
                                 program->info.lengths[turns->length].largest,
                                 &all) &&
         all <= max_turns;
}

static int has_good_turns(const inlay_program *program,
                          const inlay_step *step) {
  return are_good_turns(program, &step->extent) && step->grain > 0 &&
         step->grain <= max_turns &&
         (!step->pack || are_good_turns(program, &step->pack_extent));
}

/* Those of an open length are in the buffer for the largest one. */
static int are_inside(const inlay_program *program, const inlay_step *step,
                      const inlay_indices *indices) {
  int64_t all;
  if (indices->per_length == 0)
    return 1;
  return indices->per_length > 0 &&
         indices->length < program->info.num_lengths &&
         !__builtin_mul_overflow(indices->per_length,
                                 program->info.lengths[indices->length].largest,
                                 &all) &&
         (uint64_t)all <= step->buffers[indices->buffer].bytes / indices->width;
}

static int has_good_indices(const inlay_program *program,
                            const inlay_step *step) {
  for (uint32_t i = 0; i != step->num_indices; ++i) {
    const inlay_indices *indices = &step->indices[i];
    if (indices->buffer >= step->num_buffers || indices->num_extents == 0 ||
        (indices->width != 4 && indices->width != 8) ||
        !are_inside(program, step, indices))
      return 0;
  }
  return 1;
}

static int has_good_clears(const inlay_program *program,
                           const inlay_step *step) {
  for (uint32_t i = 0; i != step->num_clears; ++i)
    if (!inlay_is_good_clear(program, step, &step->clears[i]))
      return 0;
  return 1;
}

static inlay_status check_step(const inlay_program *program,
                               const inlay_step *step, char *text) {
  if (!has_good_turns(program, step))
    return inlay_fail(text, INLAY_INTERNAL, "step '%s' has no good turns",
                      step->name);
  if (!has_good_indices(program, step))
    return inlay_fail(text, INLAY_INTERNAL, "step '%s' has no good indices",
                      step->name);
  if (!has_good_clears(program, step))
    return inlay_fail(text, INLAY_INTERNAL, "step '%s' has no good borders",
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

/* Whether the bytes are those of the largest lengths, and only open dimensions
 * have lengths; those of inputs are said there. */
static int has_good_lengths(const inlay_info *info, const inlay_port *port,
                            int is_input) {
  uint64_t bytes = inlay_type_bytes(port->type);
  int has_any = 0;
  for (int32_t d = 0; d < port->rank; ++d) {
    uint32_t number = port->lengths[d];
    if (number > info->num_lengths || (number != 0) != (port->dims[d] == -1) ||
        (number != 0 && is_input && info->lengths[number - 1].divide != 0))
      return 0;
    int64_t extent =
        number != 0 ? info->lengths[number - 1].largest : port->dims[d];
    has_any |= number != 0;
    if (__builtin_mul_overflow(bytes, (uint64_t)extent, &bytes))
      return 0;
  }
  return has_any && bytes == port->bytes;
}

/* Whether what it says of samples and lengths fits together. */
static int is_good_port(const inlay_info *info, const inlay_port *port,
                        int is_input) {
  if (port->lengths)
    return port->per_sample == 0 && has_good_lengths(info, port, is_input);
  return port->per_sample == 0 ||
         (port->per_sample > 0 && port->rank > 0 && port->dims[0] == -1);
}

/* Whether an input says each length that is open. */
static int are_lengths_said(const inlay_info *info) {
  for (uint32_t number = 0; number != info->num_lengths; ++number) {
    int is_said = info->lengths[number].divide != 0;
    for (uint32_t i = 0; i != info->num_inputs; ++i)
      for (int32_t d = 0; info->inputs[i].lengths && d < info->inputs[i].rank;
           ++d)
        is_said |= info->inputs[i].lengths[d] == number + 1;
    if (!is_said)
      return 0;
  }
  return 1;
}

static inlay_status check_ports(const inlay_info *info, char *text) {
  int has_open_input = 0;
  for (uint32_t i = 0; i != info->num_inputs; ++i) {
    const inlay_port *port = &info->inputs[i];
    has_open_input |= port->per_sample != 0;
    if (!is_good_port(info, port, /*is_input=*/1))
      return inlay_fail(text, INLAY_INTERNAL,
                        "input '%s' has no good open dimensions", port->name);
  }
  for (uint32_t i = 0; i != info->num_outputs; ++i) {
    const inlay_port *port = &info->outputs[i];
    if (!is_good_port(info, port, /*is_input=*/0) ||
        (port->per_sample != 0 && !has_open_input))
      return inlay_fail(text, INLAY_INTERNAL,
                        "output '%s' has no good open dimensions", port->name);
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
  if (!inlay_has_good_lengths(&program->info) ||
      (program->info.num_lengths != 0 && program->samples_at_once != 1))
    return inlay_fail(text, INLAY_INTERNAL, "the lengths are not good");
  inlay_status ports = check_ports(&program->info, text);
  if (ports)
    return ports;
  if (!are_lengths_said(&program->info))
    return inlay_fail(text, INLAY_INTERNAL, "no input says a length");
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
