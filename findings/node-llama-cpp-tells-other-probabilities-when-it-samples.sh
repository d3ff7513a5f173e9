#!/usr/bin/env bash
# node-llama-cpp 3.21.1 (llama.cpp prebuilt), gguf 0.19.0, numpy 2.4.6, Linux x64, Node 20.20.2
#
# The probabilities of evaluateWithMetadata are the model's own at temperature 0, for all tokens. As soon as there is a
# temperature, they are those of what is left after topK (40 by default), topP (0.95 by default) and minP, scaled to a sum of 1:
# the same token after the same text at temperature 1 is told as nearly twice as likely. `topK: 0` alone is not enough, as topP
# stays; only with both off they are the model's.
#
# Output: of a model of 400 tokens with random weights, how many have a probability, and the highest one.
#   temperature 0: 400, 0.036
#   temperature 1: 37, 0.065
#   temperature 1, topK 0: 211, 0.038
#   temperature 1, topK 1: 1, 1.000
#   temperature 1, topK 0, topP 1: 400, 0.036
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install --quiet gguf==0.19.0 numpy==2.4.6
npm init -y >/dev/null
npm install --silent --ignore-scripts --omit=optional node-llama-cpp@3.21.1 @node-llama-cpp/linux-x64@3.21.1
cat >make.py <<'PY'
import numpy as np
from gguf import GGUFWriter, TokenType

VOCABULARY, WIDTH, HIDDEN = 400, 32, 64
draw = np.random.default_rng(0)
file = GGUFWriter("tiny.gguf", "llama")
file.add_context_length(64)
file.add_embedding_length(WIDTH)
file.add_block_count(1)
file.add_feed_forward_length(HIDDEN)
file.add_head_count(2)
file.add_head_count_kv(2)
file.add_layer_norm_rms_eps(1e-5)
file.add_rope_dimension_count(16)
file.add_vocab_size(VOCABULARY)
words = [f"\u2581w{index}" for index in range(VOCABULARY - 259)]
file.add_tokenizer_model("llama")
file.add_token_list(["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *words])
file.add_token_scores([0.0] * VOCABULARY)
kinds = [TokenType.UNKNOWN, *[TokenType.CONTROL] * 2, *[TokenType.BYTE] * 256, *[TokenType.NORMAL] * len(words)]
file.add_token_types([int(kind) for kind in kinds])
file.add_bos_token_id(1)
file.add_eos_token_id(2)
file.add_unk_token_id(0)


def add(name, *shape):
    values = np.ones(shape) if name.endswith("norm") else draw.normal(0, 0.3, shape)
    file.add_tensor(f"{name}.weight", values.astype(np.float32))


add("token_embd", VOCABULARY, WIDTH)
add("output", VOCABULARY, WIDTH)
add("output_norm", WIDTH)
for name in ("attn_q", "attn_k", "attn_v", "attn_output"):
    add(f"blk.0.{name}", WIDTH, WIDTH)
add("blk.0.ffn_gate", HIDDEN, WIDTH)
add("blk.0.ffn_up", HIDDEN, WIDTH)
add("blk.0.ffn_down", WIDTH, HIDDEN)
add("blk.0.attn_norm", WIDTH)
add("blk.0.ffn_norm", WIDTH)
file.write_header_to_file()
file.write_kv_data_to_file()
file.write_tensors_to_file()
file.close()
PY
tools/bin/python make.py
cat >ask.mjs <<'JS'
import { getLlama } from 'node-llama-cpp';
const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, logLevel: 'error' });
const model = await llama.loadModel({ modelPath: 'tiny.gguf' });
const sequence = (await model.createContext({ contextSize: 64 })).getSequence();
async function seen(options) {
  await sequence.clearHistory();
  const answer = sequence.evaluateWithMetadata([1, 300], { probabilities: true }, options);
  const probabilities = [...(await answer.next()).value.probabilities.values()];
  await answer.return?.();
  const name = Object.entries(options).map((entry) => entry.join(' ')).join(', ');
  console.log(`${name}: ${probabilities.length}, ${Math.max(...probabilities).toFixed(3)}`);
}
await seen({ temperature: 0 });
await seen({ temperature: 1 });
await seen({ temperature: 1, topK: 0 });
await seen({ temperature: 1, topK: 1 });
await seen({ temperature: 1, topK: 0, topP: 1 });
process.exit();
JS
node ask.mjs 2>log | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
temperature 0: 400, 0.036
temperature 1: 37, 0.065
temperature 1, topK 0: 211, 0.038
temperature 1, topK 1: 1, 1.000
temperature 1, topK 0, topP 1: 400, 0.036
SEEN
