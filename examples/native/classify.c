//===- classify.c - Classify an image by a compiled model -----------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   inlay compile ../mini_shufflenet.onnx --dim batch=1 -o mini.so
//   cc classify.c ./mini.so -Wl,-rpath,'$ORIGIN' -o classify
//   ./classify image.ppm
//
//===----------------------------------------------------------------------===//

#include "mini.h"
#include <stdio.h>

/* Reads a picture of 32 x 32 pixels as three planes of numbers from 0 to 1. */
static int read_image(const char *path, float pixels[3][32 * 32]) {
  unsigned char rgb[32 * 32][3];
  FILE *file = fopen(path, "rb");
  int width = 0, height = 0, most = 0;
  int is_read = file &&
                fscanf(file, "P6 %d %d %d", &width, &height, &most) == 3 &&
                fgetc(file) != EOF && width == 32 && height == 32 &&
                most == 255 && fread(rgb, sizeof rgb, 1, file) == 1;
  if (file)
    fclose(file);
  for (int plane = 0; is_read && plane < 3; ++plane)
    for (int i = 0; i < 32 * 32; ++i)
      pixels[plane][i] = rgb[i][plane] / 255.0f;
  return is_read;
}

int main(int argc, char **argv) {
  static float pixels[3][32 * 32];
  if (argc != 2 || !read_image(argv[1], pixels))
    return fprintf(stderr, "usage: classify IMAGE.ppm (32 x 32 pixels)\n"), 2;
  const int64_t dims[] = {1, 3, 32, 32};
  inlay_tensor image = {pixels, INLAY_FLOAT, 4, dims, sizeof pixels};
  inlay_tensor scores = {0};
  inlay_session *session;
  inlay_status status = mini_create(NULL, &session);
  if (status != INLAY_OK)
    return fprintf(stderr, "%s\n", mini_error(NULL)), status;
  status = mini_run(session, &image, 1, &scores, 1);
  if (status != INLAY_OK)
    return fprintf(stderr, "%s\n", mini_error(session)), status;
  const float *score = scores.data;
  int best = 0;
  for (int i = 1; i < scores.dims[1]; ++i)
    best = score[i] > score[best] ? i : best;
  printf("class %d (%.4f)\n", best, score[best]);
  mini_destroy(session);
  return 0;
}
