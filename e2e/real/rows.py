"""What trainers learn of the rows that the studio writes for them: the text of the tokens with labels.

make FOLDER       a base with a token for each letter in FOLDER/base
TRAINER FOLDER    compares what TRAINER learns of FOLDER/TRAINER/{download,job} with what may be learnt. A line for each.
"""

import json
import os
import re
import shutil
import sys
from itertools import groupby
from pathlib import Path

task, folder = sys.argv[1], Path(sys.argv[2]).resolve()
BASE, PLACE = folder / "base", folder / task
TEMPLATE = (
    "{% if tools %}<|im_start|>system\nTools: {{ tools | tojson }}<|im_end|>\n{% endif %}"
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] or '' }}"
    "{% for call in message['tool_calls'] or [] %}<tool_call>{{ call['function'] | tojson }}</tool_call>{% endfor %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make():
    from tokenizers import Tokenizer, decoders, models
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = ["<pad>", "<|im_start|>", "<|im_end|>", "<unk>", *map(chr, range(32, 127)), "\n"]
    vocabulary = {word: at for at, word in enumerate(words)}
    letters = Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>"))
    letters.decoder = decoders.Fuse()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=letters,
        pad_token="<pad>", eos_token="<|im_end|>", unk_token="<unk>", additional_special_tokens=["<|im_start|>"],
    )
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(BASE)
    sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)
    ends = dict(pad_token_id=0, eos_token_id=2, bos_token_id=None)
    config = LlamaConfig(vocab_size=len(words), max_position_embeddings=4096, **sizes, **ends)
    LlamaForCausalLM(config).save_pretrained(BASE)


def read_config():
    return json.loads((PLACE / "job/output" / f"{task}.yaml").read_text())


def write_config(config, name):
    path = PLACE / f"{name}.yaml"
    path.write_text(json.dumps(config))
    return str(path)


def axolotl(rows, name):
    from axolotl.cli.config import load_cfg
    from axolotl.loaders import load_tokenizer
    from axolotl.prompt_strategies import chat_template

    config = read_config()
    config["datasets"][0]["path"] = str(rows)
    cfg = load_cfg(write_config(config, name))
    tokenizer = load_tokenizer(cfg)
    strategy = chat_template.load(tokenizer, cfg, cfg.datasets[0])
    for line in rows.read_text().splitlines():
        made = strategy.tokenize_prompt(json.loads(line))
        yield tokenizer, made["input_ids"], made["labels"]


def ms_swift(rows, name):
    from swift.pipelines.train.sft import SwiftSft

    calls = [json.loads(line) for line in (PLACE / "job/calls").read_text().splitlines()]
    words = next(call for call in calls if "--dataset" in call)
    words = words[words.index("sft") + 1 :]
    words[words.index("--dataset") + 1] = str(rows)
    words[words.index("--output_dir") + 1] = str(PLACE / name)
    sft = SwiftSft([*words, "--load_from_cache_file", "false"])
    for row in sft._prepare_dataset()[0]:
        yield sft.template.tokenizer, row["input_ids"], row["labels"]


def llama_factory(rows, name):
    from llamafactory.data import get_dataset, get_template_and_fix_tokenizer
    from llamafactory.hparams import get_train_args
    from llamafactory.model import load_tokenizer

    config = read_config()
    place = PLACE / name
    place.mkdir(exist_ok=True)
    shutil.copy(PLACE / f"{name}.entries.json", place / "dataset_info.json")
    shutil.copy(rows, place / "train.jsonl")
    model, data, training, _, _ = get_train_args({**config, "dataset_dir": str(place), "overwrite_cache": True})
    loaded = load_tokenizer(model)
    template = get_template_and_fix_tokenizer(loaded["tokenizer"], data)
    made = get_dataset(template, model, data, training, stage="sft", **loaded)
    for row in made["train_dataset"]:
        yield loaded["tokenizer"], row["input_ids"], row["labels"]


def trl(rows, name):
    from datasets import load_dataset
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import ModelConfig, ScriptArguments, SFTConfig, SFTTrainer, TrlParser

    path = write_config(read_config(), name)
    parsed = TrlParser((ScriptArguments, SFTConfig, ModelConfig)).parse_args_and_config(["--config", path])
    tokenizer = AutoTokenizer.from_pretrained(BASE)
    trainer = SFTTrainer(
        model=AutoModelForCausalLM.from_pretrained(BASE),
        args=parsed[1],
        processing_class=tokenizer,
        train_dataset=load_dataset("json", data_files=str(rows), split="train"),
    )
    for row in trainer.train_dataset:
        made = trainer.data_collator([row])
        yield tokenizer, made["input_ids"][0].tolist(), made["labels"][0].tolist()


TRAINERS = {"axolotl": axolotl, "ms-swift": ms_swift, "llama-factory": llama_factory, "trl": trl}


def find_learnt(tokenizer, ids, labels):
    """The texts of the stretches with labels, without end marks and newlines."""
    for is_learnt, pairs in groupby(zip(ids, labels), lambda pair: pair[1] != -100):
        if not is_learnt:
            continue
        text = tokenizer.decode([token for token, _ in pairs], clean_up_tokenization_spaces=False)
        yield from filter(None, (part.strip("\n") for part in re.split(r"<\|im_end\|>", text)))


def compare(rows, name):
    allowed = json.loads((PLACE / f"{name}.learnt.json").read_text())
    learnt = [text for row in TRAINERS[task](rows, name) for text in find_learnt(*row)]
    missing, more = [], list(learnt)
    for text in allowed:
        word = text.removeprefix("call:")
        found = next((each for each in more if each == text or (word != text and word in each and "null" not in each)), None)
        if found is None:
            missing.append(text)
        else:
            more.remove(found)
    print(
        f"{task}, {name}: {len(allowed) - len(missing)} of {len(allowed)} answers learnt, {len(more)} that may not be"
        + (f"; missing: {missing}" if missing else "")
        + (f"; too much: {more}" if more else ""),
        flush=True,
    )
    return not missing and not more


if task == "make":
    make()
else:
    os.chdir(folder)
    results = [compare(PLACE / "download.jsonl", "download"), compare(PLACE / "job/rows/train.jsonl", "job")]
    sys.exit(0 if all(results) else 1)
