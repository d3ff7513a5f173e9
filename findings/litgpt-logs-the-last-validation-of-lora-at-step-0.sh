#!/usr/bin/env bash
# litgpt 0.5.13, torch 2.15.0, Python 3.11
#
# The validation after the last step is logged with the step by `litgpt finetune_full` alone. finetune_lora, finetune_adapter and
# finetune_adapter_v2 call fabric.log_dict(metrics) without one, and the CSV logger writes 0. So metrics.csv ends with the
# measures of the trained model at step 0, where a chart shows them as those of the untrained one, and joins them to the
# first real validation. In the file the row is the last: one of step 0 after others belongs to the newest step before it.
#
# Output:
#   finetune_full: val_loss at steps 2, 4, 4
#   finetune_lora: val_loss at steps 2, 4, 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  # It imports requests without asking for it.
  "$python" -m pip install --quiet litgpt==0.5.13 torch==2.15.0 requests
fi
cat >make.py <<'PY'
import json, os, pathlib
import torch
from litgpt import GPT, Config
from litgpt.utils import save_config
from tokenizers import Tokenizer, models, pre_tokenizers

os.mkdir("base")
sizes = dict(block_size=256, vocab_size=256, padded_vocab_size=256, n_layer=1, n_head=2, n_embd=16)
config = Config(name="tiny", hf_config={}, **sizes)
save_config(config, pathlib.Path("base"))
torch.save(GPT(config).state_dict(), "base/lit_model.pth")
alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
tokenizer = Tokenizer(models.BPE(vocab={sign: at for at, sign in enumerate(alphabet)}, merges=[]))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel()
tokenizer.save("base/tokenizer.json")
json.dump({"tokenizer_class": "PreTrainedTokenizerFast"}, open("base/tokenizer_config.json", "w"))
json.dump({"bos_token_id": 0, "eos_token_id": 1}, open("base/generation_config.json", "w"))
json.dump([{"instruction": f"Say {i}", "input": "", "output": str(i)} for i in range(20)], open("rows.json", "w"))
PY
"$python" make.py
for task in finetune_full finetune_lora; do
  "$(dirname "$python")/litgpt" $task base --data JSON --data.json_path rows.json --data.val_split_fraction 0.2 --devices 1 \
    --precision 32-true --train.global_batch_size 2 --train.micro_batch_size 2 --train.max_steps 4 --train.epochs 1 \
    --train.lr_warmup_steps 1 --train.log_interval 1 --eval.interval 2 --eval.max_new_tokens 2 --eval.evaluate_example first \
    --out_dir $task >log 2>&1 || { tail log; exit 1; }
  steps=$("$python" -c 'import csv, sys; print(*[row["step"] for row in csv.DictReader(open(sys.argv[1])) if row["val_loss"]], sep=", ")' \
    $task/logs/csv/version_0/metrics.csv)
  echo "$task: val_loss at steps $steps"
done | tee output
diff output - <<'SEEN'
finetune_full: val_loss at steps 2, 4, 4
finetune_lora: val_loss at steps 2, 4, 0
SEEN
