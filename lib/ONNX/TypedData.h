//===- TypedData.h - Decoding of typed tensor data --------------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_ONNX_TYPEDDATA_H
#define INLAY_LIB_ONNX_TYPEDDATA_H

#include "inlay/ONNX/Proto.h"
#include "inlay/Tensor/HostTensor.h"

namespace inlay {

/// The field of TensorProto that holds elements of a type when they are not
/// raw.
unsigned getTypedDataField(ElementType type);

/// Decodes the typed data of a tensor, whose field must be the type's own and
/// whose dims must be valid, into memory.
llvm::Expected<HostTensor> decodeTypedData(const proto::Tensor &tensor,
                                           ElementType type);

} // namespace inlay

#endif // INLAY_LIB_ONNX_TYPEDDATA_H
