#!/usr/bin/env bash
# transformers 5.24.0, torch 2.15.0, Python 3.11
#
# A training resumed with other settings takes some of them. The kind, length and warm-up of the schedule are the new ones, as if they
# had held from step 0: after one more step at the old rate it jumps to their curve. But what the schedule multiplies is the old
# learning_rate, and weight decay is the old one, since both come back with the states of scheduler and optimizer. So a
# learning_rate that was lowered after a divergence does nothing, while args, trackers and training_args.bin show the new one.
#
# Output: the rates of steps 5 to 8, resumed after step 5 of 10 of a run with learning_rate 0.01 and weight decay 0, and the
# optimizer's weight decay at the end.
#   not resumed: 0.006 0.005 0.004 0.003, weight decay 0
#   learning_rate 0.1, weight_decay 0.3: 0.006 0.005 0.004 0.003, weight decay 0
#   max_steps 20: 0.006 0.005 0.007 0.0065, weight decay 0
#   lr_scheduler_type constant: 0.006 0.005 0.01 0.01, weight decay 0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "transformers[torch]==5.24.0" "torch==2.15.0"
fi
cat >resume.py <<'PY'
import torch
from transformers import Trainer, TrainingArguments

class Line(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(1, 1)

    def forward(self, x, labels):
        return {"loss": (self.layer(x) - labels).square().mean()}

rows = [{"x": torch.ones(1), "labels": torch.ones(1)}] * 40

def train(words, resume=None, **changed):
    settings = dict(learning_rate=0.01, max_steps=10, weight_decay=0.0, per_device_train_batch_size=1, save_steps=5, logging_steps=1)
    more = dict(use_cpu=True, report_to=[], disable_tqdm=True)
    trainer = Trainer(Line(), TrainingArguments("out", **{**settings, **changed}, **more), train_dataset=rows)
    trainer.train(resume_from_checkpoint=resume)
    rates = [f"{row['learning_rate']:.3g}" for row in trainer.state.log_history if 5 <= row["step"] <= 8 and "learning_rate" in row]
    print(f"{words}: {' '.join(rates)}, weight decay {trainer.optimizer.param_groups[0]['weight_decay']:g}")

train("not resumed")
train("learning_rate 0.1, weight_decay 0.3", "out/checkpoint-5", learning_rate=0.1, weight_decay=0.3)
train("max_steps 20", "out/checkpoint-5", max_steps=20)
train("lr_scheduler_type constant", "out/checkpoint-5", lr_scheduler_type="constant")
PY
"$python" resume.py 2>log | grep 'weight decay' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
not resumed: 0.006 0.005 0.004 0.003, weight decay 0
learning_rate 0.1, weight_decay 0.3: 0.006 0.005 0.004 0.003, weight decay 0
max_steps 20: 0.006 0.005 0.007 0.0065, weight decay 0
lr_scheduler_type constant: 0.006 0.005 0.01 0.01, weight decay 0
SEEN
