#!/usr/bin/env bash
# Jinja2 3.1.6, Python 3.11
#
# `else` of a `for` is for a loop without items. With the extension for loop controls it also runs after a loop over items
# whose passes all end by `continue` or `break`: what says that there was an item is set at the end of the body, which they skip.
# A chat template that skips its messages one by one writes its text for "no messages" too.
#
# Output:
#   no item: none
#   continue: none
#   break: none
#   neither: 12
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv venv
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "jinja2==3.1.6"
fi
"$python" - <<'PY' | tee output
from jinja2 import Environment

environment = Environment(extensions=["jinja2.ext.loopcontrols"])
for name, items, body in (
    ("no item", [], "{{ i }}"),
    ("continue", [1, 2], "{% continue %}"),
    ("break", [1, 2], "{% break %}"),
    ("neither", [1, 2], "{{ i }}"),
):
    template = "{% for i in items %}" + body + "{% else %}none{% endfor %}"
    print(f"{name}: {environment.from_string(template).render(items=items)}")
PY
diff output - <<'SEEN'
no item: none
continue: none
break: none
neither: 12
SEEN
