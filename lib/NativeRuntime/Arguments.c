//===- Arguments.c - What the caller of a run gives -----------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Lengths.h"
#include "Shape.h"
#include "System.h"

static inlay_status check_count(const char *kind, size_t found,
                                uint32_t required, const inlay_port *ports,
                                const void *tensors, char *text) {
  if (found < required)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "%zu %ss are given where %u are required: '%s' is "
                      "missing",
                      found, kind, required, ports[found].name);
  if (found > required)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "%zu %ss are given where %u are required", found, kind,
                      required);
  if (required != 0 && !tensors)
    return inlay_fail(text, INLAY_ARGUMENT, "the list of %ss is NULL", kind);
  return INLAY_OK;
}

/* How many samples a tensor has for a port that is open; its shape fits. */
static int64_t count_samples(const inlay_port *port,
                             const inlay_tensor *tensor) {
  return tensor->dims[0] / port->per_sample;
}

/* The number that the first open input gives. */
static int64_t find_samples(const inlay_info *info,
                            const inlay_tensor *inputs) {
  for (uint32_t i = 0; i != info->num_inputs; ++i)
    if (info->inputs[i].per_sample != 0)
      return count_samples(&info->inputs[i], &inputs[i]);
  return 1;
}

/* The bytes of a port in a run of so many samples, or of the lengths that the
 * session has; the last number where they are more than that. */
static uint64_t find_bytes(const inlay_session *session, const inlay_port *port,
                           int64_t samples) {
  uint64_t bytes = port->bytes;
  if (port->lengths) {
    bytes = inlay_type_bytes(port->type);
    for (int32_t d = 0; d != port->rank; ++d)
      bytes *= (uint64_t)inlay_run_extent(session, port, d);
  }
  if (port->per_sample == 0)
    return bytes;
  return __builtin_mul_overflow(bytes, (uint64_t)samples, &bytes) ? UINT64_MAX
                                                                  : bytes;
}

static inlay_status check_shape(const inlay_port *port,
                                const inlay_tensor *tensor, char *text) {
  if (tensor->type != port->type) {
    char found[INLAY_TYPE_BYTES], required[INLAY_TYPE_BYTES];
    return inlay_fail(text, INLAY_ARGUMENT,
                      "input '%s' has the type %s where %s is required",
                      port->name, inlay_print_type(tensor->type, found),
                      inlay_print_type(port->type, required));
  }
  if (tensor->rank != port->rank)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "input '%s' has the rank %d where %d is required",
                      port->name, tensor->rank, port->rank);
  if (port->rank != 0 && !tensor->dims)
    return inlay_fail(text, INLAY_ARGUMENT, "input '%s' has no dims",
                      port->name);
  if (!inlay_fits_dims(tensor->dims, port->dims, port->rank) ||
      (port->per_sample != 0 && tensor->dims[0] % port->per_sample != 0)) {
    char found[INLAY_SHAPE_BYTES], required[INLAY_SHAPE_BYTES];
    return inlay_fail(text, INLAY_ARGUMENT,
                      "input '%s' has the shape %s where %s is required",
                      port->name,
                      inlay_print_shape(tensor->dims, port->rank, found),
                      inlay_print_shape(port->dims, port->rank, required));
  }
  return INLAY_OK;
}

static inlay_status check_data(inlay_session *session, const inlay_port *port,
                               const inlay_tensor *tensor, int64_t samples) {
  char *text = session->text;
  if (port->per_sample != 0 && count_samples(port, tensor) != samples)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "input '%s' has %lld samples where inputs before it have "
                      "%lld",
                      port->name, (long long)count_samples(port, tensor),
                      (long long)samples);
  uint64_t required = find_bytes(session, port, samples);
  if (tensor->bytes != required || required == UINT64_MAX)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "input '%s' has %llu bytes where %llu are required",
                      port->name, (unsigned long long)tensor->bytes,
                      (unsigned long long)required);
  if (required != 0 && !tensor->data)
    return inlay_fail(text, INLAY_ARGUMENT, "input '%s' has no data",
                      port->name);
  return INLAY_OK;
}

static void describe(const inlay_port *port, const inlay_slot *slot,
                     inlay_tensor *tensor) {
  tensor->type = port->type;
  tensor->rank = port->rank;
  tensor->dims = slot->dims;
  tensor->bytes = slot->bytes;
}

static inlay_status check_output(const inlay_port *port, const inlay_slot *slot,
                                 inlay_tensor *tensor, char *text) {
  uint64_t room = tensor->bytes;
  if (!tensor->data || room >= slot->bytes)
    return INLAY_OK;
  describe(port, slot, tensor);
  return inlay_fail(text, INLAY_ARGUMENT,
                    "output '%s' has room for %llu bytes where %llu are "
                    "required",
                    port->name, (unsigned long long)room,
                    (unsigned long long)slot->bytes);
}

/* Sets how many samples there are, and the lengths. */
static inlay_status check_inputs(inlay_session *session,
                                 const inlay_tensor *inputs, size_t count) {
  const inlay_info *info = &session->program->info;
  char *text = session->text;
  inlay_status status =
      check_count("input", count, info->num_inputs, info->inputs, inputs, text);
  for (uint32_t i = 0; !status && i != info->num_inputs; ++i)
    status = check_shape(&info->inputs[i], &inputs[i], text);
  if (!status)
    status = inlay_take_lengths(session, inputs);
  if (status)
    return status;
  session->samples = find_samples(info, inputs);
  for (uint32_t i = 0; !status && i != info->num_inputs; ++i)
    status =
        check_data(session, &info->inputs[i], &inputs[i], session->samples);
  return status;
}

/* Sets the shape of an output that is open; it is the session's own. */
static int set_shape(const inlay_session *session, const inlay_port *port,
                     int64_t *dims) {
  for (int32_t d = 0; port->lengths && d != port->rank; ++d)
    dims[d] = inlay_run_extent(session, port, d);
  return port->per_sample == 0 ||
         !__builtin_mul_overflow(session->samples, port->per_sample, &dims[0]);
}

/* What a run of so many samples, or such lengths, takes and gives. */
static inlay_status set_sizes(inlay_session *session) {
  const inlay_info *info = &session->program->info;
  for (uint32_t i = 0; i != info->num_inputs; ++i)
    session->inputs[i].bytes =
        find_bytes(session, &info->inputs[i], session->samples);
  for (uint32_t i = 0; i != info->num_outputs; ++i) {
    const inlay_port *port = &info->outputs[i];
    inlay_slot *slot = &session->outputs[i];
    slot->bytes = find_bytes(session, port, session->samples);
    if (slot->bytes == UINT64_MAX ||
        !set_shape(session, port, (int64_t *)slot->dims))
      return inlay_fail(session->text, INLAY_ARGUMENT,
                        "output '%s' is too large for %lld samples", port->name,
                        (long long)session->samples);
  }
  return INLAY_OK;
}

/* All that are too small are described, and the first is named. */
static inlay_status check_outputs(inlay_session *session, inlay_tensor *outputs,
                                  size_t count) {
  const inlay_info *info = &session->program->info;
  inlay_status status = check_count("output", count, info->num_outputs,
                                    info->outputs, outputs, session->text);
  if (status)
    return status;
  for (uint32_t i = info->num_outputs; i != 0; --i)
    if (check_output(&info->outputs[i - 1], &session->outputs[i - 1],
                     &outputs[i - 1], session->text))
      status = INLAY_ARGUMENT;
  return status;
}

static int is_aligned(const inlay_port *port, const void *data) {
  return (uintptr_t)data % inlay_type_bytes(port->type) == 0;
}

/* Whether elements of a run do not lie as they do for the largest lengths. */
static int is_spread(const inlay_port *port, const inlay_slot *slot) {
  return port->lengths && slot->bytes != port->bytes;
}

/* The caller's memory where kernels can use it, else the session's. What lies
 * apart has room for the largest lengths. */
static inlay_status choose_memory(const inlay_port *port, void *data,
                                  inlay_slot *slot, char *text) {
  slot->used = data;
  uint64_t bytes = slot->bytes;
  if (is_spread(port, slot))
    bytes = port->bytes;
  else if (bytes == 0 || (data && is_aligned(port, data)))
    return INLAY_OK;
  if (slot->own.bytes < bytes)
    inlay_memory_give(&slot->own);
  if (!slot->own.data && !inlay_memory_take(&slot->own, bytes))
    return inlay_fail(text, INLAY_MEMORY,
                      "no memory for the %llu bytes of '%s'",
                      (unsigned long long)bytes, port->name);
  slot->used = slot->own.data;
  return INLAY_OK;
}

static inlay_status choose_memories(inlay_session *session,
                                    const inlay_tensor *inputs,
                                    const inlay_tensor *outputs) {
  const inlay_info *info = &session->program->info;
  inlay_status status = INLAY_OK;
  for (uint32_t i = 0; !status && i != info->num_inputs; ++i)
    status = choose_memory(&info->inputs[i], inputs[i].data,
                           &session->inputs[i], session->text);
  for (uint32_t i = 0; !status && i != info->num_outputs; ++i)
    status = choose_memory(&info->outputs[i], outputs[i].data,
                           &session->outputs[i], session->text);
  return status;
}

static int overlap(const void *a, uint64_t bytes_of_a, const void *b,
                   uint64_t bytes_of_b) {
  uintptr_t begin_a = (uintptr_t)a, begin_b = (uintptr_t)b;
  return a && b && bytes_of_a != 0 && bytes_of_b != 0 &&
         (begin_a < begin_b ? begin_b - begin_a < bytes_of_a
                            : begin_a - begin_b < bytes_of_b);
}

/* Whether an output is written where another tensor of the caller is. */
static int output_overlaps(const inlay_slot *slot, const inlay_tensor *output,
                           const void *other, uint64_t bytes) {
  return overlap(slot->used, slot->bytes, other, bytes) ||
         overlap(output->data, slot->bytes, other, bytes);
}

static inlay_status check_overlaps(inlay_session *session, uint32_t number,
                                   const inlay_tensor *inputs,
                                   const inlay_tensor *outputs) {
  const inlay_info *info = &session->program->info;
  const inlay_port *port = &info->outputs[number];
  const inlay_slot *slot = &session->outputs[number];
  for (uint32_t i = 0; i != info->num_inputs; ++i)
    if (output_overlaps(slot, &outputs[number], inputs[i].data,
                        session->inputs[i].bytes))
      return inlay_fail(session->text, INLAY_ARGUMENT,
                        "output '%s' overlaps input '%s'", port->name,
                        info->inputs[i].name);
  for (uint32_t i = 0; i != info->num_outputs; ++i)
    if (i != number && output_overlaps(slot, &outputs[number], outputs[i].data,
                                       session->outputs[i].bytes))
      return inlay_fail(session->text, INLAY_ARGUMENT,
                        "output '%s' overlaps output '%s'", port->name,
                        info->outputs[i].name);
  return INLAY_OK;
}

static void copy_inputs(const inlay_session *session,
                        const inlay_tensor *inputs) {
  const inlay_info *info = &session->program->info;
  for (uint32_t i = 0; i != info->num_inputs; ++i) {
    const inlay_slot *slot = &session->inputs[i];
    if (is_spread(&info->inputs[i], slot))
      inlay_spread_elements(session, &info->inputs[i], slot->used,
                            inputs[i].data);
    else if (slot->used != inputs[i].data)
      memcpy(slot->used, inputs[i].data, slot->bytes);
  }
}

inlay_status inlay_take_arguments(inlay_session *session,
                                  const inlay_tensor *inputs, size_t num_inputs,
                                  inlay_tensor *outputs, size_t num_outputs) {
  const inlay_info *info = &session->program->info;
  inlay_status status = check_inputs(session, inputs, num_inputs);
  if (!status)
    status = set_sizes(session);
  if (!status)
    status = check_outputs(session, outputs, num_outputs);
  if (!status)
    status = choose_memories(session, inputs, outputs);
  for (uint32_t i = 0; !status && i != info->num_outputs; ++i)
    status = check_overlaps(session, i, inputs, outputs);
  if (!status)
    copy_inputs(session, inputs);
  return status;
}

void inlay_give_results(const inlay_session *session, inlay_tensor *outputs) {
  const inlay_info *info = &session->program->info;
  for (uint32_t i = 0; i != info->num_outputs; ++i) {
    const inlay_slot *slot = &session->outputs[i];
    if (!outputs[i].data)
      outputs[i].data = slot->used;
    if (is_spread(&info->outputs[i], slot))
      inlay_gather_elements(session, &info->outputs[i], outputs[i].data,
                            slot->used);
    else if (outputs[i].data != slot->used)
      memcpy(outputs[i].data, slot->used, slot->bytes);
    describe(&info->outputs[i], slot, &outputs[i]);
  }
}
