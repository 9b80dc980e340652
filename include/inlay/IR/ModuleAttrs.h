//===- ModuleAttrs.h - What a module keeps of its model ---------*- C++ -*-===//
//
// Part of the Inlay project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_IR_MODULEATTRS_H
#define INLAY_IR_MODULEATTRS_H

namespace inlay::attrs {

// Of the module.
inline constexpr char irVersion[] = "inlay.ir_version";
/// Dictionary from domain to version; ONNX's own domain is "ai.onnx".
inline constexpr char opsets[] = "inlay.opsets";
inline constexpr char producerName[] = "inlay.producer_name";
inline constexpr char producerVersion[] = "inlay.producer_version";
inline constexpr char domain[] = "inlay.domain";
inline constexpr char modelVersion[] = "inlay.model_version";
/// Present where the model declares types of intermediate values.
inline constexpr char hasValueInfo[] = "inlay.has_value_info";
/// Of a module in a file: the data file beside it, as {file, bytes, sha256}.
inline constexpr char data[] = "inlay.data";
/// Nodes that no operation stands for any more, as #inlay.removed.
inline constexpr char removed[] = "inlay.removed";
/// Serialized TrainingInfoProto and DeviceConfigurationProto messages.
inline constexpr char trainingInfo[] = "inlay.training_info";
inline constexpr char deviceConfigurations[] = "inlay.device_configurations";

// Of the module, functions, arguments, results and operations alike.
inline constexpr char doc[] = "inlay.doc";
inline constexpr char metadata[] = "inlay.metadata";

// Of the function that is the graph.
inline constexpr char graphName[] = "inlay.graph_name";
/// Names of the graph's inputs in the model's order, where initializers stand
/// among them (IR versions before 4).
inline constexpr char inputOrder[] = "inlay.input_order";
inline constexpr char quantizationAnnotations[] =
    "inlay.quantization_annotations";

// Of a function that was a group: what the group's attributes were.
inline constexpr char target[] = "inlay.target";
inline constexpr char stages[] = "inlay.stages";
inline constexpr char kernel[] = "inlay.kernel";

// Of arguments and results.
inline constexpr char name[] = "inlay.name";
/// One string per dimension: its symbol, or "" where it has none.
inline constexpr char dims[] = "inlay.dims";
/// The type that the model declares, where it knows less than ours.
inline constexpr char declaredType[] = "inlay.declared_type";
/// The value of an input that the caller does not give.
inline constexpr char defaultValue[] = "inlay.default";

/// Of an operation that other domains than ONNX's own have too: the one that
/// its node was of.
inline constexpr char nodeDomain[] = "inlay.node_domain";

// Of operations with subgraphs: their names.
inline constexpr char graphNames[] = "inlay.graph_names";

} // namespace inlay::attrs

#endif // INLAY_IR_MODULEATTRS_H
