"""Small runs by TRL, and configs of the studio given to the trainers that they are for.

make FOLDER                     trains FOLDER/runs/{full,lora,dpo,grpo} from FOLDER/base, with rows in FOLDER/data
TOOL FOLDER [CELL ...]          trains two steps of each config in FOLDER/cells; a line for each. TOOL: see RUNNERS
table FOLDER                    counts the lines of FOLDER/verdicts by format and source, and says why cells are empty
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
    answer = {"role": "assistant", "content": "yo"}
    write_rows("rejections", [{"messages": [*row["messages"][:1], answer], "rejected_response": "no"} for row in chat])
    # As the studio gives rows for DPO and KTO.
    ask, said, other = ([{"role": role, "content": text}] for role, text in (("user", "hi"), ("assistant", "yo"), ("assistant", "no")))
    write_rows("compared", [{"messages": ask, "chosen": said, "rejected": other} for _ in range(24)])
    write_rows("labelled", [{"messages": ask, "completion": other, "label": False} for _ in range(9)])
    compared, labelled = ((DATA / name / "train.jsonl").read_text() for name in ("compared", "labelled"))
    chats = (DATA / "chat" / "train.jsonl").read_text()
    for name, text in (("chat", chats), ("dpo", compared), ("kto", compared + labelled)):
        for part in ("training", "validation"):
            (folder / f"{name}.{part}.jsonl").write_text(text)

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


def is_of_studio(path):
    """Not of a run of a folder, so with rows of the studio."""
    return path.parent.name.startswith(("recommended-", "own-"))


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
    if not is_of_studio(path):
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
    if not is_of_studio(path):
        pairs = {f"field_{name}": name for name in ("prompt", "chosen", "rejected")}
        form = pairs if method == "dpo" else "chat_template"
        rows = str(DATA / ROWS.get(method, "chat") / "train.jsonl")
        config["datasets"] = [{"path": rows, "ds_type": "json", "split": "train", "type": form}]
    # Its kernels need a graphics card.
    config |= {"bf16": False, "lora_mlp_kernel": False, "lora_qkv_kernel": False, "lora_o_kernel": False}
    config |= {"max_steps": 2, "save_strategy": "no"}
    return run(["axolotl", "train", save_yaml(path, config)], AXOLOTL_DO_NOT_TRACK="1")


def run_shell(path, more, base, **given):
    """The command with `more` at its end: of a flag said twice the last one counts."""
    text = path.read_text().rstrip() + "".join(f" \\\n  {each}" for each in more) + "\n"
    text = re.sub(r"^  (--model |checkpointer\.checkpoint_dir=)?base( \\)$", rf"  \g<1>{base}\2", text, flags=re.M)
    return run(["sh", "-c", text], BASE_MODEL=str(base), REWARD_FUNCS="format", **given)


def by_swift(path, method):
    rows = str(DATA / {"dpo": "rejections"}.get(method, "chat") / "train.jsonl")
    # A model of no name in its lists.
    more = ["--model_type llama", "--template chatml", "--use_hf true", "--use_cpu true", "--bf16 false", "--max_steps 2"]
    return run_shell(path, [*more, "--save_strategy no", "--report_to none"], BASE, DATASET=rows)


def by_litgpt(path, method):
    import torch
    from litgpt import GPT, Config
    from litgpt.utils import save_config

    base, rows = folder / "litgpt-base", folder / "alpaca.json"
    if not base.exists():
        base.mkdir()
        sizes = dict(block_size=256, vocab_size=102, padded_vocab_size=128, n_layer=2, n_head=2, n_embd=32)
        config = Config(name="tiny", hf_config={}, parallel_residual=False, rotary_percentage=1.0, **sizes)
        save_config(config, base)
        torch.save(GPT(config).state_dict(), base / "lit_model.pth")
        for name in ("tokenizer.json", "tokenizer_config.json"):
            (base / name).write_bytes((BASE / name).read_bytes())
        (base / "generation_config.json").write_text('{"bos_token_id": 1, "eos_token_id": 2}')
        rows.write_text(json.dumps([{"instruction": f"hi {i}", "input": "", "output": f"yo {i}"} for i in range(32)]))
    more = ["--precision 32-true", "--train.max_steps 2", "--eval.max_new_tokens 4"]
    return run_shell(path, more, base, DATASET=str(rows))


def by_torchtune(path, method):
    import yaml
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import Qwen2Config, Qwen2ForCausalLM

    base, configs = folder / "torchtune-base", folder / "torchtune"
    sizes = dict(vocab_size=151936, num_layers=2, num_heads=2, num_kv_heads=2, embed_dim=16, intermediate_dim=32)
    if not base.exists():
        names = dict(num_layers="num_hidden_layers", num_heads="num_attention_heads", num_kv_heads="num_key_value_heads")
        names |= dict(embed_dim="hidden_size", intermediate_dim="intermediate_size")
        theirs = {names.get(name, name): size for name, size in sizes.items()}
        Qwen2ForCausalLM(Qwen2Config(**theirs, tie_word_embeddings=False)).save_pretrained(base)
        words = {word: at for at, word in enumerate(sorted(ByteLevel.alphabet()))}
        (base / "vocab.json").write_text(json.dumps(words))
        (base / "merges.txt").write_text("#version: 0.2\n")
    kind = "lora" if "lora_finetune" in path.read_text() else "full"
    # Its recipe of a small model, made smaller, on the processor, with the rows of the runs.
    cat = [Path(sys.executable).parent / "tune", "cat", f"qwen2_5/0.5B_{kind}_single_device"]
    recipe = subprocess.run(cat, capture_output=True, text=True, check=True).stdout
    config = yaml.safe_load(recipe)
    builder = "lora_qwen2" if kind == "lora" else "qwen2"
    model = {} if kind == "full" else {"lora_attn_modules": ["q_proj"], "lora_rank": 8, "lora_alpha": 16}
    config["model"] = {"_component_": f"torchtune.models.qwen2.{builder}", **sizes, **model, "max_seq_len": 512}
    config["tokenizer"] |= {"path": str(base / "vocab.json"), "merges_file": str(base / "merges.txt")}
    config["checkpointer"] |= {"checkpoint_files": ["model.safetensors"]}
    of_rows = {"conversation_column": "messages", "conversation_style": "openai"}
    config["dataset"] = {"_component_": "torchtune.datasets.chat_dataset", "source": "", **of_rows}
    config |= {"device": "cpu", "log_peak_memory_stats": False}
    configs.mkdir(exist_ok=True)
    (configs / f"{kind}.yaml").write_text(yaml.safe_dump(config))
    more = ["epochs=1", "max_steps_per_epoch=2"]
    return run_shell(path, more, base, DATASET=str(DATA / "chat"), CONFIG=str(configs / f"{kind}.yaml"))


def by_unsloth(path, method):
    for_processor = "dict(use_cpu=True, bf16=False, max_steps=2, save_strategy='no', report_to='none')"
    text = HUB.sub(str(BASE), path.read_text()).replace('"base"', f'"{BASE}"')
    text = re.sub(r"^DATA = None", f'DATA = "{DATA / "chat"}"', text, flags=re.M)
    text = re.sub(r"^BASE_MODEL = None", f'BASE_MODEL = "{BASE}"', text, flags=re.M)
    ours = f"Config = SFTConfig\nSFTConfig = lambda **given: Config(**{{**given, **{for_processor}}})\n"
    text = text.replace("settings = SFTConfig(", f"{ours}settings = SFTConfig(")
    cell = path.with_suffix(".set.py")
    cell.write_text(text)
    return run([sys.executable, str(cell)])


def by_peft(path, method):
    from peft import LoraConfig, get_peft_model
    from transformers import AutoModelForCausalLM

    place = folder / "adapters" / path.parent.name
    place.mkdir(parents=True, exist_ok=True)
    (place / "adapter_config.json").write_text(path.read_text())
    config = LoraConfig.from_pretrained(place)
    ours, theirs = (json.loads((each / "adapter_config.json").read_text()) for each in (place, folder / "runs" / path.parent.name))
    # Names in a list have no order.
    plain = lambda value: sorted(map(str, value)) if isinstance(value, (list, set)) else value
    usual, taken = LoraConfig().to_dict(), config.to_dict()
    get_peft_model(AutoModelForCausalLM.from_pretrained(BASE), config)
    # What PEFT finds out by itself. Without a word on the task, which a language model has, the studio says it.
    of_peft = {"auto_mapping", "inference_mode", "peft_version"} | ({"task_type"} if theirs["task_type"] is None else set())
    pairs = {key: (taken.get(key), theirs.get(key, usual.get(key))) for key in sorted((ours.keys() | theirs.keys()) - of_peft)}
    other = [f"{key} {one} for {two}" for key, (one, two) in pairs.items() if plain(one) != plain(two)]
    return f"other keys: {', '.join(other)}" if other else None


# PEFT has the settings of an adapter, and no training.
DONE = ("trained 2 steps", "loaded, all keys the same")
RUNNERS = {
    "trl": (by_trl, ("trl.sh", "trl.yaml")),
    "llamafactory": (by_llamafactory, ("llamafactory.yaml",)),
    "axolotl": (by_axolotl, ("axolotl.yaml",)),
    "unsloth": (by_unsloth, ("unsloth-sft.py",)),
    "ms-swift": (by_swift, ("ms-swift.sh",)),
    "litgpt": (by_litgpt, ("litgpt.sh",)),
    "torchtune": (by_torchtune, ("torchtune.sh",)),
    "peft": (by_peft, ("adapter_config.json",)),
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


def train(tool, asked):
    runner, names = RUNNERS[tool]
    failed = 0
    for cell in sorted(each for each in CELLS.iterdir() if not asked or each.name in asked):
        for path in [cell / name for name in names]:
            refused = Path(f"{path}.problem")
            if path.exists():
                problem = runner(path, cell.name if cell.name in ROWS else "sft")
                failed += problem is not None
                print(f"{tool} {cell.name} {path.name}: {problem or DONE[tool == 'peft']}", flush=True)
            elif refused.exists():
                print(f"{tool} {cell.name} {path.name}: not exported: {refused.read_text()}", flush=True)
    sys.exit(min(failed, 1))


def show_table():
    cells, reasons = {}, {}
    for line in (folder / "verdicts").read_text().splitlines():
        match = re.match(r"(?!copy)\S+ (\S+) (\S+): (.*)", line)
        if match is None:
            continue
        cell, name, verdict = match.groups()
        source, what = re.match(r"(?:(recommended|own)-.*-)?(\w+)$", cell).groups()
        key = f"{source or 'read'} {what}"
        cells.setdefault(name, {}).setdefault(key, []).append(verdict)
        if verdict not in DONE:
            reasons.setdefault(verdict, set()).add(f"{name} of {key}")
    asked = [f"{source} {what}" for source in ("recommended", "read", "own") for what in ("full", "lora", "dpo", "kto", "grpo")]
    columns = [each for each in asked if any(each in row for row in cells.values())]
    print("| format |", " | ".join(columns), "|")
    print("|---" * (len(columns) + 1) + "|")
    for name, row in cells.items():
        verdicts = [row.get(column, []) for column in columns]
        tried = [[each for each in some if not each.startswith("not exported")] for some in verdicts]
        texts = [f"{sum(each in DONE for each in some)} of {len(some)}" if some else "-" for some in tried]
        print(f"| {name} |", " | ".join(texts), "|")
    for reason, where in reasons.items():
        print(f"{reason} ({', '.join(sorted(where))})")


if task == "make":
    make()
elif task == "copies":
    compare()
elif task == "table":
    show_table()
else:
    train(task, set(sys.argv[3:]))
