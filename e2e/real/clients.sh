#!/usr/bin/env bash
# Clients of today, unmodified but for address and key, against the studio and its sample model: the vendor's SDK under strict
# types, openai (Python 2 and 3, Node), litellm, langchain-openai, instructor, inspect-ai, frameworks above them, the AI SDK,
# promptfoo, and lm-eval, whose loglikelihood tasks score texts. Writes what ran and its verdict to $VERDICT.
set -euo pipefail
PREMAI=0.18.0 OPENAI=3.57.0 INSPECT=0.3.285 OPENAI2=2.54.0 LITELLM=1.110.2 LANGCHAIN=1.7.4 INSTRUCTOR=1.17.0
LMEVAL=0.4.13 TRANSFORMERS=5.24.0 OPENAI_NODE=6.49.0 AI=6.0.326 AI_COMPATIBLE=2.0.92 PROMPTFOO=0.121.20
GUIDANCE=0.3.1 LLAMA_INDEX=0.8.1 PYDANTIC_AI=2.31.1 DSPY=3.4.1 OUTLINES=1.3.3
here=$(cd "$(dirname "$0")" && pwd)
studio=$(cd "$here/../.." && pwd)
folder=$(mktemp -d)
trap 'kill "${service:-}" 2>/dev/null || true; sleep 2; rm -rf "$folder"' EXIT
# $REAL_CLIENTS: a folder that has the environments already.
envs=${REAL_CLIENTS:-$folder/envs}
if [ -z "${REAL_CLIENTS:-}" ]; then
  install() { python3 -m venv "$envs/$1" && "$envs/$1/bin/pip" install --quiet "${@:2}"; }
  install pv "premai==$PREMAI" "openai==$OPENAI" "inspect-ai==$INSPECT"
  install ov "openai==$OPENAI2" "litellm==$LITELLM" "langchain-openai==$LANGCHAIN" "instructor==$INSTRUCTOR"
  install fv "guidance==$GUIDANCE" "llama-index-llms-openai-like==$LLAMA_INDEX" "pydantic-ai-slim[openai]==$PYDANTIC_AI" \
    "dspy==$DSPY" "outlines[openai]==$OUTLINES"
  install lm "lm-eval[api]==$LMEVAL" "transformers==$TRANSFORMERS"
  mkdir -p "$envs/js"
  (cd "$envs/js" && npm init -y >/dev/null &&
    npm install --silent --no-audit --no-fund "openai@$OPENAI_NODE" "ai@$AI" "@ai-sdk/openai-compatible@$AI_COMPATIBLE" zod \
      "promptfoo@$PROMPTFOO")
fi
export STUDIO_TOKEN=clients-of-today-1 LITELLM_LOCAL_MODEL_COST_MAP=True
export PROMPTFOO_CONFIG_DIR=$folder/promptfoo PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
url=http://127.0.0.1:$port
(cd "$studio" && exec node src/app/server/launch/launch.mjs --port "$port" --data "$folder/data" --trainer none) \
  >"$folder/service.log" 2>&1 &
service=$!
(cd "$studio" && npx tsx e2e/real/clientsTokenizer.ts src/features/projects/server/sample/support-base.Q8_0.gguf "$folder/tokenizer")
until curl --silent --fail --output /dev/null "$url/readyz"; do
  kill -0 "$service" || { cat "$folder/service.log"; exit 1; }
  sleep 1
done
run() { "$envs/$1/bin/python" "$here/clients.py" "$2" "$url" "$STUDIO_TOKEN" "$folder" 2>>"$folder/log"; }
{
  run pv premai
  run pv openai
  run pv inspect
  run ov others
  run fv frameworks
  node "$here/clientsNode.mjs" "$url" "$STUDIO_TOKEN" "$envs/js"
  run lm lm-eval
} | grep -E '^(ok|FAIL) ' | tee "$folder/rows" || true
right=$(grep -c '^ok ' "$folder/rows" || true)
all=$(wc -l <"$folder/rows")
{
  echo "premai $PREMAI, openai $OPENAI and $OPENAI2, inspect-ai $INSPECT, litellm $LITELLM, langchain-openai $LANGCHAIN," \
    "instructor $INSTRUCTOR, guidance $GUIDANCE, llama-index-llms-openai-like $LLAMA_INDEX, pydantic-ai $PYDANTIC_AI," \
    "dspy $DSPY, outlines $OUTLINES, lm-eval $LMEVAL, openai of npm $OPENAI_NODE, ai $AI, promptfoo $PROMPTFOO"
  echo "$right of $all rows of clients"
} >"${VERDICT:-/dev/stdout}"
# A group that ended early has fewer rows.
[ "$right" = "$all" ] && [ "$all" -ge 29 ]
