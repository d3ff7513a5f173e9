#!/usr/bin/env bash
# litgpt 0.5.13, lightning 2.6.6, torch 2.15.0, Python 3.11
#
# litgpt asks its CSV logger to write every `--train.log_interval` rows, but the logger reads that as "when step + 1 is a multiple",
# and the fine-tuning scripts log at steps that are multiples themselves. So with any interval but 1 those steps never write,
# nothing writes at the end, and a training that succeeds leaves `logs/csv/version_0` without metrics.csv: its losses, learning
# rates and validations are lost. Only a validation whose step happens to be one less than a multiple writes what came before it.
# The console shows every row. `litgpt pretrain` logs one step lower, and writes.
#
# Output:
#   log_interval 1: 20 losses, 3 validations
#   log_interval 10: no metrics.csv, 2 losses and 2 validations on the console
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  # It imports requests without asking for it.
  "$python" -m pip install --quiet litgpt==0.5.13 lightning==2.6.6 torch==2.15.0 requests
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
for interval in 1 10; do
  "$(dirname "$python")/litgpt" finetune_full base --data JSON --data.json_path rows.json --data.val_split_fraction 0.2 --devices 1 \
    --precision 32-true --train.global_batch_size 1 --train.micro_batch_size 1 --train.max_steps 20 --train.epochs 5 \
    --train.lr_warmup_steps 1 --train.log_interval $interval --eval.interval 10 --eval.max_new_tokens 2 --out_dir every-$interval \
    >log-$interval 2>&1 || { tail log-$interval; exit 1; }
  [ -f every-$interval/final/lit_model.pth ]
  "$python" - $interval <<'PY'
import csv, os, re, sys

interval = sys.argv[1]
path, console = f"every-{interval}/logs/csv/version_0/metrics.csv", open(f"log-{interval}").read()
if os.path.exists(path):
    rows = list(csv.DictReader(open(path)))
    count = lambda name: sum(row[name] != "" for row in rows)
    print(f"log_interval {interval}: {count('loss')} losses, {count('val_loss')} validations")
else:
    losses, validations = len(re.findall("loss train:", console)), len(re.findall(r"iter \d+: val loss", console))
    print(f"log_interval {interval}: no metrics.csv, {losses} losses and {validations} validations on the console")
PY
done | tee output
diff output - <<'SEEN'
log_interval 1: 20 losses, 3 validations
log_interval 10: no metrics.csv, 2 losses and 2 validations on the console
SEEN
