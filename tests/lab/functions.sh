# For the scripts beside it: a folder of their own, and expectations. Sourced with the build tree as the first argument.
warpwright=$(cd "$1" && pwd)/bin/warpwright
workloads=$(cd "$1" && pwd)/workloads
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

fail() { echo "FAILED: $*" >&2; exit 1; }

# expect STATUS COMMAND…: runs it; its output is in the file `output`.
expect() {
  local wanted=$1 status=0
  shift
  "$@" > output 2>&1 || status=$?
  [[ $status == "$wanted" ]] || { cat output >&2; fail "'$*' ended with status $status, not $wanted"; }
}

# said TEXT: the output has it.
said() { grep -qF -- "$1" output || { cat output >&2; fail "the output lacks '$1'"; }; }

# A query of the store, a row a line.
query() { python3 -c 'import sqlite3, sys
for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row, sep="|")' "$1" "$2"; }

# equals VALUE WANTED WHAT
equals() { [[ $1 == "$2" ]] || fail "$3 is '$1', not '$2'"; }
