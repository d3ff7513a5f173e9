#!/usr/bin/env bash
# mlx-lm 0.32.2, mlx 0.32.4 (CPU), Python 3.11
#
# Rows are filled up with token 0, and the mask of the loss lets one of them through: it compares the place of a target, which
# counts from 1, with the row's length, which is one more than the last target's place. So `mlx_lm.lora` trains every row that is
# not cut at max_seq_length to go on with token 0 after its end, whatever the tokenizer's padding is (in many vocabularies token 0
# is "!"). One trained token a row is not the data's: with --mask-prompt and answers of one word, one in three. It is soon
# learned, so train and validation loss are lower than those of other trainers for the same rows, and "Trained Tokens" is higher.
#
# Output:
#   rows of 3 and 5 tokens to learn: 10 trained
#   after the first row: token 0, above 90 %
#   after the second row: token 0, above 90 %
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "mlx-lm==0.32.2" "mlx[cpu]==0.32.4"
fi
cat >train.py <<'PY'
import mlx.core as mx
import mlx.optimizers as optim
from mlx_lm.models.llama import Model, ModelArgs
from mlx_lm.tuner.callbacks import TrainingCallback
from mlx_lm.tuner.trainer import TrainingArgs, train

END = 1
rows = [[5, 6, 7, END], [8, 9, 10, 11, 12, END]]
counts = []

class Count(TrainingCallback):
    def on_train_loss_report(self, info):
        counts.append(info["trained_tokens"])

mx.random.seed(0)
sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)
model = Model(ModelArgs(model_type="llama", vocab_size=16, rms_norm_eps=1e-5, **sizes))
args = TrainingArgs(batch_size=2, iters=150, steps_per_report=1, steps_per_save=1000, adapter_file="adapter.safetensors")
train(model, optim.Adam(learning_rate=0.01), [(row, 0) for row in rows], args=args, training_callback=Count())
print(f"rows of 3 and 5 tokens to learn: {counts[0]} trained")
for name, row in zip(("first", "second"), rows):
    shares = mx.softmax(model(mx.array([row]))[0, -1])
    best = mx.argmax(shares).item()
    print(f"after the {name} row: token {best}, {'above' if shares[best].item() > 0.9 else 'below'} 90 %")
PY
"$python" train.py 2>log | grep -E '^(rows of|after the)' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
rows of 3 and 5 tokens to learn: 10 trained
after the first row: token 0, above 90 %
after the second row: token 0, above 90 %
SEEN
