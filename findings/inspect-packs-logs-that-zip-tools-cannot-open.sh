#!/usr/bin/env bash
# inspect-ai 0.3.285, Python 3.11
#
# An `.eval` log is a ZIP archive by name and by its directory. Its members are packed with Zstandard (method 93), which zipfile of
# Python before 3.14 refuses, unless inspect_ai was imported before, which adds it to zipfile. Samples lie in the archive in the
# order in which they ended, and in the JSON log of the same run in that of the dataset.
#
# Output: the methods of the members; what zipfile says; the samples of each form, the first of which took longest.
#   archive: b a
#   json: a b
#   methods: 93
#   zipfile: NotImplementedError
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv tools
tools/bin/pip install --quiet inspect-ai==0.3.285
cat >ask.py <<'PY'
import asyncio
import glob
import json
import zipfile

import tiktoken
from inspect_ai import Task, eval as evaluate
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import solver


class Words:
    def encode(self, text, **_):
        return text.split()


tiktoken.get_encoding = lambda _: Words()  # It is loaded from the network, and counts tokens only.


@solver
def wait():
    async def solve(state, generate):
        await asyncio.sleep(2 if state.sample_id == "a" else 0)
        return state

    return solve


samples = [Sample(input="?", target="x", id=name) for name in "ab"]
for form in ("eval", "json"):
    evaluate(Task(dataset=MemoryDataset(samples), solver=wait()), model="mockllm/model", log_dir=form, log_format=form, display="none")
[path] = glob.glob("eval/*.eval")
with zipfile.ZipFile(path) as archive:
    names = [name for name in archive.namelist() if name.startswith("samples/")]
print("archive:", *(name.removeprefix("samples/")[0] for name in names))
[path] = glob.glob("json/*.json")
with open(path) as file:
    print("json:", *(sample["id"] for sample in json.load(file)["samples"]))
PY
cat >open.py <<'PY'
import glob
import zipfile

with zipfile.ZipFile(glob.glob("eval/*.eval")[0]) as archive:
    print("methods:", *sorted({member.compress_type for member in archive.infolist()}))
    try:
        archive.read(archive.infolist()[0])
        print("zipfile: read")
    except NotImplementedError as error:
        print("zipfile:", type(error).__name__)
PY
{ tools/bin/python ask.py && tools/bin/python open.py; } 2>log | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
archive: b a
json: a b
methods: 93
zipfile: NotImplementedError
SEEN
