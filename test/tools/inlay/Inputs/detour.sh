# detour.sh INLAY FOLDER TARGET [FLAG...]: compiles FOLDER/here/m.onnx directly,
# and by way of a module that moves to FOLDER/there; both are the same bytes.
inlay=$1 work=$2 target=$3
shift 3
$inlay compile $work/here/m.onnx --dim batch=1 -t $target "$@" -o $work/direct.onnx
$inlay compile $work/here/m.onnx --dim batch=1 -t $target "$@" -o $work/here/part.mlir
mv $work/here/part.mlir $work/here/part.mlir.data $work/there
cd /
$inlay compile $work/there/part.mlir -t $target "$@" -o $work/detour.onnx
cmp $work/direct.onnx $work/detour.onnx
