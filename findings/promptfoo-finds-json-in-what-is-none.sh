#!/usr/bin/env bash
# promptfoo 0.123.1, Node 22.23.3
#
# `contains-json` reads what stands between braces as YAML: {a: 1}, {x} and {'a': 1,} pass, which no JSON parser takes, and a
# schema judges what YAML made of it. `is-json` asks JSON.parse, for which a lone number is JSON. `levenshtein` allows five edits
# unless it is told otherwise: among short labels, most are the same.
#
# Output: the assert, its value, the answer, and whether it passes.
#   contains-json: {a: 1}: true
#   contains-json: {x}: true
#   contains-json: {'a': 1,}: true
#   contains-json with a field a that is a number: {a: 1}: true
#   is-json: {a: 1}: false
#   is-json: 4: true
#   levenshtein of billing: shipping: true
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund promptfoo@0.123.1 node@22.23.3
export PROMPTFOO_CONFIG_DIR=$folder/config PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1
cat >ask.mjs <<'JS'
import promptfoo from 'promptfoo';
async function seen(name, type, value, output) {
  const assertion = value === undefined ? { type } : { type, value };
  const { pass } = await promptfoo.assertions.runAssertion({ prompt: '', assertion, test: { vars: {} }, providerResponse: { output } });
  console.log(`${name}: ${output}: ${pass}`);
}
const schema = { type: 'object', required: ['a'], properties: { a: { type: 'number' } } };
await seen('contains-json', 'contains-json', undefined, '{a: 1}');
await seen('contains-json', 'contains-json', undefined, '{x}');
await seen('contains-json', 'contains-json', undefined, "{'a': 1,}");
await seen('contains-json with a field a that is a number', 'contains-json', schema, '{a: 1}');
await seen('is-json', 'is-json', undefined, '{a: 1}');
await seen('is-json', 'is-json', undefined, '4');
await seen('levenshtein of billing', 'levenshtein', 'billing', 'shipping');
process.exit();
JS
node_modules/.bin/node ask.mjs 2>log | grep -E ': (true|false)$' | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
contains-json: {a: 1}: true
contains-json: {x}: true
contains-json: {'a': 1,}: true
contains-json with a field a that is a number: {a: 1}: true
is-json: {a: 1}: false
is-json: 4: true
levenshtein of billing: shipping: true
SEEN
