module attributes {inlay.ir_version = 8 : i64, inlay.opsets = {ai.onnx = 17 : i64}} {
  func.func @main(%x: tensor<4xf32> {inlay.name = "x"}) -> (tensor<4xf32> {inlay.name = "y"}) {
    %0 = call @group_0(%x) : (tensor<4xf32>) -> tensor<4xf32> loc(#node)
    %1 = inlay.constant #inlay.data<buffer0, 0, 16> : tensor<4xf32>
    %2 = inlay.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    return %2 : tensor<4xf32>
  }
  func.func private @group_0(%x: tensor<4xf32>) -> tensor<4xf32> attributes {inlay.stages = ["compare"], inlay.target = "opu"} {
    %0 = inlay.relu %x : (tensor<4xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}
#node = loc(fused<#inlay.origin<"n", "Relu", ["r"], {doc = "a node"}>>["m.mlir":1:1])
{-#
  dialect_resources: {
    inlay: {
      buffer0: "0x080000000000803F0000803F0000803F0000803F"
    }
  }
#-}
