#!/usr/bin/env bash
# PEFT 0.21.2, transformers 5.24.0, torch 2.15.0, Python 3.11
#
# add_weighted_adapter's "linear" does not add the changes of weight that two adapters make. It adds their A and their B, each times
# the square root of its share, and the product has the terms of one's A with the other's B too. So half of an adapter and half of
# the same adapter is twice its change, where a person expects the change itself, and with others the mean is drowned: its cosine
# with the true mean of two unlike adapters is 0.6. "ties" at full density halves what "linear" doubles. "cat" gives the mean
# exactly, at the ranks' sum, and "svd" does when svd_rank has room for it. An adapter with use_rslora comes back larger from every
# combination, even alone with weight 1: its scale, alpha / sqrt(r), is multiplied in, and the new adapter multiplies sqrt(r) again.
#
# Output: the size of the combined change beside the true mean's, and the cosine of the two.
#   linear, half a + half a: size 2.00, cosine 1.00
#   linear, half a + half b: size 1.12, cosine 0.58
#   ties, half a + half a: size 0.50, cosine 1.00
#   cat, half a + half b: size 1.00, cosine 1.00
#   svd, half a + half b: size 1.00, cosine 1.00
#   cat, one a, use_rslora, r 4: size 2.00, cosine 1.00
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "peft==0.21.2" "transformers==5.24.0" "torch==2.15.0"
fi
cat >combine.py <<'PY'
import peft, torch
from transformers import LlamaConfig, LlamaForCausalLM

sizes = dict(hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)

def combine(kind, names, weights, words, more={}, **config):
    torch.manual_seed(0)
    lora = lambda: peft.LoraConfig(r=4, lora_alpha=8, target_modules=["q_proj"], init_lora_weights=False, **config)
    model = peft.get_peft_model(LlamaForCausalLM(LlamaConfig(vocab_size=32, **sizes)), lora(), "a")
    model.add_adapter("b", lora())
    model.add_weighted_adapter(names, weights, "both", combination_type=kind, **more)
    change = model.base_model.model.model.layers[0].self_attn.q_proj.get_delta_weight
    mean = sum(weight * change(name) for name, weight in zip(names, weights))
    cosine = torch.nn.functional.cosine_similarity(change("both").flatten(), mean.flatten(), dim=0)
    print(f"{kind}, {words}: size {change('both').norm() / mean.norm():.2f}, cosine {cosine:.2f}")

half = [0.5, 0.5]
combine("linear", ["a", "a"], half, "half a + half a")
combine("linear", ["a", "b"], half, "half a + half b")
combine("ties", ["a", "a"], half, "half a + half a", dict(density=1.0))
combine("cat", ["a", "b"], half, "half a + half b")
combine("svd", ["a", "b"], half, "half a + half b", dict(svd_rank=8))
combine("cat", ["a"], [1.0], "one a, use_rslora, r 4", use_rslora=True)
PY
"$python" combine.py 2>log | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
linear, half a + half a: size 2.00, cosine 1.00
linear, half a + half b: size 1.12, cosine 0.58
ties, half a + half a: size 0.50, cosine 1.00
cat, half a + half b: size 1.00, cosine 1.00
svd, half a + half b: size 1.00, cosine 1.00
cat, one a, use_rslora, r 4: size 2.00, cosine 1.00
SEEN
