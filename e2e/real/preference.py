"""The sample's model in transformers, and DPO and KTO by TRL on the batches of the studio's trainer. Called by preference.ts.

Usage: preference.py save BASE FOLDER  a GGUF file as transformers saves a model
       preference.py train FOLDER      reads job.json, rows.jsonl and weights there, and writes curve.json
"""

import json
import os
import sys

import numpy
import torch
from datasets import Dataset
from peft import LoraConfig, get_peft_model
from torch.utils.data import DataLoader
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer
from trl import DPOConfig, DPOTrainer, KTOConfig, KTOTrainer

NAMES = {
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj", "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
}
OTHERS = {"token_embd.weight": "model.embed_tokens.weight", "output_norm.weight": "model.norm.weight"}


def load(base):
    """The numbers of a GGUF file in a model that nobody quantized."""
    place = {"pretrained_model_name_or_path": os.path.dirname(base), "gguf_file": os.path.basename(base)}
    read = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32)
    config = AutoConfig.from_pretrained(**place)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    model.load_state_dict(read.state_dict())
    model.tie_weights()
    return model, AutoTokenizer.from_pretrained(**place)


def save(base, folder):
    model, tokenizer = load(base)
    for attribute in ("quantization_config", "_name_or_path"):
        if hasattr(model.config, attribute):
            delattr(model.config, attribute)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def to_name(name):
    if name in OTHERS:
        return OTHERS[name]
    _, layer, part, _ = name.split(".")
    return f"model.layers.{layer}.{NAMES[part]}.weight"


def read_end(folder, name, shape, heads):
    """A matrix as ours has it, with the rows of q and k in the order of transformers."""
    tensor = numpy.fromfile(f"{folder}/end.{name}", dtype="<f4").reshape(shape)
    if ".attn_q." in name or ".attn_k." in name:
        tensor = tensor.reshape(heads, -1, 2, shape[1]).swapaxes(1, 2).reshape(shape)
    return torch.from_numpy(tensor.copy())


def open_adapter(model, folder, lora):
    """LoRA that begins with our numbers."""
    model = get_peft_model(model, LoraConfig(r=lora["rank"], lora_alpha=lora["alpha"], target_modules="all-linear"))
    own = {theirs: name for name, theirs in NAMES.items()}
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if ".lora_A." in name:
                layer, part = name.split(".layers.")[1].split(".lora_A.")[0].split(".", 1)
                start = numpy.fromfile(f"{folder}/start.blk.{layer}.{own[part]}.weight.lora_a", dtype="<f4")
                parameter.copy_(torch.from_numpy(start.reshape(-1, parameter.shape[1])[: lora["rank"]]))
    return model


@torch.no_grad()
def measure(model, start, folder, tensors, heads):
    """How far our final weights are from these, as a part of the way that these moved."""
    off = moved = 0.0
    for entry in tensors:
        name = to_name(entry["name"])
        own = read_end(folder, entry["name"], entry["shape"], heads)
        off += ((own - model[name].reshape(own.shape)) ** 2).sum().item()
        moved += ((model[name] - start[name]) ** 2).sum().item()
    return (off / moved) ** 0.5


def train(folder):
    with open(f"{folder}/job.json") as file:
        job = json.load(file)
    with open(f"{folder}/rows.jsonl") as file:
        rows = [json.loads(line) for line in file]
    is_dpo = job["objective"] == "dpo"
    Config, Trainer = (DPOConfig, DPOTrainer) if is_dpo else (KTOConfig, KTOTrainer)
    model, tokenizer = load(job["base"])
    start, heads = {name: tensor.clone() for name, tensor in model.state_dict().items()}, model.config.num_attention_heads
    # TRL also learns what a template puts after the end of an answer, which no model is asked for.
    tokenizer.chat_template = tokenizer.chat_template.replace(
        "'<|im_end|>' + '\n'", "'<|im_end|>' + ('' if loop.last and not add_generation_prompt else '\n')"
    )
    reference = None if job["lora"] else load(job["base"])[0]
    if job["lora"]:
        model = open_adapter(model, folder, job["lora"])

    class Ordered(Trainer):
        """The rows as they are, in batches of any size."""

        def get_train_dataloader(self):
            starts = [sum(job["sizes"][:at]) for at in range(len(job["sizes"]))]
            batches = [list(range(start, start + size)) for start, size in zip(starts, job["sizes"])]
            dataset = self.train_dataset
            if not is_dpo:
                answers = dataset["completion_ids"]
                # As `_prepare_dataset` pairs them, where all batches have one size.
                mismatched = [answers[batch[at - 1]] for batch in batches for at in range(len(batch))]
                dataset = dataset.remove_columns("KL_completion_ids").add_column("KL_completion_ids", mismatched)
            return DataLoader(list(dataset), batch_sampler=batches, collate_fn=self.data_collator)

    weights = {} if is_dpo else {"desirable_weight": job["desirable"], "undesirable_weight": job["undesirable"]}
    config = Config(
        output_dir=f"{folder}/trl", num_train_epochs=1, learning_rate=job["rate"], lr_scheduler_type="constant", beta=0.1,
        max_length=None, logging_steps=1, save_strategy="no", report_to=[], bf16=False, use_cpu=True,
        gradient_checkpointing=False, remove_unused_columns=False, adam_beta2=0.98,
        per_device_train_batch_size=max(job["sizes"]), **weights,
    )
    trainer = Ordered(
        model=model, ref_model=reference, args=config, train_dataset=Dataset.from_list(rows), processing_class=tokenizer
    )
    trainer.train()
    trained = (trainer.model.merge_and_unload() if job["lora"] else trainer.model).state_dict()
    with open(f"{folder}/curve.json", "w") as file:
        curve = [each for each in trainer.state.log_history if "loss" in each]
        json.dump({"curve": curve, "off": measure(trained, start, folder, job["tensors"], heads)}, file)


task, *given = sys.argv[1:]
{"save": save, "train": train}[task](*given)
