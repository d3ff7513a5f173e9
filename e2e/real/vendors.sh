#!/usr/bin/env bash
# Rows in the forms of Mistral, Together and Gemini: what the studio writes, the service's own checker accepts, and what the
# studio says that it does not fit, the checker refuses. Writes what ran and its verdict to $VERDICT.
set -euo pipefail
MISTRAL=1.13.1 TOGETHER=1.5.35 GENAI=3.6.1
export TOGETHER_NO_BANNER=1
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# $REAL_PYTHON: an environment that has the packages already.
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv "$folder/venv"
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "mistral-common==$MISTRAL" "together==$TOGETHER" "google-genai==$GENAI"
fi
(cd "$here/../.." && npx tsx e2e/real/vendors.ts "$folder/rows.json")
"$python" "$here/vendors.py" "$folder/rows.json" "$folder/verdict" || code=$?
{
  echo "mistral-common $MISTRAL (v13, fine-tuning), together $TOGETHER, google-genai $GENAI"
  cat "$folder/verdict"
} >>"${VERDICT:-/dev/stdout}"
exit "${code:-0}"
