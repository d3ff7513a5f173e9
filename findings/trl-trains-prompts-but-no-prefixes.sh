#!/usr/bin/env bash
# TRL 1.16.0, PEFT 0.21.2, transformers 5.24.0, Python 3.11
#
# Of PEFT's prompt-learning methods SFTTrainer trains prompt tuning and p-tuning; with prefix tuning, which needs no change of the
# model either, the first step ends with a RuntimeError about sizes: the attention mask is as long as the row alone, while the keys
# have the prefix before them. Trainable tokens are refused before the start where the embedding is tied to lm_head, with a reason
# that names lm_head, which the person never named. IA3 and LoRA train.
#
# Output:
#   LoRA: trained
#   IA3: trained
#   prompt tuning: trained
#   p-tuning: trained
#   prefix tuning: RuntimeError at a step
#   trainable tokens: ValueError before the start
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "trl[peft]==1.16.0" "peft==0.21.2" "transformers==5.24.0"
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
more = dict(tie_word_embeddings=True, bos_token_id=0, eos_token_id=1, pad_token_id=2)
LlamaForCausalLM(LlamaConfig(vocab_size=len(names), **sizes, **more)).save_pretrained("base")
PY
cat >train.py <<'PY'
import peft
from datasets import Dataset
from trl import SFTConfig, SFTTrainer

rows = Dataset.from_list([{"prompt": "abc", "completion": "def"}] * 8)
more = dict(use_cpu=True, bf16=False, max_steps=2, report_to=[], save_strategy="no", disable_tqdm=True)
causal = dict(task_type="CAUSAL_LM")
for name, config in (
    ("LoRA", peft.LoraConfig(**causal)),
    ("IA3", peft.IA3Config(**causal)),
    ("prompt tuning", peft.PromptTuningConfig(num_virtual_tokens=4, **causal)),
    ("p-tuning", peft.PromptEncoderConfig(num_virtual_tokens=4, encoder_hidden_size=16, **causal)),
    ("prefix tuning", peft.PrefixTuningConfig(num_virtual_tokens=4, **causal)),
    ("trainable tokens", peft.TrainableTokensConfig(token_indices=[5], **causal)),
):
    where = "before the start"
    try:
        trainer = SFTTrainer("base", train_dataset=rows, peft_config=config, args=SFTConfig("out", **more))
        where = "at a step"
        trainer.train()
        print(f"{name}: trained")
    except Exception as error:
        print(f"{name}: {type(error).__name__} {where}")
PY
export HF_HUB_OFFLINE=1
"$python" tiny.py >log 2>&1 || { cat log; exit 1; }
"$python" train.py 2>log | grep -E '^(LoRA|IA3|prompt tuning|p-tuning|prefix tuning|trainable tokens):' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
LoRA: trained
IA3: trained
prompt tuning: trained
p-tuning: trained
prefix tuning: RuntimeError at a step
trainable tokens: ValueError before the start
SEEN
