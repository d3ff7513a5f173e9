#!/usr/bin/env bash
# The recipes of e2e/deploy/launchers with the real commands: `hf` with a small hub of ours, which runs jobs on this machine, and
# `sky` with its own server and no cloud. Writes its verdict to $VERDICT.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d /tmp/recipes-check-XXXX)
stop() {
  HOME=$folder/home "$folder/sky/bin/sky" api stop >"$folder/stop.log" 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT
python3 -m venv "$folder/hf"
"$folder/hf/bin/pip" install -q huggingface_hub==2.4.0
python3 -m venv "$folder/sky"
"$folder/sky/bin/pip" install -q skypilot==0.14.1
export PATH=$folder/hf/bin:$folder/sky/bin:$PATH
# SkyPilot's server copies with rsync, also to itself.
if ! command -v rsync >/dev/null; then
  mkdir "$folder/debs" "$folder/bin"
  (cd "$folder/debs" && apt-get download -q rsync libpopt0 libxxhash0)
  for deb in "$folder"/debs/*.deb; do dpkg-deb -x "$deb" "$folder/root"; done
  libraries=$(dirname "$(find "$folder/root" -name 'libpopt.so.0')")
  printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$folder/root/usr/bin/rsync" >"$folder/bin/rsync"
  chmod +x "$folder/bin/rsync"
  export PATH=$folder/bin:$PATH
  rsync --version >/dev/null
fi
free() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
export SKYPILOT_API_SERVER_LOCAL_PORT=$(free) SKYPILOT_DISABLE_USAGE_COLLECTION=1
export versions="huggingface_hub 2.4.0, skypilot 0.14.1"
(cd "$here/../.." && npx tsx e2e/real/recipes.ts "$folder" "$(free)")
