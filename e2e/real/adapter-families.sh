#!/usr/bin/env bash
# Tiny models of each family are trained by transformers, adapted by PEFT, and converted by llama.cpp's scripts (the base) and
# by this studio (adapters; of some families whole models). Both are asked the same, greedily. Arguments: some of the families.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv "$folder/venv"
  python=$folder/venv/bin/python
  # Without CUDA where that can be had.
  "$python" -m pip install -q torch==2.15.0 --index-url https://download.pytorch.org/whl/cpu --retries 0 ||
    "$python" -m pip install -q torch==2.15.0
  "$python" -m pip install -q transformers==5.24.0 peft==0.21.2 gguf safetensors sentencepiece scikit-build-core cmake ninja
fi
"$python" -m pip download -q --no-deps --no-binary :all: --no-build-isolation -d "$folder" llama-cpp-python==0.3.36
tar xzf "$folder"/llama_cpp_python-*.tar.gz -C "$folder"
llama=$(echo "$folder"/llama_cpp_python-*/vendor/llama.cpp)
whole='llama mistral qwen2 qwen3 gemma gemma2 gemma3 phi3'
all="$whole llama-head gemma4 qwen3_5 qwen2_moe qwen3_moe qwen3_next gpt_oss ministral3 smollm3 granite
  granitemoe glm4 lfm2 cohere cohere2 olmo olmo2 olmo3 ernie4_5 exaone4 hunyuan seed_oss stablelm nemotron starcoder2 falcon_h1"
for family in ${*:-$all}; do
  full=$([[ " $whole " == *" $family "* ]] && echo --full || true)
  "$python" e2e/real/adapterFamilies.py "$family" "$folder/out/$family" "$llama" $full >/dev/null ||
    mkdir -p "$folder/out/$family"
done
code=0
npx tsx e2e/real/adapterFamilies.ts "$folder"/out/* | tee "$folder/verdicts" || code=$?
echo "transformers 5.24.0, PEFT 0.21.2, torch 2.15.0, llama.cpp of llama-cpp-python 0.3.36" >"${VERDICT:-/dev/null}"
tail -n 1 "$folder/verdicts" >>"${VERDICT:-/dev/null}"
exit "$code"
