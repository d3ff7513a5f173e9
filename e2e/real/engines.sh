#!/usr/bin/env bash
# `npm start -- --engine URL` before OpenAI-compatible servers of today, on the processor: transformers serve, mlx_lm.server,
# litgpt serve and the proxy of LiteLLM. What the studio answers is compared with what each server says itself, and what it was
# asked for. Writes what ran and its verdict to $VERDICT.
# $SERVE_PYTHON (with torch), $MLX_PYTHON, $LITGPT_PYTHON, $LITELLM_PYTHON: environments that have the packages already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
servers=()
end() { kill "-$1" -- "${servers[@]/#/-}" 2>/dev/null || true; }
trap 'end TERM; sleep 2; end KILL; rm -rf "$folder"' EXIT
install() { # name, packages
  local name=$1
  shift
  python3 -m venv "$folder/$name" >&2
  "$folder/$name/bin/pip" install -q "$@" >&2
  echo "$folder/$name/bin/python"
}
serve=${SERVE_PYTHON:-$(install serve "transformers[serving]==5.24.0" torch==2.15.0 peft==0.21.2)}
mlx=${MLX_PYTHON:-$(install mlx mlx-lm==0.32.2 "mlx[cpu]==0.32.4")}
# It imports requests without asking for it.
litgpt=${LITGPT_PYTHON:-$(install litgpt litgpt==0.5.13 litserve==0.2.19 jinja2 requests)}
litellm=${LITELLM_PYTHON:-$(install litellm "litellm[proxy]==1.108.7")}
"$serve" "$here/trainers/tiny.py" make "$folder/tiny" >"$folder/make.log" 2>&1 || { tail "$folder/make.log"; exit 1; }
"$litgpt" "$here/engines.py" "$folder/tiny" "$folder/litgpt-tiny" >"$folder/convert.log" 2>&1 || { tail "$folder/convert.log"; exit 1; }
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
start() { # log, command
  # A group of its own: litgpt leaves processes behind.
  set -m
  "${@:2}" >"$folder/$1.log" 2>&1 &
  servers+=($!)
  set +m
}
check() { # server, port, model, path that answers when it is ready
  for _ in $(seq 120); do
    # Any status will do: litgpt has no such path.
    curl --silent --output /dev/null "http://127.0.0.1:$2/v1/models" && break
    kill -0 "${servers[-1]}" 2>/dev/null || break
    sleep 1
  done
  (cd "$here/../.." && npx tsx e2e/real/engines.ts "$1" "http://127.0.0.1:$2" "$3") | tee -a "$folder/rows" ||
    { echo "FAIL $1: it ended early" | tee -a "$folder/rows"; tail -n 30 "$folder/$1.log"; }
}
export HF_HUB_OFFLINE=1 LITELLM_LOCAL_MODEL_COST_MAP=True
port=$(free)
start transformers "$serve" -m transformers.cli.transformers serve "$folder/tiny" --device cpu --host 127.0.0.1 --port "$port"
check transformers "$port" "$folder/tiny"
port=$(free)
start mlx "$mlx" -m mlx_lm server --model "$folder/tiny" --host 127.0.0.1 --port "$port"
check mlx "$port" "$folder/tiny"
port=$(free)
# It takes a temperature of 0 as none, and 0.7 where none is sent.
start litgpt "$litgpt" -m litgpt serve "$folder/litgpt-tiny" --openai_spec true --stream true --top_k 1 --accelerator cpu \
  --port "$port"
check litgpt "$port" tiny
# It refuses a temperature for models of these names, whoever serves them. litgpt takes any name.
cat >"$folder/litellm.yaml" <<YAML
model_list:
  - model_name: reasoner
    litellm_params: {model: openai/o3-mini, api_base: "http://127.0.0.1:$port/v1", api_key: none}
YAML
port=$(free)
export LITELLM_MASTER_KEY=sk-engines-of-today-0123456789 STUDIO_ENGINE_KEY=sk-engines-of-today-0123456789
start litellm "$(dirname "$litellm")/litellm" --config "$folder/litellm.yaml" --host 127.0.0.1 --port "$port"
check litellm "$port" reasoner
right=$(grep -c '^ok ' "$folder/rows" || true)
all=$(grep -cE '^(ok|FAIL) ' "$folder/rows" || true)
{
  echo "$("$serve" "$here/versions.py" transformers torch), $("$mlx" "$here/versions.py" mlx-lm mlx)," \
    "$("$litgpt" "$here/versions.py" litgpt litserve), $("$litellm" "$here/versions.py" litellm)"
  echo "$right of $all rows of 4 servers"
} >"${VERDICT:-/dev/stdout}"
# A server that did not start has fewer rows.
[ "$right" = "$all" ] && [ "$all" -ge 45 ]
