#!/usr/bin/env bash
# A job of the studio with `--trainer NAME` on the processor: a tiny model learns other answers, and the studio serves them.
# Arguments: NAME, an environment that has the packages already or nothing, the Python to make one with, its packages.
set -euo pipefail
name=$1 python=$2 maker=$3
shift 3
cd "$(dirname "$0")/../../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ -z "$python" ]; then
  "$maker" -m venv "$folder/venv"
  python=$folder/venv/bin/python
  # Without CUDA where that can be had.
  "$python" -m pip install -q torch --index-url https://download.pytorch.org/whl/cpu --retries 0 || true
  "$python" -m pip install -q "$@"
fi
"$python" e2e/real/trainers/tiny.py make "$folder/base" >"$folder/make.log" 2>&1 || { tail "$folder/make.log"; exit 1; }
"$python" e2e/real/versions.py "${1%%[=[]*}" transformers peft torch >"${VERDICT:-/dev/stdout}"
code=0
npx tsx e2e/real/trainers/train.ts "$name" "$folder/base" "$python" | tee "$folder/verdict" || code=$?
tail -n 1 "$folder/verdict" >>"${VERDICT:-/dev/null}"
exit "$code"
