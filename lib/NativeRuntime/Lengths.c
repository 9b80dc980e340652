//===- Lengths.c - Sizes that a run says ----------------------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lengths.h"
#include "Shape.h"
#include "System.h"

/* More would be no use, and sums and products with sizes stay within 64
 * bits. */
static const int64_t max_length = (int64_t)1 << 32;

//===----------------------------------------------------------------------===//
// Of a run
//===----------------------------------------------------------------------===//

static inlay_status take_length(inlay_session *session, const inlay_port *port,
                                uint32_t number, int64_t found) {
  const inlay_length *length = &session->program->info.lengths[number];
  int64_t *own = &session->lengths[number];
  if (found > length->largest)
    return inlay_fail(session->text, INLAY_ARGUMENT,
                      "input '%s' has %lld for '%s' where at most %lld are "
                      "allowed",
                      port->name, (long long)found, length->name,
                      (long long)length->largest);
  if (*own != 0 && found != *own)
    return inlay_fail(session->text, INLAY_ARGUMENT,
                      "input '%s' has %lld for '%s' where inputs before it "
                      "have %lld",
                      port->name, (long long)found, length->name,
                      (long long)*own);
  *own = found;
  return INLAY_OK;
}

static inlay_status take_lengths_of(inlay_session *session,
                                    const inlay_port *port,
                                    const inlay_tensor *input) {
  inlay_status status = INLAY_OK;
  for (int32_t d = 0; port->lengths && !status && d != port->rank; ++d)
    if (port->lengths[d] != 0)
      status = take_length(session, port, port->lengths[d] - 1, input->dims[d]);
  return status;
}

/* The name of the open length that another one follows from. */
static const char *find_name(const inlay_info *info, uint32_t number) {
  while (info->lengths[number].divide != 0)
    number = info->lengths[number].from;
  return info->lengths[number].name;
}

inlay_status inlay_take_lengths(inlay_session *session,
                                const inlay_tensor *inputs) {
  const inlay_info *info = &session->program->info;
  inlay_status status = INLAY_OK;
  for (uint32_t i = 0; i != info->num_lengths; ++i)
    session->lengths[i] = 0;
  for (uint32_t i = 0; !status && i != info->num_inputs; ++i)
    status = take_lengths_of(session, &info->inputs[i], &inputs[i]);
  for (uint32_t i = 0; !status && i != info->num_lengths; ++i) {
    const inlay_length *length = &info->lengths[i];
    if (length->divide == 0)
      continue;
    int64_t sum = session->lengths[length->from] + length->add;
    if (sum < length->divide)
      return inlay_fail(session->text, INLAY_ARGUMENT,
                        "'%s' is too small: nothing would be left of a "
                        "dimension that follows from it",
                        find_name(info, i));
    session->lengths[i] = sum / length->divide;
  }
  return status;
}

/* Of a dimension that is one of the largest's, and of a length or none. */
static int64_t get_extent(const inlay_session *session, const uint32_t *lengths,
                          uint32_t dim, int64_t largest) {
  return lengths && lengths[dim] != 0 ? session->lengths[lengths[dim] - 1]
                                      : largest;
}

int64_t inlay_run_extent(const inlay_session *session, const inlay_port *port,
                         int32_t dim) {
  return get_extent(session, port->lengths, (uint32_t)dim, port->dims[dim]);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/* Elements of the last dimension that is a length lie side by side, with what
 * is behind it. */
typedef struct lines {
  /* Dimensions in front of it. */
  uint32_t rank;
  uint64_t count;
  /* Bytes of a line of the run and of the largest. */
  uint64_t own, largest;
} lines;

static lines find_lines(const inlay_session *session, const inlay_port *port) {
  lines found = {(uint32_t)port->rank, 1, 0, 0};
  uint64_t bytes = inlay_type_bytes(port->type);
  while (port->lengths[found.rank - 1] == 0)
    bytes *= (uint64_t)port->dims[--found.rank];
  uint32_t number = port->lengths[--found.rank] - 1;
  found.own = bytes * (uint64_t)session->lengths[number];
  found.largest =
      bytes * (uint64_t)session->program->info.lengths[number].largest;
  for (uint32_t d = 0; d != found.rank; ++d)
    found.count *= (uint64_t)inlay_run_extent(session, port, (int32_t)d);
  return found;
}

/* The number among the largest's lines of line `number` of the run. */
static uint64_t find_line(const inlay_session *session, const inlay_port *port,
                          uint32_t rank, uint64_t number) {
  uint64_t line = 0, factor = 1;
  for (uint32_t d = rank; d-- != 0;) {
    uint64_t extent = (uint64_t)inlay_run_extent(session, port, (int32_t)d);
    line += number % extent * factor;
    number /= extent;
    factor *= port->lengths[d] != 0 ? (uint64_t)session->program->info
                                          .lengths[port->lengths[d] - 1]
                                          .largest
                                    : extent;
  }
  return line;
}

/* How many lines lie evenly apart. */
static uint64_t count_even(const inlay_session *session, const inlay_port *port,
                           const lines *all) {
  return all->rank == 0 || all->count == 0
             ? 1
             : (uint64_t)inlay_run_extent(session, port,
                                          (int32_t)all->rank - 1);
}

void inlay_spread_elements(const inlay_session *session, const inlay_port *port,
                           char *to, const char *from) {
  const lines all = find_lines(session, port);
  const uint64_t even = count_even(session, port, &all);
  for (uint64_t i = 0; i < all.count; i += even) {
    char *first = to + find_line(session, port, all.rank, i) * all.largest;
    for (uint64_t j = 0; j != even; ++j)
      memmove(first + j * all.largest, from + (i + j) * all.own, all.own);
  }
}

void inlay_gather_elements(const inlay_session *session, const inlay_port *port,
                           char *to, const char *from) {
  const lines all = find_lines(session, port);
  const uint64_t even = count_even(session, port, &all);
  for (uint64_t i = 0; i < all.count; i += even) {
    const char *first =
        from + find_line(session, port, all.rank, i) * all.largest;
    for (uint64_t j = 0; j != even; ++j)
      memmove(to + (i + j) * all.own, first + j * all.largest, all.own);
  }
}

//===----------------------------------------------------------------------===//
// Borders
//===----------------------------------------------------------------------===//

static void fill(char *to, uint64_t bytes, uint32_t width, uint32_t value) {
  if (value == 0) {
    memset(to, 0, bytes);
    return;
  }
  for (uint64_t i = 0; i != bytes; i += width)
    memcpy(to + i, &value, width);
}

/* How many elements of a dimension a step looks at. */
static uint64_t find_end(const inlay_session *session, const inlay_clear *clear,
                         uint32_t dim) {
  int64_t own = get_extent(session, clear->lengths, dim, clear->dims[dim]);
  int64_t left = clear->dims[dim] - own;
  return (uint64_t)(own +
                    (left < clear->borders[dim] ? left : clear->borders[dim]));
}

/* The elements of dimension `d` that are cleared behind the length of `dim`: in
 * front of that, those of the run; behind, as many as a step looks at. */
typedef struct range {
  uint64_t begin, count;
} range;

static range find_range(const inlay_session *session, const inlay_clear *clear,
                        uint32_t dim, uint32_t d) {
  uint64_t own =
      (uint64_t)get_extent(session, clear->lengths, d, clear->dims[d]);
  if (d < dim)
    return (range){0, own};
  uint64_t begin = d == dim ? own : 0;
  return (range){begin, find_end(session, clear, d) - begin};
}

/* Where line `number` of these begins, of `rank` dimensions. */
static uint64_t find_cleared(const inlay_session *session,
                             const inlay_clear *clear, uint32_t dim,
                             uint32_t rank, uint64_t number) {
  uint64_t place = 0, step = 1;
  for (uint32_t d = rank; d-- != 0;) {
    range own = find_range(session, clear, dim, d);
    place += (own.begin + number % own.count) * step;
    number /= own.count;
    step *= (uint64_t)clear->dims[d];
  }
  return place;
}

/* Lines along the last dimension that is a length, of which those of one
 * dimension lie evenly apart. */
static void clear_border(const inlay_session *session, const inlay_clear *clear,
                         uint32_t dim, char *data) {
  uint32_t last = clear->rank - 1;
  uint64_t element = clear->width, count = 1;
  while (clear->lengths[last] == 0)
    element *= (uint64_t)clear->dims[last--];
  for (uint32_t d = 0; d != last; ++d)
    count *= find_range(session, clear, dim, d).count;
  const range along = find_range(session, clear, dim, last);
  if (count == 0 || along.count == 0)
    return;
  const uint64_t even =
      last == 0 ? 1 : find_range(session, clear, dim, last - 1).count;
  const uint64_t line = (uint64_t)clear->dims[last] * element;
  for (uint64_t i = 0; i != count; i += even) {
    char *to = data + find_cleared(session, clear, dim, last, i) * line +
               along.begin * element;
    for (uint64_t j = 0; j != even; ++j)
      fill(to + j * line, along.count * element, clear->width, clear->value);
  }
}

void inlay_clear_borders(const inlay_session *session, const inlay_step *step,
                         void *const *buffers) {
  for (uint32_t i = 0; i != step->num_clears; ++i) {
    const inlay_clear *clear = &step->clears[i];
    for (uint32_t d = 0; d != clear->rank; ++d)
      if (clear->lengths[d] != 0)
        clear_border(session, clear, d, buffers[clear->buffer]);
  }
}

//===----------------------------------------------------------------------===//
// Whether a program is one
//===----------------------------------------------------------------------===//

static int is_good_length(const inlay_info *info, uint32_t number) {
  const inlay_length *length = &info->lengths[number];
  if (length->largest < 1 || length->largest > max_length)
    return 0;
  if (length->divide == 0)
    return length->name != NULL;
  return length->divide > 0 && length->divide <= max_length &&
         length->from < number && length->add >= -max_length &&
         length->add <= max_length &&
         info->lengths[length->from].largest + length->add >= length->divide &&
         (info->lengths[length->from].largest + length->add) / length->divide ==
             length->largest;
}

int inlay_has_good_lengths(const inlay_info *info) {
  if (info->num_lengths > INLAY_MAX_LENGTHS)
    return 0;
  for (uint32_t i = 0; i != info->num_lengths; ++i)
    if (!is_good_length(info, i))
      return 0;
  return 1;
}

/* What is cleared is the session's own memory, as that of inputs and outputs
 * with lengths is. */
static int may_be_cleared(const inlay_info *info, const inlay_place *place) {
  switch (place->home) {
  case INLAY_ARENA:
    return 1;
  case INLAY_INPUT:
    return place->index < info->num_inputs &&
           info->inputs[place->index].lengths;
  case INLAY_OUTPUT:
    return place->index < info->num_outputs &&
           info->outputs[place->index].lengths;
  default:
    return 0;
  }
}

int inlay_is_good_clear(const inlay_program *program, const inlay_step *step,
                        const inlay_clear *clear) {
  const inlay_info *info = &program->info;
  uint64_t bytes = clear->width;
  if (clear->buffer >= step->num_buffers || clear->width == 0 ||
      clear->width > sizeof clear->value ||
      !may_be_cleared(info, &step->buffers[clear->buffer]))
    return 0;
  for (uint32_t d = 0; d != clear->rank; ++d) {
    uint32_t number = clear->lengths[d];
    if (clear->dims[d] < 1 || clear->borders[d] < 0 ||
        number > info->num_lengths ||
        (number != 0 && info->lengths[number - 1].largest != clear->dims[d]) ||
        __builtin_mul_overflow(bytes, (uint64_t)clear->dims[d], &bytes))
      return 0;
  }
  return bytes <= step->buffers[clear->buffer].bytes;
}
