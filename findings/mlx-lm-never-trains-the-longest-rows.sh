#!/usr/bin/env bash
# mlx-lm 0.32.2, mlx 0.32.4 (CPU), Python 3.11
#
# Batches are made once: rows are sorted by length and cut into full batches from the shortest on, and each epoch only shuffles the
# order of these batches. What does not fill the last batch is left out of every epoch, and always the longest rows. A row also meets
# the same neighbours each time. The validation set loses its longest rows likewise. Other trainers shuffle first, so that
# another rest is left out, or a smaller last batch trains it. With the default batch size of 4, seven rows are four.
#
# Output:
#   10 rows, batches of 4, 200 iterations: rows of 10, 11, 12, 13, 14, 15, 16, 17 tokens; never 18, 19
#   7 rows, batches of 4, 200 iterations: rows of 10, 11, 12, 13 tokens; never 14, 15, 16
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
import random
import mlx.nn as nn
import mlx.optimizers as optim
from mlx_lm.tuner.trainer import TrainingArgs, default_loss, iterate_batches, train

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Embedding(8, 8)]

    def __call__(self, tokens):
        return self.layers[0](tokens)

for count in (10, 7):
    lengths = list(range(10, 10 + count))
    random.Random(0).shuffle(lengths)
    met = set()

    def watched(**more):
        for batch, spans in iterate_batches(**more):
            met.update(end for _, end in spans.tolist())
            yield batch, spans

    args = TrainingArgs(batch_size=4, iters=200, steps_per_report=200, steps_per_save=1000, adapter_file="adapter.safetensors")
    rows = [([1] * length, 0) for length in lengths]
    train(Model(), optim.SGD(learning_rate=0.0), rows, args=args, loss=default_loss, iterate_batches=watched)
    names = lambda group: ", ".join(map(str, sorted(group)))
    print(f"{count} rows, batches of 4, 200 iterations: rows of {names(met)} tokens; never {names(set(lengths) - met)}")
PY
"$python" train.py 2>log | grep 'rows, batches' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
10 rows, batches of 4, 200 iterations: rows of 10, 11, 12, 13, 14, 15, 16, 17 tokens; never 18, 19
7 rows, batches of 4, 200 iterations: rows of 10, 11, 12, 13 tokens; never 14, 15, 16
SEEN
