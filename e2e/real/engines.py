"""The tiny model of trainers/tiny.py as litgpt keeps models. Called by engines.sh.

engines.py BASE FOLDER
"""

import json
import shutil
import sys
from pathlib import Path

import torch
from litgpt import GPT, Config
from litgpt.scripts.convert_hf_checkpoint import copy_weights_hf_llama
from litgpt.utils import save_config
from safetensors.torch import load_file

base, folder = map(Path, sys.argv[1:])
folder.mkdir()
told = json.loads((base / "config.json").read_text())
# litgpt converts only models whose names it knows.
config = Config(
    name="tiny", hf_config={}, parallel_residual=False, rotary_percentage=1.0, bias=False, norm_class_name="RMSNorm",
    mlp_class_name="LLaMAMLP", block_size=told["max_position_embeddings"], vocab_size=told["vocab_size"],
    padded_vocab_size=told["vocab_size"], n_layer=told["num_hidden_layers"], n_head=told["num_attention_heads"],
    n_query_groups=told["num_key_value_heads"], n_embd=told["hidden_size"], intermediate_size=told["intermediate_size"],
    norm_eps=told["rms_norm_eps"],
)
weights = {}
copy_weights_hf_llama(config, {}, weights, load_file(base / "model.safetensors"))
weights.setdefault("lm_head.weight", weights["transformer.wte.weight"])
GPT(config).load_state_dict(weights)
torch.save(weights, folder / "lit_model.pth")
save_config(config, folder)
for name in ("tokenizer.json", "generation_config.json"):
    shutil.copy(base / name, folder)
# It looks for the template here alone, and does not say that an answer comes next.
template = "{% set add_generation_prompt = true %}" + (base / "chat_template.jinja").read_text()
tokens = json.loads((base / "tokenizer_config.json").read_text())
(folder / "tokenizer_config.json").write_text(json.dumps({**tokens, "chat_template": template}))
