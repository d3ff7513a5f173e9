#!/usr/bin/env bash
# Do trainers learn the answers that marks of a file allow, and no other ones? The studio writes rows with such marks in the form
# of each trainer, as a download and as a job does, with the job's config. Each trainer sets its labels, and the text of its
# tokens with labels is compared with what may be learnt.
# $AXOLOTL_PYTHON, $SWIFT_PYTHON, $LLAMAFACTORY_PYTHON, $TRL_PYTHON: environments that have the packages already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export DO_NOT_TRACK=1
install() { # name, python, packages
  local name=$1 python=$2
  shift 2
  "$python" -m venv "$folder/$name" >&2
  # Without CUDA where that can be had.
  "$folder/$name/bin/pip" install -q torch --index-url https://download.pytorch.org/whl/cpu --retries 0 >&2 || true
  "$folder/$name/bin/pip" install -q "$@" >&2
  echo "$folder/$name/bin/python"
}
# It needs Python 3.12.
axolotl=${AXOLOTL_PYTHON:-$(install axolotl python3.12 axolotl==0.21.0)}
swift=${SWIFT_PYTHON:-$(install swift python3 ms-swift==4.6.0)}
llamafactory=${LLAMAFACTORY_PYTHON:-$(install llamafactory python3 llamafactory==0.9.5 torch==2.13.0)}
trl=${TRL_PYTHON:-$(install trl python3 trl==1.16.0)}
"$trl" "$here/rows.py" make "$folder" >"$folder/make.log" 2>&1 || { tail "$folder/make.log"; exit 1; }
(cd "$here/../.." && npx tsx e2e/real/rows.ts "$folder")
code=0
ask() { # trainer, python
  "$2" "$here/rows.py" "$1" "$folder" >"$folder/$1.out" 2>"$folder/$1.log" || { code=1; tail "$folder/$1.log"; }
  grep "^$1, " "$folder/$1.out" | tee -a "$folder/lines" || true
}
ask axolotl "$axolotl"
ask ms-swift "$swift"
ask llama-factory "$llamafactory"
ask trl "$trl"
{
  versions() { "$1" "$here/versions.py" "${@:2}"; }
  echo "$(versions "$axolotl" axolotl), $(versions "$swift" ms-swift), $(versions "$llamafactory" llamafactory), $(versions "$trl" trl)"
  sed 's/^[^:]*: //; s/;.*//' "$folder/lines" | awk '{ found += $1; all += $3; more += $6 }
    END { printf "%d of %d answers that may be learnt are, and %d others, in %d of 8 files of 4 trainers\n", found, all, more, NR }'
} >>"${VERDICT:-/dev/stdout}"
exit "$code"
