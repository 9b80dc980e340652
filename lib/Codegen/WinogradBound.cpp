//===- WinogradBound.cpp - What Winograd's products lose ------------------===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WinogradBound.h"
#include <cmath>

using namespace inlay;

/// Roundings of a term besides those of the sum over channels, at most: of each
/// of two steps of a transform of data three sums and a factor, of results one
/// sum more, of weights one less.
static constexpr int64_t transformRoundings = 2 * 4 + 2 * 5 + 2 * 3;

namespace {
using Matrix = Winograd::Matrix;

/// Sums of magnitudes, as a tile's transforms and products make them.
class MagnitudeSums {
public:
  MagnitudeSums(const WinogradLayer &layer, int64_t outputs,
                const HostTensor &data, const HostTensor &weights);

  std::vector<double> getAll() const;

private:
  void addWeights(const HostTensor &weights);
  std::vector<double> getPatch(int64_t batch, int64_t channel, int64_t top,
                               int64_t left) const;
  void addTile(int64_t batch, int64_t top, int64_t left,
               std::vector<double> &all) const;

  const WinogradLayer &layer;
  const Winograd &winograd;
  const HostTensor &data;
  /// |B'|, |G| and |A'|.
  Matrix dataMatrix, weightMatrix, resultMatrix;
  /// By plane, channel and column.
  std::vector<double> transformed;
};
} // namespace

static Matrix getMagnitudes(Matrix matrix) {
  for (std::vector<double> &row : matrix)
    for (double &element : row)
      element = std::fabs(element);
  return matrix;
}

/// M x M' of a square `from`.
static std::vector<double> transform(const Matrix &matrix,
                                     llvm::ArrayRef<double> from) {
  size_t size = matrix.size(), inner = matrix.front().size();
  std::vector<double> half(size * inner, 0.0), to(size * size, 0.0);
  for (size_t y = 0; y < size; ++y)
    for (size_t k = 0; k < inner; ++k)
      for (size_t x = 0; x < inner; ++x)
        half[y * inner + x] += matrix[y][k] * from[k * inner + x];
  for (size_t y = 0; y < size; ++y)
    for (size_t x = 0; x < size; ++x)
      for (size_t k = 0; k < inner; ++k)
        to[y * size + x] += half[y * inner + k] * matrix[x][k];
  return to;
}

MagnitudeSums::MagnitudeSums(const WinogradLayer &layer, int64_t outputs,
                             const HostTensor &data, const HostTensor &weights)
    : layer(layer), winograd(Winograd::get(outputs)), data(data),
      dataMatrix(getMagnitudes(winograd.getDataMatrix())),
      weightMatrix(getMagnitudes(winograd.getWeightMatrix())),
      resultMatrix(getMagnitudes(winograd.getResultMatrix())) {
  addWeights(weights);
}

void MagnitudeSums::addWeights(const HostTensor &weights) {
  int64_t planes = winograd.getNumPlanes();
  constexpr int64_t all = Winograd::taps * Winograd::taps;
  transformed.resize(planes * layer.channels * layer.columns);
  for (int64_t column = 0; column < layer.columns; ++column)
    for (int64_t channel = 0; channel < layer.channels; ++channel) {
      std::vector<double> taps;
      taps.reserve(all);
      for (int64_t i = 0; i < all; ++i)
        taps.push_back(
            weights.getDouble((column * layer.channels + channel) * all + i));
      std::vector<double> own = transform(weightMatrix, taps);
      for (int64_t plane = 0; plane < planes; ++plane)
        transformed[(plane * layer.channels + channel) * layer.columns +
                    column] = own[plane];
    }
}

/// Zeros are around the data.
std::vector<double> MagnitudeSums::getPatch(int64_t batch, int64_t channel,
                                            int64_t top, int64_t left) const {
  std::vector<double> patch;
  int64_t height = layer.data[0], width = layer.data[1];
  int64_t start = (batch * layer.channels + channel) * height * width;
  for (int64_t y = top; y < top + winograd.getInputs(); ++y)
    for (int64_t x = left; x < left + winograd.getInputs(); ++x) {
      bool isInside = y >= 0 && y < height && x >= 0 && x < width;
      patch.push_back(isInside ? data.getDouble(start + y * width + x) : 0);
    }
  return patch;
}

void MagnitudeSums::addTile(int64_t batch, int64_t top, int64_t left,
                            std::vector<double> &all) const {
  int64_t planes = winograd.getNumPlanes(), outputs = winograd.getOutputs();
  std::vector<double> sums(layer.columns * planes, 0.0);
  for (int64_t channel = 0; channel < layer.channels; ++channel) {
    std::vector<double> own =
        transform(dataMatrix, getPatch(batch, channel, top - layer.pads[0],
                                       left - layer.pads[1]));
    for (int64_t plane = 0; plane < planes; ++plane) {
      const double *line =
          &transformed[(plane * layer.channels + channel) * layer.columns];
      for (int64_t column = 0; column < layer.columns; ++column)
        sums[column * planes + plane] += own[plane] * line[column];
    }
  }
  int64_t height = layer.results[0], width = layer.results[1];
  for (int64_t column = 0; column < layer.columns; ++column) {
    std::vector<double> tile = transform(
        resultMatrix, llvm::ArrayRef(sums).slice(column * planes, planes));
    int64_t start = (batch * layer.columns + column) * height * width;
    for (int64_t y = 0; y < std::min(outputs, height - top); ++y)
      for (int64_t x = 0; x < std::min(outputs, width - left); ++x)
        all[start + (top + y) * width + left + x] = tile[y * outputs + x];
  }
}

std::vector<double> MagnitudeSums::getAll() const {
  std::vector<double> all(layer.batch * layer.columns * layer.results[0] *
                          layer.results[1]);
  for (int64_t batch = 0; batch < layer.batch; ++batch)
    for (int64_t y = 0; y < layer.results[0]; y += winograd.getOutputs())
      for (int64_t x = 0; x < layer.results[1]; x += winograd.getOutputs())
        addTile(batch, y, x, all);
  return all;
}

std::vector<double> inlay::boundWinograd(const WinogradLayer &layer,
                                         int64_t outputs,
                                         const HostTensor &data,
                                         const HostTensor &weights) {
  std::vector<double> errors =
      MagnitudeSums(layer, outputs, data, weights).getAll();
  double share = 4 *
                 std::sqrt(double(Winograd::countSums(layer.channels) +
                                  transformRoundings)) *
                 0x1p-24;
  for (double &error : errors)
    error *= share;
  return errors;
}
