#!/usr/bin/env bash
# TRL 1.16.0, PEFT 0.21.2, transformers 5.24.0, Python 3.11
#
# `--lora_target_modules` is a list, but a list of one is unpacked to a text (ModelConfig.__post_init__), which is meant for the
# word "all-linear". PEFT takes a text for a pattern that a whole module name must match, so `--lora_target_modules q_proj`, and
# `lora_target_modules: ["q_proj"]` in a YAML file, stop with "Target modules q_proj not found in the base model", although the
# model has it and `LoraConfig(target_modules=["q_proj"])` works. The name said twice stays a list, and PEFT makes a set of it.
#
# Output:
#   one name: 'q_proj'
#   twice: ['q_proj', 'q_proj']
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "trl[peft]==1.16.0" "peft==0.21.2" "transformers==5.24.0"
fi
"$python" - 2>/dev/null <<'PY' | tee output
from trl import ModelConfig

for word, names in (("one name", ["q_proj"]), ("twice", ["q_proj", "q_proj"])):
    config = ModelConfig(model_name_or_path="base", use_peft=True, lora_target_modules=names)
    print(f"{word}: {config.lora_target_modules!r}")
PY
diff output - <<'SEEN'
one name: 'q_proj'
twice: ['q_proj', 'q_proj']
SEEN
