#!/usr/bin/env bash
# Axolotl 0.21.0, transformers 5.20.1, Python 3.12
#
# Without sample packing Axolotl sets max_steps to ceil(rows * epochs / batch), and Hugging Face's trainer, which does the work,
# takes ceil(rows / batch) steps for each epoch, the last of them with fewer rows. So the training stops before its last epoch
# ends, and with few rows long before: 17 rows in batches of 16 are two steps an epoch, and 10 epochs stop after 5.5. A greater
# `max_steps` in the config does not help, it is the lesser of both; `num_epochs` must be greater. The last line of the log says
# the epoch that was reached.
#
# Output:
#   17 rows, batches of 16, 10 epochs: 11 steps, 20 by the trainer alone
#   30 rows, batches of 8, 5 epochs: 19 steps, 20 by the trainer alone
#   32 rows, batches of 8, 5 epochs: 20 steps, 20 by the trainer alone
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3.12 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet axolotl==0.21.0
fi
export AXOLOTL_DO_NOT_TRACK=1
"$python" - 2>/dev/null <<'PY' | grep rows | tee output
import torch
from axolotl.utils.dict import DictDefault
from axolotl.utils.trainer import calculate_total_num_steps
from datasets import Dataset
from transformers import Trainer, TrainingArguments

for rows, batch, epochs in ((17, 16, 10), (30, 8, 5), (32, 8, 5)):
    data = Dataset.from_dict({"input_ids": [[1, 2]] * rows, "labels": [[1, 2]] * rows})
    cfg = DictDefault(num_epochs=epochs, batch_size=batch, micro_batch_size=batch, sequence_len=8)
    steps = calculate_total_num_steps(cfg, data)
    args = TrainingArguments("out", per_device_train_batch_size=batch, num_train_epochs=epochs, use_cpu=True, remove_unused_columns=False)
    trainer = Trainer(torch.nn.Linear(1, 1), args, train_dataset=data)
    loader = trainer.get_train_dataloader()
    alone = trainer.set_initial_training_values(args, loader)[-1]
    print(f"{rows} rows, batches of {batch}, {epochs} epochs: {steps} steps, {alone} by the trainer alone")
PY
diff output - <<'SEEN'
17 rows, batches of 16, 10 epochs: 11 steps, 20 by the trainer alone
30 rows, batches of 8, 5 epochs: 19 steps, 20 by the trainer alone
32 rows, batches of 8, 5 epochs: 20 steps, 20 by the trainer alone
SEEN
