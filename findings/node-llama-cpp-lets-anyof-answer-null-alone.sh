#!/usr/bin/env bash
# node-llama-cpp 3.21.1 (llama.cpp prebuilt), Linux x64, Node 20.20.2
#
# createGrammarForJsonSchema builds the grammar of what it knows of JSON Schema, and takes the rest without an error. What has no
# `type`, `enum`, `const`, `oneOf` or `$ref`, or an unknown type, becomes the grammar of `null`: under `anyOf`, as pydantic writes
# `int | str` and every Optional, or under `allOf`, the model can answer nothing else. `oneOf` works. Properties are all required,
# in their order, whatever `required` says; `pattern`, `minimum`, `maximum` and `uniqueItems` are dropped, while `minLength`,
# `maxItems` and `format: date` are in the grammar.
#
# Output: the start of each grammar.
#   anyOf of integer and string: null
#   allOf of one integer: null
#   oneOf of integer and string: integer or string
#   no keyword: null
#   a of a, b required: b is required too
#   integer from 1 to 5: any integer
#   string by pattern: any string
#   string of 2 to 3 characters: 2 to 3 characters
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --ignore-scripts --omit=optional node-llama-cpp@3.21.1 @node-llama-cpp/linux-x64@3.21.1
cat >ask.mjs <<'JS'
import { getLlama } from 'node-llama-cpp';
const llama = await getLlama({ gpu: false, build: 'never', progressLogs: false, logLevel: 'error' });
async function rootOf(schema) {
  const { grammar } = await llama.createGrammarForJsonSchema(schema);
  const root = grammar.split('\n').find((line) => line.startsWith('root ::='));
  return root.slice('root ::= '.length).replace(/ "\\n\\n\\n\\n".*/, '');
}
const [integer, string] = [{ type: 'integer' }, { type: 'string' }];
const seen = (name, schema, words) =>
  rootOf(schema).then((root) => console.log(`${name}: ${Object.entries(words).find(([, part]) => root.includes(part))?.[0] ?? root}`));
await seen('anyOf of integer and string', { anyOf: [integer, string] }, { null: 'null-rule' });
await seen('allOf of one integer', { allOf: [integer] }, { null: 'null-rule' });
await seen('oneOf of integer and string', { oneOf: [integer, string] }, { 'integer or string': 'integer-number-rule | string-rule' });
await seen('no keyword', {}, { null: 'null-rule' });
const object = { type: 'object', properties: { a: integer, b: integer }, required: ['a'] };
await seen('a of a, b required', object, { 'b is required too': '"\\"b\\"" ":" [ ]? integer-number-rule whitespace' });
await seen('integer from 1 to 5', { ...integer, minimum: 1, maximum: 5 }, { 'any integer': 'integer-number-rule' });
await seen('string by pattern', { ...string, pattern: '^a+$' }, { 'any string': 'string-char-rule*' });
await seen('string of 2 to 3 characters', { ...string, minLength: 2, maxLength: 3 }, { '2 to 3 characters': '{2,3}' });
process.exit();
JS
node ask.mjs 2>log | tee output || { cat log; exit 1; }
diff output - <<'SEEN'
anyOf of integer and string: null
allOf of one integer: null
oneOf of integer and string: integer or string
no keyword: null
a of a, b required: b is required too
integer from 1 to 5: any integer
string by pattern: any string
string of 2 to 3 characters: 2 to 3 characters
SEEN
