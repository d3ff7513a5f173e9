#!/usr/bin/env bash
# SwanLab 0.10.3, W&B 0.31.0, Python 3.11
#
# The binary file of a run, `run-<id>.swanlab`, is W&B's `.wandb` format under another name: the log of LevelDB in blocks of
# 32 KiB, whose checksum is the plain CRC-32 of zlib over type and bytes (LevelDB's own is a masked CRC-32C), after a head of
# seven bytes that differs: `:SWL d6 e1 02` there, `:W&B e1 be 00` here. So one reader of frames takes both; the messages
# inside are others.
#
# Output:
#   run-*.swanlab: head 3a53574cd6e102, every checksum is CRC-32
#   run-*.wandb: head 3a572642e1be00, every checksum is CRC-32
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet swanlab==0.10.3 wandb==0.31.0
fi
cat >make.py <<'PY'
import swanlab, wandb

swanlab.init(project="demo", mode="offline", logdir="s")
for step in range(3):
    swanlab.log({"loss": 1 / (step + 1)}, step=step * 10)
swanlab.finish()
with wandb.init(project="demo", mode="offline", dir=".") as run:
    for step in range(3):
        run.log({"loss": 1 / (step + 1)}, step=step * 10)
PY
"$python" make.py >log 2>&1 || { cat log; exit 1; }
cat >read.py <<'PY'
import glob, os, struct, zlib

for name in ("run-*.swanlab", "run-*.wandb"):
    (path,) = {os.path.realpath(found) for found in glob.glob(f"**/{name}", recursive=True)}
    data = open(path, "rb").read()
    at, right, count = 7, 0, 0
    while at + 7 <= len(data):
        if at % 32768 > 32768 - 7:
            at += 32768 - at % 32768
            continue
        crc, length, kind = struct.unpack("<IHB", data[at : at + 7])
        right += crc == zlib.crc32(bytes([kind]) + data[at + 7 : at + 7 + length])
        count += 1
        at += 7 + length
    verdict = "every checksum is CRC-32" if count > 3 and right == count else f"{right} of {count} checksums"
    print(f"{name}: head {data[:7].hex()}, {verdict}")
PY
"$python" read.py | tee output
diff output - <<'SEEN'
run-*.swanlab: head 3a53574cd6e102, every checksum is CRC-32
run-*.wandb: head 3a572642e1be00, every checksum is CRC-32
SEEN
