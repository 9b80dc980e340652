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
// Of several samples at hand, a step with large weights runs some turns for
// each before the next ones: what these read of the weights stays in a cache.
//
//===----------------------------------------------------------------------===//

#include "Steps.h"
#include "Arguments.h"
#include "Lengths.h"
#include "System.h"

uint64_t inlay_count_buffers(const inlay_program *program) {
  uint64_t count = 0;
  for (uint64_t i = 0; i != program->num_steps; ++i)
    count += program->steps[i].num_buffers;
  return count;
}

int64_t inlay_count_turns(const inlay_turns *turns, const int64_t *lengths) {
  if (turns->block == 0)
    return turns->fixed;
  int64_t length = lengths[turns->length];
  return turns->fixed +
         (length + turns->block - 1) / turns->block * turns->turns;
}

static int is_worth_threads(const inlay_step *step, const int64_t *lengths) {
  return inlay_count_turns(&step->extent, lengths) > step->grain;
}

int inlay_has_shared_steps(const inlay_program *program,
                           const int64_t *lengths) {
  for (uint64_t i = 0; i != program->num_steps; ++i)
    if (is_worth_threads(&program->steps[i], lengths))
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
  int64_t at_once = session->program->samples_at_once;
  switch (place->home) {
  case INLAY_ARENA:
    return session->memory.data
               ? session->memory.data +
                     session->arena_stride * (uint64_t)(sample % at_once)
               : NULL;
  case INLAY_INPUT:
    return find_sample(&session->inputs[place->index],
                       &info->inputs[place->index], sample);
  case INLAY_OUTPUT:
    return find_sample(&session->outputs[place->index],
                       &info->outputs[place->index], sample);
  case INLAY_WEIGHTS:
    // Kernels only read them.
    return (char *)inlay_weights_data(session->weights);
  case INLAY_LENGTH:
    return (char *)&session->lengths[place->index];
  default:
    return session->scratch;
  }
}

static char *find_place(const inlay_session *session, const inlay_place *place,
                        int64_t sample) {
  char *home = find_home(session, place, sample);
  return home ? home + place->offset : NULL;
}

static void **find_sample_buffers(const inlay_session *session, int64_t sample,
                                  void **next) {
  const inlay_program *program = session->program;
  for (uint64_t i = 0; i != program->num_steps; ++i)
    for (uint32_t b = 0; b != program->steps[i].num_buffers; ++b)
      *next++ = find_place(session, &program->steps[i].buffers[b], sample);
  return next;
}

/* Of the samples at hand, which begin with `first`. */
static void find_buffers(inlay_session *session, int64_t first) {
  void **next = session->buffers;
  for (int64_t i = 0; i != session->at_hand; ++i)
    next = find_sample_buffers(session, first + i, next);
}

static int64_t read_index(const void *data, uint32_t width, uint64_t number) {
  return width == 4 ? ((const int32_t *)data)[number]
                    : ((const int64_t *)data)[number];
}

static int check_buffer_of_indices(inlay_session *session,
                                   const inlay_step *step,
                                   const inlay_indices *indices,
                                   const void *data) {
  // What lies behind the length of the run is no index.
  uint64_t count =
      indices->per_length != 0
          ? (uint64_t)(session->lengths[indices->length] * indices->per_length)
          : step->buffers[indices->buffer].bytes / indices->width;
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

/* Whether all indices of a step are allowed, of all samples at hand; else a
 * text says which is not. */
static int check_indices(inlay_session *session, const inlay_step *step,
                         void *const *buffers) {
  for (int64_t s = 0; s != session->at_hand; ++s)
    for (uint32_t i = 0; i != step->num_indices; ++i)
      if (!check_buffer_of_indices(session, step, &step->indices[i],
                                   buffers[(uint64_t)s * session->num_buffers +
                                           step->indices[i].buffer]))
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

/* Turns of a kernel for samples whose buffers lie `stride` apart. */
typedef struct turns {
  inlay_kernel kernel;
  void *const *buffers;
  int64_t samples;
  uint64_t stride;
  int64_t extent, grain;
  /* As many as are run for all samples before the next ones. */
  int64_t piece;
} turns;

/* So many bytes of weights stay in a cache while all samples are computed. */
static const uint64_t cached_bytes = 512 * 1024;

static int64_t find_piece(const inlay_step *step, int64_t extent) {
  uint64_t bytes = 0;
  for (uint32_t i = 0; i != step->num_buffers; ++i)
    if (step->buffers[i].home == INLAY_WEIGHTS)
      bytes += step->buffers[i].bytes;
  uint64_t pieces = bytes / cached_bytes;
  if (pieces <= 1)
    return extent;
  int64_t piece = (int64_t)((uint64_t)extent / pieces);
  return piece == 0 ? 1 : piece;
}

static void run_turns(const turns *own, int64_t begin, int64_t end) {
  for (int64_t next; begin != end; begin = next) {
    next = part_end(begin, own->piece, end);
    for (int64_t s = 0; s != own->samples; ++s)
      own->kernel(own->buffers + (uint64_t)s * own->stride, begin, next);
  }
}

static void take_parts(inlay_team *team, const turns *own) {
  for (int64_t begin = atomic_load(&team->next); begin < own->extent;) {
    int64_t share = get_share(team, own->extent - begin, own->grain);
    int64_t end = part_end(begin, share, own->extent);
    if (!atomic_compare_exchange_weak(&team->next, &begin, end))
      continue;
    run_turns(own, begin, end);
    begin = atomic_load(&team->next);
  }
}

static turns get_turns(const inlay_session *session, const inlay_step *step,
                       void *const *buffers) {
  int64_t samples = session->at_hand;
  int64_t extent = inlay_count_turns(&step->extent, session->lengths);
  return (turns){step->run,
                 buffers,
                 samples,
                 session->num_buffers,
                 extent,
                 step->grain,
                 samples == 1 ? extent : find_piece(step, extent)};
}

/* What is run before the turns of one sample. */
static turns get_packing(const inlay_session *session, const inlay_step *step,
                         void *const *buffers) {
  int64_t extent = inlay_count_turns(&step->pack_extent, session->lengths);
  return (turns){step->pack, buffers, 1, 0, extent, 1, extent};
}

/* A step that packs does so for one sample after another, as there is memory
 * for one. */
static turns get_sample(const turns *all, int64_t sample) {
  turns own = *all;
  own.buffers += (uint64_t)sample * all->stride;
  own.samples = 1;
  own.piece = all->extent;
  return own;
}

/* What one thread does in front of a step: what it reads may have to be checked
 * or cleared. Whether it may run. */
static int prepare(inlay_session *session, const inlay_step *step,
                   void *const *buffers) {
  inlay_clear_borders(session, step, buffers);
  return check_indices(session, step, buffers);
}

static int run_alone(inlay_session *session, const inlay_step *step,
                     void *const *buffers) {
  if (!prepare(session, step, buffers))
    return 0;
  turns all = get_turns(session, step, buffers);
  if (!step->pack)
    run_turns(&all, 0, all.extent);
  for (int64_t s = 0; step->pack && s != all.samples; ++s) {
    turns own = get_sample(&all, s),
          packing = get_packing(session, step, own.buffers);
    run_turns(&packing, 0, packing.extent);
    run_turns(&own, 0, own.extent);
  }
  return 1;
}

static void run_shared(inlay_session *session, const inlay_step *step,
                       void *const *buffers, uint32_t thread) {
  inlay_team *team = &session->team;
  turns all = get_turns(session, step, buffers);
  if (!step->pack) {
    take_parts(team, &all);
    inlay_team_meet(team, thread, 1);
  }
  for (int64_t s = 0; step->pack && s != all.samples; ++s) {
    turns own = get_sample(&all, s),
          packing = get_packing(session, step, own.buffers);
    take_parts(team, &packing);
    inlay_team_meet(team, thread, 1);
    take_parts(team, &own);
    inlay_team_meet(team, thread, 1);
  }
}

void inlay_walk_steps(inlay_session *session, uint32_t thread) {
  inlay_team *team = &session->team;
  void **buffers = session->buffers;
  // The next run may have others already when a thread gets to the end.
  int64_t lengths[INLAY_MAX_LENGTHS];
  memcpy(lengths, session->lengths,
         session->program->info.num_lengths * sizeof *lengths);
  // All threads have the same view of whether number 0 has done something;
  // that it failed only number 0 knows until they meet.
  int must_meet = 0, goes_on = 1;
  const inlay_step *step = session->program->steps;
  const inlay_step *end = step + session->program->num_steps;
  for (; step != end; buffers += step->num_buffers, ++step) {
    if (inlay_count_turns(&step->extent, lengths) == 0)
      continue;
    int is_shared = team->size > 1 && is_worth_threads(step, lengths);
    if (!is_shared || step->num_indices != 0 || step->num_clears != 0) {
      if (thread == 0 && goes_on)
        goes_on = is_shared ? prepare(session, step, buffers)
                            : run_alone(session, step, buffers);
      must_meet = 1;
    }
    if (!is_shared)
      continue;
    if (must_meet && !inlay_team_meet(team, thread, goes_on))
      return;
    must_meet = 0;
    run_shared(session, step, buffers, thread);
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

/* Runs all steps for the samples at hand, which begin with `first`. */
static inlay_status run_samples(inlay_session *session, int64_t first) {
  find_buffers(session, first);
  if (session->team.size > 1 && session->has_shared_steps)
    inlay_team_wake(&session->team);
  inlay_walk_steps(session, 0);
  // Steps fail by leaving a text only.
  if (session->text[0])
    return INLAY_ARGUMENT;
  for (int64_t i = 0; i != session->at_hand; ++i)
    copy_outputs(session, first + i);
  return INLAY_OK;
}

inlay_status inlay_run_steps(inlay_session *session) {
  inlay_status status = INLAY_OK;
  // Threads that never meet would not have to be there before the next run.
  if (session->program->info.num_lengths != 0)
    session->has_shared_steps =
        inlay_has_shared_steps(session->program, session->lengths);
  int64_t at_once = session->program->samples_at_once;
  for (int64_t first = 0; !status && first != session->samples;
       first += session->at_hand) {
    int64_t left = session->samples - first;
    session->at_hand = left < at_once ? left : at_once;
    status = run_samples(session, first);
  }
  return status;
}
