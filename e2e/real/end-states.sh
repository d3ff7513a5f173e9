#!/usr/bin/env bash
# How runs of transformers' Trainer end, as TensorBoard, MLflow and W&B write it at the same time: whole, diverged, raised an
# error, killed and resumed. The doctor's words for each are compared with what happened.
# Writes what ran and its verdict to $VERDICT.
set -euo pipefail
TORCH=2.15.0 TRANSFORMERS=5.24.0 ACCELERATE=1.15.0 TENSORBOARD=2.21.0 MLFLOW=3.17.2 WANDB=0.31.0
studio=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# $REAL_PYTHON: an environment that has the packages already.
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet --index-url https://download.pytorch.org/whl/cpu "torch==$TORCH" ||
    "$python" -m pip install --quiet "torch==$TORCH"
  "$python" -m pip install --quiet "transformers==$TRANSFORMERS" "accelerate==$ACCELERATE" "tensorboard==$TENSORBOARD" \
    "mlflow==$MLFLOW" "wandb==$WANDB"
fi
cat >train.py <<'PY'
import os, sys
import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments, set_seed

name, out = sys.argv[1], os.path.join("runs", sys.argv[1])
set_seed(7)
rows = [{"input_ids": torch.randint(0, 64, (16,)), "labels": torch.randint(0, 64, (16,))} for _ in range(80)]


class At(TrainerCallback):
    """What happens at the end of a step."""

    def on_step_end(self, args, state, control, **_):
        if name.startswith("raised") and state.global_step == 13:
            raise RuntimeError("CUDA out of memory (made up)")
        if name == "resumed" and state.global_step == 13 and not resumes:
            os._exit(9)


trackers = {"raised-mlflow": ["mlflow"], "whole": ["mlflow", "tensorboard"], "raised": ["mlflow", "wandb", "tensorboard"]}
checkpoints = os.path.isdir(out) and [each for each in os.listdir(out) if each.startswith("checkpoint-")]
resumes = name == "resumed" and bool(checkpoints)
args = TrainingArguments(
    out,
    use_cpu=True,
    seed=7,
    num_train_epochs=2,
    per_device_train_batch_size=8,
    learning_rate=1e30 if name == "diverged" else 1e-3,
    max_grad_norm=0 if name == "diverged" else 1,
    logging_steps=1,
    eval_strategy="steps",
    eval_steps=5,
    save_steps=5,
    load_best_model_at_end=name == "whole",
    report_to=trackers.get(name, ["tensorboard"]),
    run_name=name,
    disable_tqdm=True,
)
model = GPT2LMHeadModel(GPT2Config(vocab_size=64, n_positions=16, n_embd=16, n_layer=1, n_head=2))
trainer = Trainer(model, args, train_dataset=rows, eval_dataset=rows[:8], callbacks=[At()])
trainer.train(resume_from_checkpoint=True if resumes else None)
trainer.save_state()
PY
export WANDB_MODE=offline WANDB_SILENT=true WANDB_DIR=$folder/runs MLFLOW_TRACKING_URI=sqlite:///$folder/runs/mlflow.db HF_HUB_OFFLINE=1
mkdir runs
for name in whole diverged raised-mlflow raised resumed resumed; do
  "$python" train.py "$name" >"$name.log" 2>&1 || echo "$name ended with $?"
done
(cd "$studio" && node src/app/server/launch/launch.mjs doctor --runs "$folder/runs") | tee doctor.log || true
wrong=0
expect() {
  grep -qE "^  $1: $2" doctor.log || { echo "WRONG: $1 is not \"$2\""; wrong=1; }
}
expect whole 'succeeded\. Finished'
expect diverged 'diverged: (grad_norm|loss|eval/loss) is not finite from step'
expect raised-mlflow 'ended early: MLflow status FINISHED at step 1[0-9] of 20'
expect raised 'failed: exit code 1'
expect resumed 'succeeded\. Finished'
"$python" - >>"${VERDICT:-/dev/stdout}" <<'PY'
from importlib.metadata import version
print(", ".join(f"{name} {version(name)}" for name in ["transformers", "torch", "tensorboard", "mlflow", "wandb"]))
PY
if [ "$wrong" = 0 ]; then verdict='5 of 5 ends as they happened'; else verdict='an end is told wrongly'; fi
echo "$verdict" >>"${VERDICT:-/dev/stdout}"
exit "$wrong"
