#!/usr/bin/env bash
# Are the configs that the studio writes what today's trainers take? TRL trains small runs (all weights, a variant of LoRA, DPO,
# GRPO), the studio reads them without a tracker's help, and writes their configs, those of recommendations, and those of
# experiments of its own. Each trainer trains two steps of each, PEFT loads its adapter_config.json and has it compared key by
# key. A cell that does not run shows the tool's own error, one without a config the studio's reason. A table is printed.
# $TRL_PYTHON, $LLAMAFACTORY_PYTHON, $AXOLOTL_PYTHON, $UNSLOTH_PYTHON, $SWIFT_PYTHON, $LITGPT_PYTHON, $TORCHTUNE_PYTHON:
# environments that have the packages already.
set -euo pipefail
TRL=1.16.0 TRANSFORMERS=5.24.0 PEFT=0.21.2 LLAMAFACTORY=0.9.5 AXOLOTL=0.21.0
UNSLOTH=2026.10.9 SWIFT=4.6.0 LITGPT=0.5.13 TORCHTUNE=0.6.1 TORCHAO=0.13.0
studio=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

install() { # name, python, packages
  local name=$1 python=$2
  shift 2
  "$python" -m venv "$name" >&2
  # Without CUDA where that can be had.
  "$name/bin/pip" install -q torch --index-url https://download.pytorch.org/whl/cpu --retries 0 >&2 || true
  "$name/bin/pip" install -q "$@" >&2
  echo "$folder/$name/bin/python"
}
trl=${TRL_PYTHON:-$(install trl python3 "trl[peft]==$TRL" "transformers==$TRANSFORMERS" "peft==$PEFT" tensorboard)}
cells() { (cd "$studio" && npx tsx e2e/real/exportCells.ts "$folder/$1" "$folder/$2"); }

"$trl" "$studio/e2e/real/exportCells.py" make "$folder" >make.log 2>&1 || { tail -n 20 make.log; exit 1; }
cells runs cells
code=0
ask() { "$2" "$studio/e2e/real/exportCells.py" "$1" "$folder" 2>/dev/null | tee -a verdicts || code=1; }
ask trl "$trl"
# The copies say of themselves what the runs said.
cells outputs copies
ask copies "$trl"
ask peft "$trl"
llamafactory=${LLAMAFACTORY_PYTHON:-$(install llamafactory python3 "llamafactory==$LLAMAFACTORY" torch==2.13.0)}
ask llamafactory "$llamafactory"
# It needs Python 3.12.
axolotl=${AXOLOTL_PYTHON:-$(install axolotl python3.12 "axolotl==$AXOLOTL")}
ask axolotl "$axolotl"
unsloth=${UNSLOTH_PYTHON:-$(install unsloth python3 "unsloth==$UNSLOTH")}
ask unsloth "$unsloth"
# It imports msgspec for GRPO, and does not require it.
swift=${SWIFT_PYTHON:-$(install swift python3 "ms-swift==$SWIFT" msgspec)}
ask ms-swift "$swift"
litgpt=${LITGPT_PYTHON:-$(install litgpt python3 "litgpt==$LITGPT")}
ask litgpt "$litgpt"
torchtune=${TORCHTUNE_PYTHON:-$(install torchtune python3 "torchtune==$TORCHTUNE" "torchao==$TORCHAO" "transformers==$TRANSFORMERS")}
ask torchtune "$torchtune"
"$trl" "$studio/e2e/real/exportCells.py" table "$folder"
{
  versions() { "$1" "$studio/e2e/real/versions.py" "${@:2}"; }
  echo "$(versions "$trl" trl transformers peft), $(versions "$llamafactory" llamafactory), $(versions "$axolotl" axolotl), $(versions "$unsloth" unsloth), $(versions "$swift" ms-swift), $(versions "$litgpt" litgpt), $(versions "$torchtune" torchtune torchao torch)"
  tried=$(grep -v '^copy\|: not exported: ' verdicts)
  count() { grep -c "$1" <<<"$tried" || true; }
  echo "$(count 'trained 2 steps$') of $(grep -vc '^peft' <<<"$tried") configs trained, $(count 'all keys the same$') of $(count '^peft') of PEFT loaded, $(grep -c 'same settings$' verdicts) of 4 copies read the same"
} >"${VERDICT:-/dev/stdout}"
exit "$code"
