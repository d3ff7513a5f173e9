#!/usr/bin/env bash
# datasets 5.2.0, pyarrow 26.0.1, Python 3.11
#
# JSON has no dates, but load_dataset("json") makes times of a field whose texts are all dates, file by file and, in large files, chunk by
# chunk. If the first file has other texts too, the field is text, and the times of a later file of dates are turned into text
# again, another one: "2024-05-01" is then "2024-05-01 00:00:00", and a time with a zone is moved to UTC and loses it. Nothing says
# so. It also meets the splits: the references of a test file are changed if the train file is loaded with it. The other way
# round it is an error that names no file. Dates alone stay times, which trainers cannot tokenize, and to_json writes as
# milliseconds. Fields of a nested record of one shape are read likewise; messages with and without some field stay text.
#
# Output: the answer of the first row of dates.
#   dates and "soon" in one file: '2024-05-01'
#   "soon", then a file of dates: '2024-05-01 00:00:00'
#   "soon", then a file of times with zones: '2024-05-01 08:30:00'
#   train of "soon", test of dates: '2024-05-01 00:00:00'
#   a file of dates, then "soon": DatasetGenerationError
#   dates alone: datetime.datetime(2024, 5, 1, 0, 0)
#   dates alone, by to_json: 1714521600000
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet datasets==5.2.0 pyarrow==26.0.1
fi
cat >load.py <<'PY'
import json
from datasets import load_dataset

def write(name, *answers):
    with open(name, "w") as file:
        file.writelines(json.dumps({"prompt": "When?", "completion": answer}) + "\n" for answer in answers)

def load(files, split="train"):
    return load_dataset("json", data_files=files, split=split, cache_dir="cache")["completion"]

write("mixed.jsonl", "2024-05-01", "soon")
write("soon.jsonl", "soon")
write("dates.jsonl", "2024-05-01", "2024-06-02")
write("zones.jsonl", "2024-05-01T10:30:00+02:00", "2024-06-02T10:30:00+02:00")
print(f'dates and "soon" in one file: {load("mixed.jsonl")[0]!r}')
print(f'"soon", then a file of dates: {load(["soon.jsonl", "dates.jsonl"])[1]!r}')
print(f'"soon", then a file of times with zones: {load(["soon.jsonl", "zones.jsonl"])[1]!r}')
print(f'train of "soon", test of dates: {load({"train": "soon.jsonl", "test": "dates.jsonl"}, "test")[0]!r}')
try:
    print(f'a file of dates, then "soon": {load(["dates.jsonl", "soon.jsonl"])[0]!r}')
except Exception as error:
    print(f'a file of dates, then "soon": {type(error).__name__}')
print(f"dates alone: {load('dates.jsonl')[0]!r}")
load_dataset("json", data_files="dates.jsonl", split="train", cache_dir="cache").to_json("out.jsonl")
print(f"dates alone, by to_json: {json.loads(open('out.jsonl').readline())['completion']!r}")
PY
export HF_HUB_OFFLINE=1 HF_HOME=$folder/home
"$python" load.py 2>log | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
dates and "soon" in one file: '2024-05-01'
"soon", then a file of dates: '2024-05-01 00:00:00'
"soon", then a file of times with zones: '2024-05-01 08:30:00'
train of "soon", test of dates: '2024-05-01 00:00:00'
a file of dates, then "soon": DatasetGenerationError
dates alone: datetime.datetime(2024, 5, 1, 0, 0)
dates alone, by to_json: 1714521600000
SEEN
