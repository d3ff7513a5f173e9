#!/usr/bin/env bash
# transformers 5.24.0, Jinja2 3.1.6, Python 3.11
#
# A chat template does not get the messages that apply_chat_template is given. Fields that are None are left out, so that
# `message.content is none` is never true, and `'a' + message.content` fails for an undefined name instead of for None. Thoughts
# in `thinking` or `reasoning` come as `reasoning_content` too, and as `thinking` before all other fields. What renders the same
# template with Jinja2 and the messages as they are, such as a test or another server, may give another text.
#
# Output:
#   {'role': 'assistant'}
#   {'thinking': 'so', 'role': 'assistant', 'content': 'a', 'reasoning': 'so', 'reasoning_content': 'so'}
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "transformers==5.24.0" "jinja2==3.1.6"
fi
"$python" - 2>/dev/null <<'PY' | tee output
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"a": 0}, unk_token="a")))
for message in ({"role": "assistant", "content": None}, {"role": "assistant", "content": "a", "reasoning": "so"}):
    print(tokenizer.apply_chat_template([message], chat_template="{{ messages[0] }}", tokenize=False))
PY
diff output - <<'SEEN'
{'role': 'assistant'}
{'thinking': 'so', 'role': 'assistant', 'content': 'a', 'reasoning': 'so', 'reasoning_content': 'so'}
SEEN
