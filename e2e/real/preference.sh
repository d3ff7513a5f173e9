#!/usr/bin/env bash
# DPO, KTO and GRPO beside the real TRL. $TRL_PYTHON: an environment that has the packages already.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${TRL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv "$folder/venv"
  python=$folder/venv/bin/python
  # Without CUDA where that can be had.
  "$python" -m pip install -q torch --index-url https://download.pytorch.org/whl/cpu --retries 0 || true
  "$python" -m pip install -q trl==1.16.0 transformers==5.24.0 peft==0.21.2 torch==2.15.0 gguf==0.19.0
fi
"$python" e2e/real/versions.py trl transformers peft torch >"${VERDICT:-/dev/stdout}"
code=0
npx tsx e2e/real/preference.ts "$python" "$folder" | tee "$folder/verdict" || code=$?
tail -n 1 "$folder/verdict" >>"${VERDICT:-/dev/null}"
exit "$code"
