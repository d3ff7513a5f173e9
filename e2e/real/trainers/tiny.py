"""A tiny model for trainers.sh.

Usage: trainers.py make FOLDER          a base that knows four answers, as transformers saves it
       trainers.py answer BASE ADAPTER  greedy answers of the base with an adapter, as JSON
"""

import json
import sys

import torch
from peft import PeftModel
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

QUESTIONS = ["Where is my parcel?", "Cancel the order.", "The page is empty, why?", "Reset my password please"]
ANSWERS = ["It left the depot at noon.", "Done, it is cancelled.", "Load it again.", "A link was sent."]
TEMPLATE = (
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


def make(folder):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    marks = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=marks, initial_alphabet=alphabet, show_progress=False)
    tokenizer.train_from_iterator([*QUESTIONS, *ANSWERS], trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = TEMPLATE
    fast.save_pretrained(folder)
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=len(fast), hidden_size=64, intermediate_size=96, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, max_position_embeddings=512, tie_word_embeddings=True,
        eos_token_id=fast.eos_token_id, pad_token_id=fast.pad_token_id,
    )
    model = LlamaForCausalLM(config)
    # Words that it is sure of: of random ones the next token is a matter of rounding.
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    pairs = [[{"role": "user", "content": q}, {"role": "assistant", "content": a}] for q, a in zip(QUESTIONS, ANSWERS)]
    rows = fast.apply_chat_template(pairs, padding=True, return_tensors="pt", return_dict=True)
    labels = rows["input_ids"].masked_fill(rows["attention_mask"] == 0, -100)
    for _ in range(200):
        model(**rows, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)


@torch.no_grad()
def answer(base, adapter):
    tokenizer = AutoTokenizer.from_pretrained(adapter)
    model = PeftModel.from_pretrained(AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32), adapter).eval()
    texts = {}
    for question in QUESTIONS:
        given = tokenizer.apply_chat_template(
            [{"role": "user", "content": question}], add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        made = model.generate(**given, max_new_tokens=16, do_sample=False)
        texts[question] = tokenizer.decode(made[0, given["input_ids"].shape[1] :], skip_special_tokens=True)
    return texts


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    print(json.dumps(answer(*sys.argv[2:])))
