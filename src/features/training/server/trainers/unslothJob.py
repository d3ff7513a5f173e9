# Trains one job with Unsloth: python unslothJob.py unsloth.json. Started by trainWith.mjs.
import json
import sys

from unsloth import FastLanguageModel  # first: it patches the others
from datasets import Dataset
from trl import SFTConfig, SFTTrainer

with open(sys.argv[1], encoding="utf8") as file:
    job = json.load(file)

lora = job["lora"]
model, tokenizer = FastLanguageModel.from_pretrained(
    model_name=job["model"],
    max_seq_length=job["max_length"],
    load_in_4bit=job["in_4bit"],
    full_finetuning=lora is None,
)
if lora is not None:
    model = FastLanguageModel.get_peft_model(
        model,
        r=lora["rank"],
        lora_alpha=lora["alpha"],
        lora_dropout=lora.get("dropout", 0),
        # Without it: all linear layers.
        **({"target_modules": lora["target_modules"]} if "target_modules" in lora else {}),
        random_state=job["arguments"]["seed"],
    )


def to_text(row):
    text = tokenizer.apply_chat_template(row["messages"], tools=row.get("tools"), tokenize=False)
    return {"text": text}


def read(path):
    if not path:
        return None
    # Line by line: a table would give each call the arguments of all, with nulls.
    with open(path, encoding="utf8") as lines:
        return Dataset.from_list([to_text(json.loads(line)) for line in lines if line.strip()])


trainer = SFTTrainer(
    model=model,
    processing_class=tokenizer,
    train_dataset=read(job["training"]),
    eval_dataset=read(job["validation"]),
    args=SFTConfig(dataset_text_field="text", max_length=job["max_length"], **job["arguments"]),
)
trainer.train()
trainer.save_model(job["arguments"]["output_dir"])
tokenizer.save_pretrained(job["arguments"]["output_dir"])
