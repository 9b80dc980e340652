# Compiles a model below many limits of memory, each 128 kB above the one before,
# and tells what ends otherwise than by a model or an error.
#   memory.sh INLAY MODEL FOLDER
inlay=$1 model=$2 folder=$3
limits=0 refused=0 enough=0

# The least limit under which the program starts at all.
starts() { (ulimit -v "$1" && exec "$inlay" --version) >/dev/null 2>&1; }
start=65536
until starts $start; do start=$((start + 8192)); done
start=$((start - 8192))
until starts $start; do start=$((start + 128)); done
for ((limit = start; enough < 2; limit += 128)); do
  limits=$((limits + 1))
  said=$(ulimit -v $limit && "$inlay" compile "$model" --dim batch=1 -t nhwc --quiet -o "$folder/net.onnx" 2>&1)
  code=$?
  case $code in
    0) enough=$((enough + 1)); rm "$folder/net.onnx" ;;
    71) refused=$((refused + 1)); grep -qE '^inlay: error: (out of memory|the machine has no|cannot start)' <<<"$said" || echo "wrong: $said" ;;
    6) refused=$((refused + 1)); grep -q 'Cannot allocate memory' <<<"$said" || echo "wrong: $said" ;;
    *) echo "wrong: exit code $code below $limit kB: $said" ;;
  esac
  [ -z "$(ls -A "$folder")" ] || echo "wrong: left a file below $limit kB"
done
echo "$limits limits: $refused refused, $enough enough"
