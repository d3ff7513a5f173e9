"""Small runs by TRL, and configs of the studio given to the trainers that they are for.

make FOLDER                     trains FOLDER/runs/{full,lora,dpo,grpo} from FOLDER/base, with rows in FOLDER/data
trl | llamafactory | axolotl FOLDER [CELL ...]
                                trains two steps of each config in FOLDER/cells; a line for each
copies FOLDER                   whether what the studio reads of the copies in FOLDER/outputs is what it read of the runs
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

task, folder = sys.argv[1], Path(sys.argv[2]).resolve()
BASE, DATA, CELLS = folder / "base", folder / "data", folder / "cells"
HUB = re.compile(r"(?:Qwen|meta-llama)/[\w.-]+")
ROWS = {"dpo": "pairs", "grpo": "prompts"}


def write_rows(name, rows):
    (DATA / name).mkdir(parents=True, exist_ok=True)
    (DATA / name / "train.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def make():
    from datasets import Dataset
    from peft import LoraConfig
    from tokenizers import Tokenizer, models
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
    from trl import DPOConfig, DPOTrainer, GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer
    from trl.rewards import think_format_reward

    os.chdir(folder)
    words = ["<pad>", "<|im_start|>", "<|im_end|>", "<|eot_id|>", "<unk>", *map(chr, range(32, 127)), "\n"]
    vocabulary = {word: at for at, word in enumerate(words)}
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=Tokenizer(models.BPE(vocab=vocabulary, merges=[], unk_token="<unk>")),
        pad_token="<pad>",
        bos_token="<|im_start|>",
        eos_token="<|im_end|>",
        unk_token="<unk>",
        additional_special_tokens=["<|im_start|>", "<|eot_id|>"],
    )
    tokenizer.chat_template = (
        "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{{ m['content'] }}<|im_end|>\n{% endfor %}"
        "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
    )
    tokenizer.save_pretrained(BASE)
    sizes = dict(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, num_key_value_heads=2)
    ends = dict(pad_token_id=0, eos_token_id=2, bos_token_id=2)
    LlamaForCausalLM(LlamaConfig(vocab_size=len(words), max_position_embeddings=512, **sizes, **ends)).save_pretrained(BASE)

    turns = [[("user", f"hi {i}"), ("assistant", f"yo {i}")] for i in range(32)]
    chat = [{"messages": [{"role": role, "content": text} for role, text in turn]} for turn in turns]
    write_rows("chat", chat)
    write_rows("pairs", [{"prompt": f"hi {i}", "chosen": f"yo {i}", "rejected": "no"} for i in range(32)])
    write_rows("prompts", [{"prompt": [{"role": "user", "content": f"hi {i}"}]} for i in range(32)])
    for name in ("chat.training.jsonl", "chat.validation.jsonl"):
        (folder / name).write_text((DATA / "chat" / "train.jsonl").read_text())

    def load(name):
        return Dataset.from_json(str(DATA / name / "train.jsonl"))

    def train(trainer):
        trainer.train()
        trainer.save_model()

    # Without a tracker, which is what transformers 5 does by itself.
    common = dict(use_cpu=True, bf16=False, max_steps=2, per_device_train_batch_size=4, learning_rate=1e-3, seed=7)
    full = SFTConfig("runs/full", **common, max_length=128, warmup_steps=0.5)
    train(SFTTrainer("base", args=full, train_dataset=load("chat")))
    odd = dict(loss_type="dft", max_grad_norm=0.5, lr_scheduler_type="cosine", gradient_accumulation_steps=2, warmup_steps=1)
    variant = dict(use_rslora=True, use_dora=True, modules_to_save=["lm_head"])
    adapter = LoraConfig(r=4, lora_alpha=8, lora_dropout=0.1, target_modules=["q_proj", "v_proj"], **variant)
    lora = SFTConfig("runs/lora", **common, max_length=128, **odd)
    train(SFTTrainer("base", args=lora, train_dataset=load("chat"), peft_config=adapter))
    dpo = DPOConfig("runs/dpo", **common, max_length=128, beta=0.2)
    plain = LoraConfig(r=4, target_modules=["q_proj"])
    train(DPOTrainer("base", args=dpo, train_dataset=load("pairs"), peft_config=plain))
    grpo = GRPOConfig("runs/grpo", **common, num_generations=4, max_completion_length=16, beta=0.04, temperature=0.9)
    train(GRPOTrainer("base", reward_funcs=think_format_reward, args=grpo, train_dataset=load("prompts")))


def run(command, **more):
    """None: it ended well; else the line of its output that says why not."""
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", **more}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode == 0:
        return None
    text = (done.stdout + done.stderr).splitlines()
    # Not that a process below ended.
    lines = [line for line in text if re.search(r"[Ee]rror|unrecognized", line) and "CalledProcess" not in line]
    return (lines or ["no word of an error"])[-1].strip()[:300]


def read_yaml(path):
    import yaml

    # What a person fills in.
    return yaml.safe_load(HUB.sub(str(BASE), re.sub(r"\*set_the_\w+", str(BASE), path.read_text())))


def save_yaml(path, config):
    import yaml

    target = path.with_suffix(".set.yaml")
    target.write_text(yaml.safe_dump(config))
    return str(target)


def by_trl(path, method):
    rows = str(DATA / ROWS.get(method, "chat"))
    if path.suffix == ".yaml":
        config = {**read_yaml(path), "use_cpu": True, "max_steps": 2, "save_strategy": "no", "datasets": [{"path": rows}]}
        # Not into the folder of the command's copy.
        config["output_dir"] = f"yaml/{method}"
        if method == "grpo":
            config["reward_funcs"] = ["think_format_reward"]
        return run(["trl", method, "--config", save_yaml(path, config)])
    ours = "--use_cpu true --bf16 false --max_steps 2 --save_strategy no --report_to"
    text = HUB.sub(str(BASE), path.read_text()).replace("--report_to", ours)
    if "recommended" not in str(path):
        text = text.replace("--model_name_or_path base ", f"--model_name_or_path {BASE} ")
    given = dict(DATASET=rows, BASE_MODEL=str(BASE), REWARD_FUNCS="think_format_reward")
    return run(["sh", "-c", text], **given)


def by_llamafactory(path, method):
    config = read_yaml(path)
    columns = {"prompt": "prompt", "chosen": "chosen", "rejected": "rejected"}
    tags = dict(role_tag="role", content_tag="content", user_tag="user", assistant_tag="assistant")
    entries = {
        "pairs": {"file_name": str(DATA / "pairs" / "train.jsonl"), "ranking": True, "columns": columns},
        "chat": {
            "file_name": str(DATA / "chat" / "train.jsonl"),
            "formatting": "sharegpt",
            "columns": {"messages": "messages"},
            "tags": tags,
        },
    }
    (folder / "dataset_info.json").write_text(json.dumps(entries))
    config |= {"model_name_or_path": str(BASE), "dataset": ROWS.get(method, "chat"), "dataset_dir": str(folder)}
    config |= {"use_cpu": True, "bf16": False, "max_steps": 2, "overwrite_output_dir": True, "save_strategy": "no"}
    return run(["llamafactory-cli", "train", save_yaml(path, config)], DISABLE_VERSION_CHECK="1")


def by_axolotl(path, method):
    from axolotl.utils.schemas.config import AxolotlInputConfig

    config = read_yaml(path)
    unknown = [key for key in config if key not in AxolotlInputConfig.model_fields]
    if unknown:
        return f"unknown keys: {', '.join(unknown)}"
    if "recommended" not in str(path):
        pairs = {f"field_{name}": name for name in ("prompt", "chosen", "rejected")}
        form = pairs if method == "dpo" else "chat_template"
        rows = str(DATA / ROWS.get(method, "chat") / "train.jsonl")
        config["datasets"] = [{"path": rows, "ds_type": "json", "split": "train", "type": form}]
    # Its kernels need a graphics card.
    config |= {"bf16": False, "lora_mlp_kernel": False, "lora_qkv_kernel": False, "lora_o_kernel": False}
    config |= {"max_steps": 2, "save_strategy": "no"}
    return run(["axolotl", "train", save_yaml(path, config)], AXOLOTL_DO_NOT_TRACK="1")


RUNNERS = {
    "trl": (by_trl, ("trl.sh", "trl-yaml.yaml")),
    "llamafactory": (by_llamafactory, ("llamafactory.yaml",)),
    "axolotl": (by_axolotl, ("axolotl.yaml",)),
}

def to_flags(path):
    """The settings of a command, without what every copy has of its own."""
    own = ("--output_dir", "--dataset_name", "--model_name_or_path", "--reward_funcs", "trl ")
    lines = (line.strip(" \\") for line in path.read_text().splitlines() if not line.startswith("#"))
    return {line for line in lines if line and not line.startswith(own)}


def compare():
    failed = 0
    for name in ("full", "lora", "dpo", "grpo"):
        run, copy = (to_flags(folder / place / "trl.sh") for place in (f"cells/{name}", f"copies/1-{name}-run"))
        lost = sorted(run ^ copy)
        failed += bool(lost)
        print(f"copy {name}: {'other settings: ' + ', '.join(lost) if lost else 'same settings'}")
    sys.exit(min(failed, 1))


if task == "make":
    make()
elif task == "copies":
    compare()
else:
    runner, names = RUNNERS[task]
    failed = 0
    asked = set(sys.argv[3:])
    for cell in sorted(each for each in CELLS.iterdir() if not asked or each.name in asked):
        for path in [cell / name for name in names]:
            if path.exists():
                problem = runner(path, cell.name if cell.name in ROWS else "sft")
                failed += problem is not None
                print(f"{task} {cell.name} {path.name}: {problem or 'trained 2 steps'}", flush=True)
    sys.exit(min(failed, 1))
