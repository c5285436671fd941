# What the scripts of this folder share; sourced, with `build` set before the functions are called.

readonly EXIT_SKIPPED=77 # what ctest and automake take for "skipped"
REPOSITORY=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
readonly REPOSITORY

fail_usage() {
  echo "$(basename "$0"): $1" >&2
  usage >&2
  exit 2
}

# The nvcc that NVCC names, the one in PATH, or that of the usual place; nothing when there is none.
find_nvcc() {
  if [[ -n ${NVCC:-} ]]; then
    echo "$NVCC"
  elif ! command -v nvcc && [[ -x /usr/local/cuda/bin/nvcc ]]; then
    echo /usr/local/cuda/bin/nvcc
  fi
}

require_tools() {
  local tool
  for tool in warpwright warpwright-cc; do
    [[ -x $build/bin/$tool ]] || fail_usage "$build/bin/$tool does not exist; build it first"
  done
}

skip_without_nvcc() {
  [[ -z $nvcc ]] || return 0
  echo "skipped: there is no nvcc, neither in PATH nor in /usr/local/cuda/bin; NVCC names one"
  exit $EXIT_SKIPPED
}

# compile NAME LOG COMPILER...: says so when it fails.
compile() {
  local name=$1 log=$2
  shift 2
  "$@" > "$log" 2>&1 && return
  echo "$name: $1 failed"
  sed 's/^/  /;20q' "$log"
  return 1
}

# report_difference NAME FILE_OWN FILE_NVCC: the two outputs side by side, and what was said on stderr.
report_difference() {
  echo "$1: differs"
  diff --label warpwright-cc --label nvcc -U 20 "$2.out" "$3.out" || true
  sed 's/^/  warpwright-cc: /' "$2.err"
  sed 's/^/  nvcc: /' "$3.err"
}

# toolkit_of NVCC: the folder of the CUDA toolkit that this nvcc works with; itself it may be a script or a link from elsewhere.
toolkit_of() {
  "$1" --dryrun -x cu /dev/null -o /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p'
}
