# Steps of PyTorch on the batches of train.ts: a llama of the same shape, F32, AdamW, gradient norm 1, rows padded. Prints
# tokens a second, padding left out.
import json
import sys
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

job = json.load(sys.stdin)
shape = job["shape"]
torch.set_num_threads(job["threads"])
torch.manual_seed(1)
model = LlamaForCausalLM(
    LlamaConfig(
        vocab_size=shape["vocabulary"],
        hidden_size=shape["width"],
        intermediate_size=shape["innerWidth"],
        num_hidden_layers=shape["layers"],
        num_attention_heads=shape["heads"],
        num_key_value_heads=shape["keyHeads"],
        head_dim=shape["headWidth"],
        max_position_embeddings=shape["context"],
        tie_word_embeddings=not shape["hasOutput"],
        attn_implementation="sdpa",
        use_cache=False,
    )
)
if job["lora"]:
    from peft import LoraConfig, get_peft_model

    lora = LoraConfig(r=job["lora"]["rank"], lora_alpha=job["lora"]["alpha"], target_modules="all-linear")
    model = get_peft_model(model, lora)
trained = [each for each in model.parameters() if each.requires_grad]
optimizer = torch.optim.AdamW(trained, lr=1e-3, betas=(0.9, 0.98), weight_decay=0, foreach=True)


def step(rows):
    longest = max(len(row["tokens"]) for row in rows)
    tokens = torch.zeros(len(rows), longest, dtype=torch.long)
    labels = torch.full((len(rows), longest), -100)
    for line, row in enumerate(rows):
        count = len(row["tokens"])
        tokens[line, :count] = torch.tensor(row["tokens"])
        wanted = torch.tensor(row["is_target"], dtype=torch.bool)
        labels[line, :count][wanted] = tokens[line, :count][wanted]
    # Padding is at the end, where causal attention does not look, and has no loss.
    model(input_ids=tokens, labels=labels).loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1)
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    return sum(len(row["tokens"]) - 1 for row in rows)


batches = job["batches"]
step(batches[0])
begun = time.perf_counter()
tokens = sum(step(rows) for rows in batches[1:])
print(tokens / (time.perf_counter() - begun))
