#!/usr/bin/env bash
# TRL 1.16.0, transformers 5.24.0, Optuna 5.0.0, Python 3.11
#
# SFTTrainer is a transformers Trainer, whose hyperparameter_search makes a model for each trial with model_init. TRL computes the
# loss from log-probabilities that its trainer teaches the model it was given to return, once, when it is made; the models of
# model_init never learn it, so the first step of the first trial ends with AttributeError. The same trainer trains the same
# weights without a search. A sweep has to make a trainer for each trial instead.
#
# Output:
#   train(): 2 steps
#   hyperparameter_search(): AttributeError: 'CausalLMOutputWithPast' object has no attribute 'log_probs'
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "trl==1.16.0" "transformers==5.24.0" "optuna==5.0.0"
fi
cat >tiny.py <<'PY'
import string
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

names = ["<s>", "</s>", "<pad>", *string.ascii_lowercase]
words = Tokenizer(models.WordLevel({name: at for at, name in enumerate(names)}, unk_token="<pad>"))
words.pre_tokenizer = pre_tokenizers.Split("", "isolated")
marks = dict(bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<pad>")
PreTrainedTokenizerFast(tokenizer_object=words, **marks).save_pretrained("base")
sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2)
LlamaForCausalLM(LlamaConfig(vocab_size=len(names), bos_token_id=0, eos_token_id=1, pad_token_id=2, **sizes)).save_pretrained("base")
PY
cat >search.py <<'PY'
from datasets import Dataset
from transformers import AutoModelForCausalLM
from trl import SFTConfig, SFTTrainer

rows = Dataset.from_list([{"prompt": "abc", "completion": "def"}] * 8)

def trainer():
    more = dict(use_cpu=True, bf16=False, max_steps=2, report_to=[], save_strategy="no", disable_tqdm=True)
    return SFTTrainer("base", train_dataset=rows, eval_dataset=rows, args=SFTConfig("out", **more))

made = trainer()
made.train()
print(f"train(): {made.state.global_step} steps")
made = trainer()
made.model_init = lambda trial=None: AutoModelForCausalLM.from_pretrained("base")
try:
    rate = lambda trial: {"learning_rate": trial.suggest_float("learning_rate", 1e-4, 1e-3)}
    made.hyperparameter_search(hp_space=rate, n_trials=1, backend="optuna")
    print("hyperparameter_search(): ended")
except Exception as error:
    print(f"hyperparameter_search(): {type(error).__name__}: {error}")
PY
export HF_HUB_OFFLINE=1
"$python" tiny.py >log 2>&1 || { cat log; exit 1; }
"$python" search.py 2>log | grep -E '^(train|hyperparameter_search)\(' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
train(): 2 steps
hyperparameter_search(): AttributeError: 'CausalLMOutputWithPast' object has no attribute 'log_probs'
SEEN
