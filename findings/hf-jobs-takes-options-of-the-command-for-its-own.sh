#!/usr/bin/env bash
# huggingface_hub 2.4.0, Python 3.11
#
# `hf jobs run IMAGE COMMAND` looks for its own options behind the image, too, unlike `docker run`, and takes them out of the
# command without a word: `--name`, `--label`, `--timeout`, `--token`, `-d`, `-e`, `-s`, `-v` and others. The job trains without
# them, ends when the command's `--timeout` is over, and `--token` becomes the token of the request. An option that it does not
# know is no error either: before the image it is taken for the image. With `--` behind the image the command stays whole.
#
# Output: what is run for `accelerate launch train.py --lr 1e-4 --label 3 -d data --timeout 5`, and what becomes of a misspelt option.
#   command: accelerate launch train.py --lr 1e-4 data
#   timeout: 5
#   with --: accelerate launch train.py --lr 1e-4 --label 3 -d data --timeout 5
#   --flavour t4-small: image --flavour, command t4-small python:3.12 nvidia-smi
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/tools"
"$folder/tools/bin/pip" install --quiet huggingface_hub==2.4.0
export HF_HOME=$folder/home NO_COLOR=1
try() { "$folder/tools/bin/hf" jobs run --dry-run "$@" 2>/dev/null; }
field() { sed -n "s/^  $1  *//p"; }
words=(accelerate launch train.py --lr 1e-4 --label 3 -d data --timeout 5)
{
  echo "command: $(try python:3.12 "${words[@]}" | field command)"
  echo "timeout: $(try python:3.12 "${words[@]}" | field timeout)"
  echo "with --: $(try python:3.12 -- "${words[@]}" | field command)"
  misspelt=$(try --flavour t4-small python:3.12 nvidia-smi)
  echo "--flavour t4-small: image $(field image <<<"$misspelt"), command $(field command <<<"$misspelt")"
} | tee "$folder/output"
diff "$folder/output" <(sed -n 's/^#   //p' "$0")
