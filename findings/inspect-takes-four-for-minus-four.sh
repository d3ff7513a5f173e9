#!/usr/bin/env bash
# inspect-ai 0.3.285, Python 3.11
#
# The scorers exact() and match() take off punctuation at the ends before they compare, and a minus sign counts as such: the answer
# 4 is correct where the target is -4, and 50 where it is 50%. match() then looks whether the answer ends with the target, not for
# a whole word: 14 is correct where 4 is asked for, and so is "x^2" for 2. match(numeric=True) keeps the sign, and takes numbers.
#
# Output: target, answer: exact, match, match(numeric=True); C is correct, I incorrect.
#   -4, 4: C C I
#   50%, 50: C C C
#   4, 14: I C I
#   2, x^2: I C I
#   4, 5: I I I
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install --quiet inspect-ai==0.3.285
cat >ask.py <<'PY'
import tiktoken
from inspect_ai import Task, eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import exact, match


class Words:
    def encode(self, text, **_):
        return text.split()


tiktoken.get_encoding = lambda _: Words()  # It is loaded from the network, and counts tokens only.
PAIRS = [("-4", "4"), ("50%", "50"), ("4", "14"), ("2", "x^2"), ("4", "5")]
outputs = [ModelOutput.from_content("mockllm/model", answer) for _, answer in PAIRS]
samples = [Sample(input="?", target=target, id=index) for index, (target, _) in enumerate(PAIRS)]
[log] = evaluate(
    Task(dataset=MemoryDataset(samples), scorer=[exact(), match(), match(numeric=True)]),
    model=get_model("mockllm/model", custom_outputs=iter(outputs)),
    log_dir="logs",
    display="none",
    max_samples=1,
)
for (target, answer), sample in zip(PAIRS, log.samples):
    print(f"{target}, {answer}:", *(score.value for score in sample.scores.values()))
PY
tools/bin/python ask.py 2>log | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
-4, 4: C C I
50%, 50: C C C
4, 14: I C I
2, x^2: I C I
4, 5: I I I
SEEN
