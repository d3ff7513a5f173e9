#!/usr/bin/env bash
# Are files of other tools' evaluations read as the tools mean them? promptfoo, Inspect and lm-eval of today ask models that
# answer from a list, without a network; the rows, answers, verdicts and scores that the studio reads are compared with what the
# tools say. With $KEEP, the files are copied there: those of src/features/evaluation/shared/imports/made are made so.
# $EVALUATION_TOOLS: a folder that has the environments already.
set -euo pipefail
PROMPTFOO=0.123.1 NODE=22.23.3 INSPECT=0.3.285 OPENAI=3.57.0 LMEVAL=0.4.13
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tools=${EVALUATION_TOOLS:-$folder/tools}
if [ -z "${EVALUATION_TOOLS:-}" ]; then
  install() { python3 -m venv "$tools/$1" && "$tools/$1/bin/pip" install --quiet "${@:2}"; }
  install inspect "inspect-ai==$INSPECT" "openai==$OPENAI"
  install lm "lm-eval==$LMEVAL"
  mkdir -p "$tools/js"
  (cd "$tools/js" && npm init -y >/dev/null && npm install --silent --no-audit --no-fund "promptfoo@$PROMPTFOO" "node@$NODE")
fi
export PROMPTFOO_CONFIG_DIR=$folder/promptfoo PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1
export HF_HUB_OFFLINE=1 HF_DATASETS_OFFLINE=1
cp "$here"/evaluations/* "$folder"
cd "$folder"
# promptfoo fails where an assert fails, which is wanted here.
PATH=$tools/js/node_modules/.bin:$PATH node "$tools/js/node_modules/promptfoo/dist/src/entrypoint.js" eval -c promptfoo.yaml \
  --no-cache --no-share --no-progress-bar --no-table -o results.json -o results.jsonl >promptfoo.log 2>&1 || true
"$tools/inspect/bin/python" inspectLogs.py inspect >inspect.log 2>&1
"$tools/lm/bin/lm_eval" run --model dummy --tasks tiny_gen,tiny_choice --include_path . --output_path lm --log_samples >lm.log 2>&1
for file in results.json inspect/*.eval lm/*/results_*.json; do
  [ -e "$file" ] || { tail ./*.log; exit 1; }
done
[ -z "${KEEP:-}" ] || cp -r results.json results.jsonl inspect lm "$KEEP"
{
  echo "promptfoo $PROMPTFOO, inspect-ai $INSPECT, lm-eval $LMEVAL"
  cd "$here/../.." && npx tsx e2e/real/evaluations.ts "$folder"
} >"${VERDICT:-/dev/stdout}"
