#!/usr/bin/env bash
# litgpt 0.5.13, litserve 0.2.19, torch 2.15.0, Python 3.11
#
# `litgpt serve --openai_spec true` renders the messages with the chat template of tokenizer_config.json, without the start of an
# answer, and hands the text to LLM.generate, which puts it into the prompt style of the checkpoint as what the user says. So a
# chat model gets the whole chat, marks and all, inside one user turn, after a system message that was not sent; a checkpoint of
# `litgpt finetune` gets it inside the instruction of its training rows. Nothing fails, the answers are only worse. The server's
# own `--temperature` holds for requests that ask for 0 alone: 0 counts as not given, and what is not given is 0.7 before anybody
# looks. `max_tokens` does nothing, `max_completion_tokens` does.
#
# Output: what the model reads, and with what it generates.
#   system: You are Qwen, created by Alibaba Cloud. You are a helpful assistant.
#   user: [user: Hi]
#   assistant:
#   --temperature 0.2, none asked: 0.7
#   --temperature 0.2, 0 asked: 0.2
#   --temperature 0.2, 1 asked: 1.0
#   max_tokens 3: up to 50
#   max_completion_tokens 3: up to 3
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  # It imports requests without asking for it.
  "$python" -m pip install --quiet litgpt==0.5.13 litserve==0.2.19 jinja2 torch==2.15.0 requests
fi
cat >serve.py <<'PY'
import json, os, pathlib
import torch
from litgpt import GPT, Config
from litgpt.deploy.serve import OpenAISpecLitAPI
from litgpt.utils import save_config
from litserve.specs.openai import ChatCompletionRequest, OpenAISpec
from tokenizers import Tokenizer, models, pre_tokenizers

os.mkdir("base")
torch.manual_seed(0)
width = dict(n_layer=1, n_head=2, n_query_groups=2, n_embd=16, head_size=8, intermediate_size=32)
config = Config.from_name("Qwen2.5-0.5B-Instruct", block_size=512, vocab_size=256, padded_vocab_size=256, **width)
save_config(config, pathlib.Path("base"))
torch.save(GPT(config).state_dict(), "base/lit_model.pth")
alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
tokenizer = Tokenizer(models.BPE(vocab={sign: at for at, sign in enumerate(alphabet)}, merges=[]))
tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
tokenizer.save("base/tokenizer.json")
turns = "{% for m in messages %}[{{ m.role }}: {{ m.content }}]{% endfor %}{% if add_generation_prompt %}[assistant: {% endif %}"
json.dump({"tokenizer_class": "PreTrainedTokenizerFast", "chat_template": turns}, open("base/tokenizer_config.json", "w"))
json.dump({"bos_token_id": None, "eos_token_id": 255}, open("base/generation_config.json", "w"))

api = OpenAISpecLitAPI(pathlib.Path("base"), api_path="/predict", temperature=0.2)
api.setup("cpu")
encode, generate, read, used = api.llm.preprocessor.encode, api.llm.generate, [], []
api.llm.preprocessor.encode = lambda text, **more: read.append(text) or encode(text, **more)
api.llm.generate = lambda text, **more: used.append(more) or generate(text, **more)

def answer(**asked):
    request = ChatCompletionRequest(model="any", messages=[{"role": "user", "content": "Hi"}], **asked)
    context = {}
    OpenAISpec().populate_context(context, request)
    list(api.predict(api.decode_request(request), context))
    return used[-1]

for words, asked in (("none", {}), ("0", {"temperature": 0}), ("1", {"temperature": 1})):
    temperature = answer(**asked)["temperature"]
    if not asked:
        for turn in read[0].split("<|im_start|>")[1:]:
            print(turn.replace("<|im_end|>", "").strip().replace("\n", ": ", 1) + (":" if turn == "assistant\n" else ""))
    print(f"--temperature 0.2, {words} asked: {temperature}")
print(f"max_tokens 3: up to {answer(max_tokens=3)['max_new_tokens']}")
print(f"max_completion_tokens 3: up to {answer(max_completion_tokens=3)['max_new_tokens']}")
PY
"$python" serve.py 2>log | grep -E '^(system|user|assistant|--temperature .*|max.* 3):' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
system: You are Qwen, created by Alibaba Cloud. You are a helpful assistant.
user: [user: Hi]
assistant:
--temperature 0.2, none asked: 0.7
--temperature 0.2, 0 asked: 0.2
--temperature 0.2, 1 asked: 1.0
max_tokens 3: up to 50
max_completion_tokens 3: up to 3
SEEN
