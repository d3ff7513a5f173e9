#!/usr/bin/env bash
# Curves that today's trackers write, compared point by point with what was logged: resumed offline, in another order than the
# steps, with steps that begin again, with lines in folders of their own. Writes what ran and its verdict to $VERDICT.
set -euo pipefail
WANDB=0.31.0 MLFLOW=3.17.2 TRACKIO=0.43.0 TENSORBOARDX=2.6.5 SWANLAB=0.10.3
here=$(cd "$(dirname "$0")" && pwd)
studio=$(cd "$here/../.." && pwd)
folder=$(mktemp -d)
trap 'kill "${service:-}" 2>/dev/null || true; sleep 2; rm -rf "$folder"' EXIT
# $REAL_PYTHON: an environment that has the packages already.
python=${REAL_PYTHON:-}
if [ -z "$python" ]; then
  python3 -m venv "$folder/venv"
  python=$folder/venv/bin/python
  "$python" -m pip install --quiet "wandb==$WANDB" "mlflow==$MLFLOW" "trackio==$TRACKIO" "tensorboardX==$TENSORBOARDX" \
    "swanlab==$SWANLAB"
fi
mkdir "$folder/runs"
export WANDB_MODE=offline WANDB_SILENT=true WANDB_DIR=$folder/runs TRACKIO_DIR=$folder/runs/trackio MLFLOW_ALLOW_FILE_STORE=true
"$python" "$here/trackers.py" write "$folder" >"$folder/write.log" 2>&1 || { tail "$folder/write.log"; exit 1; }
port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(cd "$studio" && exec node src/app/server/launch/launch.mjs --port "$port" --data "$folder/data" --no-sample \
  --runs "$folder/runs") >"$folder/service.log" 2>&1 &
service=$!
"$python" "$here/trackers.py" compare "$folder" "$port" >>"${VERDICT:-/dev/stdout}"
