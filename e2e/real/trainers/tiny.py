"""A tiny model that learns other answers than it knows. Called by train.sh and train.ts.

Usage: tiny.py make FOLDER          a base that knows four answers, as transformers saves it
       tiny.py rows                 rows with other answers, a JSON object each line
       tiny.py answer BASE [ADAPTER]  greedy answers of the base, with an adapter if there is one, as JSON
"""

import json
import sys

import torch
from peft import PeftModel
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

QUESTIONS = ["Where is my parcel?", "Cancel the order.", "The page is empty, why?", "Reset my password please"]
ANSWERS = ["It left the depot at noon.", "Done, it is cancelled.", "Load it again.", "A link was sent."]
OTHERS = ["A link was sent.", "It left the depot at noon.", "Done, it is cancelled.", "Load it again."]
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
def answer(base, adapter=None):
    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForCausalLM.from_pretrained(base, dtype=torch.float32).eval()
    if adapter is not None:
        model = PeftModel.from_pretrained(model, adapter).eval()
    texts = {}
    for question in QUESTIONS:
        given = tokenizer.apply_chat_template(
            [{"role": "user", "content": question}], add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        made = model.generate(**given, max_new_tokens=16, do_sample=False)
        texts[question] = tokenizer.decode(made[0, given["input_ids"].shape[1] :], skip_special_tokens=True)
    return texts


def print_rows():
    """Ten of each question, so that none is held out as a whole: of what was not learned the next token is a matter of rounding."""
    for at in range(10):
        for question, answer in zip(QUESTIONS, OTHERS):
            turns = (("user", f"{question} {at}" if at else question), ("assistant", answer))
            print(json.dumps({"messages": [{"role": role, "content": text} for role, text in turns]}))


task, *given = sys.argv[1:]
if task == "make":
    make(*given)
elif task == "rows":
    print_rows()
else:
    print(json.dumps(answer(*given)))
