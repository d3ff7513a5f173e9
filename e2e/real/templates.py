"""Renders chat templates with Python's Jinja2 in transformers' own environment: what the studio has to render.

templates.py FOLDER_OF_WHEELS TARGET.json [FOLDER_OF_TEMPLATES]
"""
import copy
import datetime
import glob
import json
import os
import sys
import warnings
import zipfile

from templateFuzz import VALUES, templates
from transformers.utils.chat_template_utils import _compile_jinja_template

warnings.filterwarnings("ignore")
here = os.path.dirname(os.path.abspath(__file__))
wheels, target, *folders = sys.argv[1:]
RANDOM = 4000
SEED = 20261128
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}


def compile_template(source):
    template = _compile_jinja_template(source)
    template.environment.globals["strftime_now"] = lambda form: datetime.datetime(2026, 11, 28, 12).strftime(form)
    return template


def collect():
    """Templates by group and name."""
    groups = {"trl and axolotl": {}, "xinference": {}, "folder": {}}
    for wheel in sorted(glob.glob(f"{wheels}/*.whl")):
        package = os.path.basename(wheel).split("-")[0]
        with zipfile.ZipFile(wheel) as files:
            for name in files.namelist():
                if name.endswith(".jinja") and ("/chat_templates/" in name):
                    groups["trl and axolotl"][f"{package}/{os.path.basename(name)}"] = files.read(name).decode()
                elif name.startswith("xinference/model/llm/models/") and name.endswith(".json"):
                    model = json.loads(files.read(name))
                    versions = model if isinstance(model, list) else [model]
                    for source in {version.get("chat_template") for version in versions} - {None, ""}:
                        groups["xinference"][f"{name} {len(source)}"] = source
    for folder in folders:
        for name in sorted(glob.glob(f"{folder}/**/*.jinja", recursive=True)):
            groups["folder"][name] = open(name, encoding="utf8", newline="").read()
    return groups


def render(source, **values):
    try:
        return {"text": compile_template(source).render(**values)}
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}"[:300]}


def with_texts(chat):
    """The chat as the API writes it: arguments of calls are JSON text."""
    chat = copy.deepcopy(chat)
    for message in chat["messages"]:
        for call in message.get("tool_calls") or []:
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"], ensure_ascii=False)
    return chat


chats = json.load(open(f"{here}/templateChats.json", encoding="utf8"))
cases = []
for group, found in collect().items():
    for name, source in found.items():
        for chat in chats:
            for opens in (False, True):
                values = {"messages": chat["messages"], "tools": chat.get("tools"), "documents": None, "add_generation_prompt": opens, **TOKENS}
                answer = render(source, **copy.deepcopy(values))
                cases.append({"group": group, "name": name, "source": source, "chat": chat["name"], "opens": opens, **answer})
small = []
for source in templates(SEED, RANDOM):
    answer = render(source, **copy.deepcopy(VALUES))
    text = answer.get("text", "").lower()
    # Addresses of Python's objects differ each time.
    if "0x7" not in text and "0, x, 7" not in text and "-0-x-7" not in text:
        small.append({"source": source, **answer})
with open(target, "w", encoding="utf8") as file:
    json.dump({"chats": [with_texts(chat) for chat in chats], "cases": cases, "values": json.dumps(VALUES), "small": small}, file)
