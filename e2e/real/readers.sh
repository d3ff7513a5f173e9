#!/usr/bin/env bash
# Short runs of ms-swift, litgpt and Lightning on the processor: points, settings and checkpoints that the studio reads in their
# folders, compared with the tools' own files. Writes what ran and its verdict to $VERDICT.
# $SWIFT_PYTHON, $LITGPT_PYTHON (with Lightning): environments that have the packages already.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'kill "${service:-}" 2>/dev/null || true; sleep 2; rm -rf "$folder"' EXIT
install() { # name, packages
  local name=$1
  shift
  python3 -m venv "$folder/$name" >&2
  # Without CUDA where that can be had.
  "$folder/$name/bin/pip" install -q torch --index-url https://download.pytorch.org/whl/cpu --retries 0 >&2 || true
  "$folder/$name/bin/pip" install -q "$@" >&2
  echo "$folder/$name/bin/python"
}
swift=${SWIFT_PYTHON:-$(install swift ms-swift==4.6.0)}
# It imports requests without asking for it.
litgpt=${LITGPT_PYTHON:-$(install litgpt litgpt==0.5.13 lightning==2.6.6 transformers==5.24.0 requests)}
"$swift" "$here/trainers/tiny.py" make "$folder/base" >"$folder/make.log" 2>&1 || { tail "$folder/make.log"; exit 1; }
"$swift" "$here/readers.py" swift "$folder"
"$litgpt" "$here/readers.py" litgpt "$folder"
"$litgpt" "$here/readers.py" lightning "$folder" >"$folder/lightning.log" 2>&1 || { tail "$folder/lightning.log"; exit 1; }
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
(cd "$here/../.." && exec node src/app/server/launch/launch.mjs --port "$port" --data "$folder/data" --no-sample \
  --runs "$folder/runs") >"$folder/service.log" 2>&1 &
service=$!
echo "$("$swift" "$here/versions.py" ms-swift), $("$litgpt" "$here/versions.py" litgpt lightning torch)" >>"${VERDICT:-/dev/stdout}"
"$litgpt" "$here/readers.py" compare "$folder" "$port" >>"${VERDICT:-/dev/stdout}"
