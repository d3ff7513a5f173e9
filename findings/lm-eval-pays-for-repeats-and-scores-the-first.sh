#!/usr/bin/env bash
# lm-eval 0.4.13, datasets 5.2.0, Python 3.11
#
# `repeats: 3` of a task asks the model three times for each row. Unless the task has filters that use all answers, take_first is
# put in: the other two are kept among the samples and count for no metric, without a word, so that 5, 4, 4 is wrong where 4 is
# right. ignore_punctuation of exact_match takes off the minus sign, too: -4 is right where 4 is.
#
# Output: answers asked for two rows whose target is 4, and exact_match.
#   repeats 3, answers 5 4 4: asked 6, exact_match 0.0
#   repeats 3, answers 5 4 4, majority_vote: asked 6, exact_match 1.0
#   one answer -4: asked 2, exact_match 0.0
#   one answer -4, ignore_punctuation: asked 2, exact_match 1.0
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install --quiet lm-eval==0.4.13 datasets==5.2.0
export HF_HUB_OFFLINE=1
printf '{"q":"%s","a":"4"}\n' first second >rows.jsonl
cat >ask.py <<'PY'
import lm_eval
from lm_eval.api.model import LM
from lm_eval.api.task import ConfigurableTask

EXACT = {"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}
MAJORITY = {"name": "vote", "filter": [{"function": "majority_vote"}, {"function": "take_first"}]}


class Listed(LM):
    def __init__(self, answers):
        super().__init__()
        self.answers, self.asked = answers, 0

    def generate_until(self, requests, **_):
        self.asked += len(requests)
        return [self.answers[index % len(self.answers)] for index in range(len(requests))]

    def loglikelihood(self, requests, **_):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests, **_):
        raise NotImplementedError


def score(name, answers, metric=EXACT, **settings):
    task = ConfigurableTask(
        config={
            "task": "sums",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": "rows.jsonl"}},
            "test_split": "test",
            "doc_to_text": "{{q}}",
            "doc_to_target": "{{a}}",
            "output_type": "generate_until",
            "generation_kwargs": {"until": ["\n"], "do_sample": True, "temperature": 1.0},
            "metric_list": [metric],
            **settings,
        }
    )
    model = Listed(answers)
    results = lm_eval.simple_evaluate(model, tasks=[task], bootstrap_iters=0)["results"]["sums"]
    [value] = [value for key, value in results.items() if key.startswith("exact_match,")]
    print(f"{name}: asked {model.asked}, exact_match {float(value)}")


score("repeats 3, answers 5 4 4", ["5", "4", "4"], repeats=3)
score("repeats 3, answers 5 4 4, majority_vote", ["5", "4", "4"], repeats=3, filter_list=[MAJORITY])
score("one answer -4", ["-4"])
score("one answer -4, ignore_punctuation", ["-4"], {**EXACT, "ignore_punctuation": True})
PY
tools/bin/python ask.py 2>log | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
repeats 3, answers 5 4 4: asked 6, exact_match 0.0
repeats 3, answers 5 4 4, majority_vote: asked 6, exact_match 1.0
one answer -4: asked 2, exact_match 0.0
one answer -4, ignore_punctuation: asked 2, exact_match 1.0
SEEN
