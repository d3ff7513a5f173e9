#!/usr/bin/env bash
# Published chat templates and small random ones, rendered by Jinja2 as transformers sets it up and by the studio, letter by
# letter. Writes what ran and its verdict to $VERDICT. $TEMPLATES_FOLDER: a folder of further *.jinja files.
set -euo pipefail
JINJA=3.1.6 TRANSFORMERS=5.24.0 TRL=1.16.0 AXOLOTL=0.21.0 XINFERENCE=4.1.0
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
pip=("$folder/venv/bin/python" -m pip --quiet --disable-pip-version-check)
# $REAL_PYTHON: an environment that has Jinja2 and transformers already.
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python=$folder/venv/bin/python
  "${pip[@]}" install "jinja2==$JINJA" "transformers==$TRANSFORMERS"
fi
# The templates are other people's: they come from the packages each time, and nothing of them is kept.
for package in "trl==$TRL" "axolotl==$AXOLOTL" "xinference==$XINFERENCE"; do
  "${pip[@]}" download --no-deps --python-version 3.12 --only-binary :all: -d "$folder/wheels" "$package"
done
"$python" "$here/templates.py" "$folder/wheels" "$folder/expected.json" ${TEMPLATES_FOLDER:+"$TEMPLATES_FOLDER"}
(cd "$here/../.." && npx tsx e2e/real/templates.ts "$folder/expected.json" "$folder/verdict")
{
  "$python" -c 'import jinja2, transformers; print(f"Jinja2 {jinja2.__version__}, transformers {transformers.__version__}", end="")'
  echo "; templates of TRL $TRL, Axolotl $AXOLOTL, Xinference $XINFERENCE"
  cat "$folder/verdict"
} >>"${VERDICT:-/dev/stdout}"
