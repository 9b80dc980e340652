//===- Steps.c - Running the steps of a program ---------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every thread walks all steps. It takes part in those that are worth it, and
// passes by the others, which number 0 runs alone. All meet behind a step that
// they shared, and in front of one if number 0 has done something since: no
// more than that is needed, and steps of one thread cost no meeting.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "Arguments.h"
#include "System.h"

uint64_t inlay_count_buffers(const inlay_program *program) {
  uint64_t count = 0;
  for (uint64_t i = 0; i != program->num_steps; ++i)
    count += program->steps[i].num_buffers;
  return count;
}

static int is_worth_threads(const inlay_step *step) {
  return step->extent > step->grain;
}

int inlay_has_shared_steps(const inlay_program *program) {
  for (uint64_t i = 0; i != program->num_steps; ++i)
    if (is_worth_threads(&program->steps[i]))
      return 1;
  return 0;
}

/* Where a sample is in an input or output; all of it where that is not open. */
static char *find_sample(const inlay_slot *slot, const inlay_port *port,
                         int64_t sample) {
  return port->per_sample == 0 || !slot->used
             ? slot->used
             : slot->used + port->bytes * (uint64_t)sample;
}

static char *find_home(const inlay_session *session, const inlay_place *place,
                       int64_t sample) {
  const inlay_info *info = &session->program->info;
  switch (place->home) {
  case INLAY_ARENA:
    return session->memory.data;
  case INLAY_INPUT:
    return find_sample(&session->inputs[place->index],
                       &info->inputs[place->index], sample);
  case INLAY_OUTPUT:
    return find_sample(&session->outputs[place->index],
                       &info->outputs[place->index], sample);
  case INLAY_WEIGHTS:
    // Kernels only read them.
    return (char *)inlay_weights_data(session->weights);
  default:
    return session->scratch;
  }
}

static char *find_place(const inlay_session *session, const inlay_place *place,
                        int64_t sample) {
  char *home = find_home(session, place, sample);
  return home ? home + place->offset : NULL;
}

static void find_buffers(inlay_session *session, int64_t sample) {
  const inlay_program *program = session->program;
  void **next = session->buffers;
  for (uint64_t i = 0; i != program->num_steps; ++i)
    for (uint32_t b = 0; b != program->steps[i].num_buffers; ++b)
      *next++ = find_place(session, &program->steps[i].buffers[b], sample);
}

static int64_t read_index(const void *data, uint32_t width, uint64_t number) {
  return width == 4 ? ((const int32_t *)data)[number]
                    : ((const int64_t *)data)[number];
}

static int check_buffer_of_indices(inlay_session *session,
                                   const inlay_step *step,
                                   const inlay_indices *indices,
                                   const void *data) {
  uint64_t count = step->buffers[indices->buffer].bytes / indices->width;
  for (uint64_t i = 0; i != count; ++i) {
    int64_t index = read_index(data, indices->width, i);
    int64_t extent = indices->extents[i % indices->num_extents];
    if (index >= -extent && index < extent)
      continue;
    inlay_fail(session->text, INLAY_ARGUMENT,
               "step '%s': index %lld is out of range: %lld to %lld are "
               "allowed",
               step->name, (long long)index, (long long)-extent,
               (long long)extent - 1);
    return 0;
  }
  return 1;
}

/* Whether all indices of a step are allowed; else a text says which is not. */
static int check_indices(inlay_session *session, const inlay_step *step,
                         void *const *buffers) {
  for (uint32_t i = 0; i != step->num_indices; ++i)
    if (!check_buffer_of_indices(session, step, &step->indices[i],
                                 buffers[step->indices[i].buffer]))
      return 0;
  return 1;
}

static int64_t part_end(int64_t begin, int64_t grain, int64_t extent) {
  return extent - begin < grain ? extent : begin + grain;
}

/* Half of what each thread would get of the turns that are left, in whole
 * grains: the first parts are large, as kernels prepare something for each,
 * and the last ones small, so that all are done at about the same time. */
static int64_t get_share(const inlay_team *team, int64_t left, int64_t grain) {
  int64_t grains = left / grain / (2 * (int64_t)team->size);
  return grains > 1 ? grains * grain : grain;
}

static void take_parts(inlay_team *team, inlay_kernel kernel,
                       void *const *buffers, int64_t extent, int64_t grain) {
  for (int64_t begin = atomic_load(&team->next); begin < extent;) {
    int64_t share = get_share(team, extent - begin, grain);
    int64_t end = part_end(begin, share, extent);
    if (!atomic_compare_exchange_weak(&team->next, &begin, end))
      continue;
    kernel(buffers, begin, end);
    begin = atomic_load(&team->next);
  }
}

static int run_alone(inlay_session *session, const inlay_step *step,
                     void *const *buffers) {
  if (!check_indices(session, step, buffers))
    return 0;
  if (step->pack)
    step->pack(buffers, 0, step->pack_extent);
  step->run(buffers, 0, step->extent);
  return 1;
}

static void run_shared(inlay_team *team, const inlay_step *step,
                       void *const *buffers, uint32_t thread) {
  if (step->pack) {
    take_parts(team, step->pack, buffers, step->pack_extent, 1);
    inlay_team_meet(team, thread, 1);
  }
  take_parts(team, step->run, buffers, step->extent, step->grain);
  inlay_team_meet(team, thread, 1);
}

void inlay_walk_steps(inlay_session *session, uint32_t thread) {
  inlay_team *team = &session->team;
  void **buffers = session->buffers;
  // All threads have the same view of whether number 0 has done something;
  // that it failed only number 0 knows until they meet.
  int must_meet = 0, goes_on = 1;
  const inlay_step *step = session->program->steps;
  const inlay_step *end = step + session->program->num_steps;
  for (; step != end; buffers += step->num_buffers, ++step) {
    if (step->extent == 0)
      continue;
    int is_shared = team->size > 1 && is_worth_threads(step);
    if (!is_shared || step->num_indices != 0) {
      if (thread == 0 && goes_on)
        goes_on = is_shared ? check_indices(session, step, buffers)
                            : run_alone(session, step, buffers);
      must_meet = 1;
    }
    if (!is_shared)
      continue;
    if (must_meet && !inlay_team_meet(team, thread, goes_on))
      return;
    must_meet = 0;
    run_shared(team, step, buffers, thread);
  }
}

static void copy_outputs(const inlay_session *session, int64_t sample) {
  const inlay_program *program = session->program;
  for (uint64_t i = 0; i != program->num_copies; ++i) {
    const inlay_copy *copy = &program->copies[i];
    const inlay_port *port = &program->info.outputs[copy->output];
    if (copy->from.bytes != 0)
      memcpy(find_sample(&session->outputs[copy->output], port, sample),
             find_place(session, &copy->from, sample), copy->from.bytes);
  }
}

static inlay_status run_sample(inlay_session *session, int64_t sample) {
  find_buffers(session, sample);
  if (session->team.size > 1 && session->has_shared_steps)
    inlay_team_wake(&session->team);
  inlay_walk_steps(session, 0);
  // Steps fail by leaving a text only.
  if (session->text[0])
    return INLAY_ARGUMENT;
  copy_outputs(session, sample);
  return INLAY_OK;
}

inlay_status inlay_run_steps(inlay_session *session) {
  inlay_status status = INLAY_OK;
  for (int64_t i = 0; !status && i != session->samples; ++i)
    status = run_sample(session, i);
  return status;
}
