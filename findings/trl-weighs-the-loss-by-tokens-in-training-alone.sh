#!/usr/bin/env bash
# TRL 1.16.0, transformers 5.24.0, Python 3.11
#
# The training loss is the sum over all tokens of a step by their number, however the rows are cut into batches. eval_loss is the
# mean of the batches' means, each counted by its rows, so that a short row alone in a batch weighs as much as a long one. With the
# same weights, the same rows and a learning rate of 0 the two differ, and eval_loss changes with per_device_eval_batch_size, where
# the training loss does not with per_device_train_batch_size. mean_token_accuracy is a mean of means in both: in training that of
# the micro batches, so it changes with their size beside a loss that stays.
#
# Output: four rows, two of them with 2 tokens to learn and two with 21; one step over all of them, then evaluate().
#   batches of 1: training loss 5.71, accuracy 0.25; eval_loss 4.25, accuracy 0.25
#   batches of 2: training loss 5.71, accuracy 0.04; eval_loss 5.71, accuracy 0.04
#   batches of 4: training loss 5.71, accuracy 0.04; eval_loss 5.71, accuracy 0.04
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "trl==1.16.0" "transformers==5.24.0" "torch==2.15.0"
fi
cat >train.py <<'PY'
import string
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from trl import SFTConfig, SFTTrainer

names = ["<s>", "</s>", "<pad>", *string.ascii_lowercase]
words = Tokenizer(models.WordLevel({name: at for at, name in enumerate(names)}, unk_token="<pad>"))
words.pre_tokenizer = pre_tokenizers.Split("", "isolated")
marks = dict(bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<pad>")
PreTrainedTokenizerFast(tokenizer_object=words, **marks).save_pretrained("base")
set_seed(0)
sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2)
more = dict(initializer_range=0.5, bos_token_id=0, eos_token_id=1, pad_token_id=2)
LlamaForCausalLM(LlamaConfig(vocab_size=len(names), **sizes, **more)).save_pretrained("base")

answers = ["b", "abcdefghijklmnopqrst"] * 2
rows = Dataset.from_list([{"prompt": "q", "completion": answer} for answer in answers])
for batch in (1, 2, 4):
    cut = dict(per_device_train_batch_size=batch, gradient_accumulation_steps=4 // batch, per_device_eval_batch_size=batch)
    more = dict(learning_rate=0.0, max_steps=1, logging_steps=1, use_cpu=True, bf16=False, save_strategy="no", report_to=[], disable_tqdm=True)
    trainer = SFTTrainer("base", train_dataset=rows, eval_dataset=rows, args=SFTConfig("out", **cut, **more))
    trainer.train()
    step, end = trainer.state.log_history[0], trainer.evaluate()
    print(
        f"batches of {batch}: training loss {step['loss']:.2f}, accuracy {step['mean_token_accuracy']:.2f}; "
        f"eval_loss {end['eval_loss']:.2f}, accuracy {end['eval_mean_token_accuracy']:.2f}"
    )
PY
export HF_HUB_OFFLINE=1
"$python" train.py 2>log | grep '^batches of' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
batches of 1: training loss 5.71, accuracy 0.25; eval_loss 4.25, accuracy 0.25
batches of 2: training loss 5.71, accuracy 0.04; eval_loss 5.71, accuracy 0.04
batches of 4: training loss 5.71, accuracy 0.04; eval_loss 5.71, accuracy 0.04
SEEN
