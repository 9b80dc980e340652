//===- Session.c - The life of a session ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Session.h"
#include "Arguments.h"
#include "CheckProgram.h"
#include "Cpu.h"
#include "Float.h"
#include "Steps.h"
#include "System.h"

static uint64_t round_up(uint64_t bytes) { return (bytes + 63) / 64 * 64; }

static inlay_status check_options(const inlay_options *options, char *text) {
  if (options->abi != INLAY_ABI)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "the options have the ABI %u where %u is required",
                      options->abi, INLAY_ABI);
  if (options->threads > INLAY_MAX_THREADS)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "%u threads are asked for where %d are allowed",
                      options->threads, INLAY_MAX_THREADS);
  return INLAY_OK;
}

static inlay_status check_cpu(const inlay_program *program, char *text) {
  if (inlay_cpu_has(program->required_cpu))
    return INLAY_OK;
  return inlay_fail(text, INLAY_UNSUPPORTED,
                    "the model was made for %s, which this CPU is not",
                    program->info.cpu);
}

/* Whether a run says its shape. */
static int is_open(const inlay_port *port) {
  return port->per_sample != 0 || port->lengths;
}

/* How many numbers the shapes of open outputs have. */
static uint64_t count_open_dims(const inlay_info *info) {
  uint64_t count = 0;
  for (uint32_t i = 0; i != info->num_outputs; ++i)
    if (is_open(&info->outputs[i]))
      count += (uint64_t)info->outputs[i].rank;
  return count;
}

/* `dims` are for the shapes of open outputs. */
static void set_shapes(inlay_session *session, int64_t *dims) {
  const inlay_info *info = &session->program->info;
  for (uint32_t i = 0; i != info->num_outputs; ++i) {
    const inlay_port *port = &info->outputs[i];
    session->outputs[i].dims = port->dims;
    if (!is_open(port))
      continue;
    session->outputs[i].dims = dims;
    for (int32_t d = 0; d != port->rank; ++d)
      *dims++ = port->dims[d];
  }
}

/* The session with its tables, in one piece of memory. */
static inlay_session *make_tables(const inlay_program *program) {
  const inlay_info *info = &program->info;
  uint64_t num_slots = (uint64_t)info->num_inputs + info->num_outputs;
  uint64_t num_buffers = inlay_count_buffers(program);
  uint64_t num_pointers = num_buffers * program->samples_at_once;
  inlay_memory tables;
  if (!inlay_memory_take(&tables, sizeof(inlay_session) +
                                      num_slots * sizeof(inlay_slot) +
                                      num_pointers * sizeof(void *) +
                                      count_open_dims(info) * sizeof(int64_t)))
    return NULL;
  inlay_session *session = (inlay_session *)tables.data;
  session->tables = tables;
  session->program = program;
  session->process = getpid();
  // Those of runs are never larger.
  for (uint32_t i = 0; i != info->num_lengths; ++i)
    session->lengths[i] = info->lengths[i].largest;
  session->has_shared_steps = inlay_has_shared_steps(program, session->lengths);
  session->inputs = (inlay_slot *)(session + 1);
  session->outputs = session->inputs + info->num_inputs;
  session->buffers = (void **)(session->inputs + num_slots);
  session->num_buffers = num_buffers;
  set_shapes(session, (int64_t *)(session->buffers + num_pointers));
  return session;
}

static inlay_status take_memory(inlay_session *session, char *text) {
  const inlay_program *program = session->program;
  uint64_t stride = round_up(program->info.arena_bytes), arena, total;
  if (stride < program->info.arena_bytes ||
      __builtin_mul_overflow(stride, program->samples_at_once, &arena) ||
      __builtin_add_overflow(arena, program->scratch_bytes, &total) ||
      !inlay_memory_take(&session->memory, total))
    return inlay_fail(text, INLAY_MEMORY,
                      "no memory for an arena of %llu bytes and %llu more",
                      (unsigned long long)program->info.arena_bytes,
                      (unsigned long long)program->scratch_bytes);
  session->arena_stride = stride;
  session->scratch = total == arena ? NULL : session->memory.data + arena;
  return INLAY_OK;
}

static inlay_status fill_session(inlay_session *session,
                                 const inlay_options *options, char *text) {
  uint32_t threads = options->threads ? options->threads : 1;
  inlay_status status = take_memory(session, text);
  if (!status)
    status =
        inlay_weights_take(session->program, options, &session->weights, text);
  if (!status)
    status = inlay_team_start(&session->team, threads, inlay_walk_steps,
                              session, text);
  return status;
}

inlay_status inlay_create(const inlay_program *program,
                          const inlay_options *options,
                          inlay_session **session) {
  const inlay_options defaults = {.abi = INLAY_ABI};
  if (!options)
    options = &defaults;
  char *text = inlay_thread_text();
  text[0] = 0;
  if (!session)
    return inlay_fail(text, INLAY_ARGUMENT,
                      "there is no place for the session");
  *session = NULL;
  inlay_status status = check_options(options, text);
  if (!status)
    status = inlay_check_program(program, text);
  if (!status)
    status = check_cpu(program, text);
  if (status)
    return status;
  inlay_session *made = make_tables(program);
  if (!made)
    return inlay_fail(text, INLAY_MEMORY, "no memory for a session");
  status = fill_session(made, options, text);
  if (status)
    inlay_destroy(made);
  else
    *session = made;
  return status;
}

/* With the session taken. */
static inlay_status run_taken(inlay_session *session,
                              const inlay_tensor *inputs, size_t num_inputs,
                              inlay_tensor *outputs, size_t num_outputs) {
  session->text[0] = 0;
  inlay_status status =
      inlay_take_arguments(session, inputs, num_inputs, outputs, num_outputs);
  if (status)
    return status;
  const inlay_float_mode callers = inlay_get_float_mode();
  inlay_set_float_mode(inlay_default_float_mode());
  status = inlay_run_steps(session);
  inlay_set_float_mode(callers);
  if (!status)
    inlay_give_results(session, outputs);
  return status;
}

inlay_status inlay_run(inlay_session *session, const inlay_tensor *inputs,
                       size_t num_inputs, inlay_tensor *outputs,
                       size_t num_outputs) {
  inlay_set_busy(NULL);
  if (!session)
    return inlay_fail(inlay_thread_text(), INLAY_ARGUMENT,
                      "the session is NULL");
  if (session->process != getpid())
    return inlay_fail(session->text, INLAY_FORKED,
                      "the session was made before a fork");
  if (atomic_exchange(&session->is_running, 1)) {
    inlay_set_busy(session);
    return inlay_fail(inlay_thread_text(), INLAY_ARGUMENT,
                      "the session is running already");
  }
  inlay_status status =
      run_taken(session, inputs, num_inputs, outputs, num_outputs);
  atomic_store(&session->is_running, 0);
  return status;
}

static void give_slots(inlay_slot *slots, uint32_t count) {
  for (uint32_t i = 0; i != count; ++i)
    inlay_memory_give(&slots[i].own);
}

void inlay_destroy(inlay_session *session) {
  if (!session)
    return;
  // A child of a fork has a copy of the memory, but no threads to wait for.
  if (session->process == getpid())
    inlay_team_stop(&session->team);
  else
    free(session->team.workers);
  inlay_weights_give(session->weights);
  give_slots(session->inputs, session->program->info.num_inputs);
  give_slots(session->outputs, session->program->info.num_outputs);
  inlay_memory_give(&session->memory);
  inlay_memory tables = session->tables;
  inlay_memory_give(&tables);
}

const char *inlay_error(const inlay_session *session) {
  return session && inlay_get_busy() != session ? session->text
                                                : inlay_thread_text();
}
