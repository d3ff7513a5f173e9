#!/usr/bin/env bash
# Ray's Jobs API on this machine, and runs that the studio places there. Writes its verdict to $VERDICT. RAY_PYTHON: the
# interpreter of an environment that has ray[default].
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d /tmp/ray-check-XXXX)
trap 'rm -rf "$folder"' EXIT
if [ -z "${RAY_PYTHON:-}" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install -q 'ray[default]==2.60.0'
  RAY_PYTHON=$folder/venv/bin/python
fi
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
(cd "$here/../.." && npx tsx e2e/real/ray.ts "$folder" "$(free)" "$(dirname "$RAY_PYTHON")")
