#!/usr/bin/env bash
# Sends a real studio what its API document allows. Fails where a valid request is refused, or an answer is not as the document
# says. Takes four minutes. Arguments go on to schemathesis: `npm run real -- schemathesis -- --max-time 60 --seed 2`.
set -euo pipefail
PORT="${PORT:-4679}"
HERE="$(cd "$(dirname "$0")" && pwd)"
WORK="$(mktemp -d)"
URL="http://127.0.0.1:$PORT"
export STUDIO_TOKEN=schemathesis

node "$HERE/../../src/app/server/launch/launch.mjs" --port "$PORT" --data "$WORK/data" --trainer none >"$WORK/log" 2>&1 &
STUDIO=$!
trap 'kill "$STUDIO"; wait "$STUDIO" || true; rm -rf "$WORK"' EXIT

python3 -m venv "$WORK/venv"
"$WORK/venv/bin/pip" install --quiet schemathesis==4.32.5
until curl --silent --fail --output "$WORK/ready" "$URL/readyz"; do
  kill -0 "$STUDIO" || { cat "$WORK/log"; exit 1; }
  sleep 1
done

cd "$WORK"
code=0
venv/bin/schemathesis --config-file "$HERE/schemathesis.toml" run "$URL/api/v1/openapi.json" \
  --header "Authorization: Bearer $STUDIO_TOKEN" --mode positive --phases examples,coverage,fuzzing \
  --continue-on-failure --no-shrink --warnings off --seed 1 --max-examples 40 --max-time 240 "$@" | tee out || code=$?
{
  venv/bin/schemathesis --version
  echo "$(grep -oE 'Tested: [0-9]+' out) operations; $(grep -oE '[0-9]+ generated.*' out)"
} >"${VERDICT:-/dev/stdout}"
exit "$code"
