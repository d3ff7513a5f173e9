#!/usr/bin/env bash
# litgpt 0.5.13, torch 2.15.0, Python 3.11
#
# The cosine of the learning rate is as long as the whole steps of one epoch times the epochs: 15 rows in batches of 8 are 1 step,
# and 10 epochs 10. But batches run on over the end of an epoch, so 150 rows are 18 steps, and nothing stops the training at 10.
# PyTorch's cosine goes on past its end, upwards: what should end at 0 ends at the peak, and the last steps, which should be the
# smallest, are the largest. It takes few rows, or batches large beside them; the fewer whole steps an epoch has, the higher the end.
# `--train.max_steps 10` stops at the end of the cosine.
#
# Output: the rates that metrics.csv shows after a step.
#   15 rows, batches of 8, 10 epochs: 18 steps
#   after step 2: 0.001
#   after step 6: 0.0005
#   after step 10: 0
#   after step 14: 0.0005
#   after step 18: 0.001
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
json.dump([{"instruction": f"Say {i}", "input": "", "output": str(i)} for i in range(30)], open("rows.json", "w"))
PY
"$python" make.py
"$(dirname "$python")/litgpt" finetune_full base --data JSON --data.json_path rows.json --data.val_split_fraction 0.5 --devices 1 \
  --precision 32-true --train.global_batch_size 8 --train.micro_batch_size 1 --train.epochs 10 --train.lr_warmup_steps 2 \
  --train.log_interval 1 --eval.interval 100 --eval.max_new_tokens 2 --out_dir out >log 2>&1 || { tail log; exit 1; }
"$python" - <<'PY' | tee output
import csv

rates = {}
for row in csv.DictReader(open("out/logs/csv/version_0/metrics.csv")):
    if row["learning_rate"]:
        rates.setdefault(int(row["iter"]) // 8, float(row["learning_rate"]))
print(f"15 rows, batches of 8, 10 epochs: {max(rates)} steps")
for step in range(2, max(rates) + 1, 4):
    print(f"after step {step}: {round(rates[step], 9):g}")
PY
diff output - <<'SEEN'
15 rows, batches of 8, 10 epochs: 18 steps
after step 2: 0.001
after step 6: 0.0005
after step 10: 0
after step 14: 0.0005
after step 18: 0.001
SEEN
