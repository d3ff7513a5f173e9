#!/usr/bin/env bash
# The studio trains a tiny model with the real TRL on the processor, serves what TRL saved, and answers as transformers does.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pip="$folder/venv/bin/pip"
# Without CUDA where that can be had.
"$pip" install -q torch==2.15.0 --index-url https://download.pytorch.org/whl/cpu --retries 0 || "$pip" install -q torch==2.15.0
"$pip" install -q trl==1.16.0 transformers==5.24.0 peft==0.21.2
"$folder/venv/bin/python" e2e/real/trainers.py make "$folder/base"
code=0
npx tsx e2e/real/trainers.ts "$folder/base" "$folder/venv" | tee "$folder/verdict" || code=$?
echo "TRL 1.16.0, transformers 5.24.0, PEFT 0.21.2, torch 2.15.0" >"${VERDICT:-/dev/null}"
tail -n 1 "$folder/verdict" >>"${VERDICT:-/dev/null}"
exit "$code"
