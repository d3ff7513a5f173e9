"""Logs of Inspect in both forms, made by a model that answers from a list: `python inspectLogs.py FOLDER`."""

import sys

import tiktoken
from inspect_ai import Task, eval as evaluate, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, get_model
from inspect_ai.scorer import includes, match
from inspect_ai.solver import generate, system_message


class Words:
    """Counts tokens offline."""

    def encode(self, text, **_):
        return text.split()


tiktoken.get_encoding = lambda _: Words()

LONG = "A long question, which Inspect keeps apart as an attachment. " * 5
ANSWERS = ["4", "Paris", "red", "It is 4", "London", "blue"]


@task
def small():
    chat = [ChatMessageSystem(content="Be brief."), ChatMessageUser(content="Capital of France?")]
    samples = [
        Sample(input="What is 2 + 2?", target="4", id="sum", metadata={"topic": "sums"}),
        Sample(input=chat, target=["Paris", "paris"], id=2, metadata={"topic": "places", "hard": True}),
        Sample(input=f"{LONG}Name a colour.", target="red", id="colour é"),
    ]
    solver = [system_message("Answer with one word."), generate()]
    return Task(dataset=MemoryDataset(samples, name="small"), solver=solver, scorer=[match(), includes()], epochs=2)


for form in ("eval", "json"):
    outputs = [ModelOutput.from_content("mockllm/model", answer) for answer in ANSWERS]
    model = get_model("mockllm/model", custom_outputs=iter(outputs))
    evaluate(small(), model=model, log_dir=sys.argv[1], log_format=form, display="none", max_samples=1)
