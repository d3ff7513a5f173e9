// Rows as people have them, and what the studio makes of each for the services that tune models: lines of their own form, or the
// reason why there are none. For vendors.py. Usage: tsx vendors.ts ANSWER.json
import { writeFileSync } from 'node:fs';
import { toChatRow } from '#core/rows/readRow.ts';
import { toTrainerRows } from '#features/datasets/shared/trainerRows.ts';

const [user, answer] = [
  { role: 'user', content: 'Where is my order?' },
  { role: 'assistant', content: 'At the depot.' },
];
const system = { role: 'system', content: 'Be brief.' };
const call = (args: unknown) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'call_abc123', type: 'function', function: { name: 'find', arguments: args } }],
});
const result = { role: 'tool', tool_call_id: 'call_abc123', content: '{"at": "depot"}' };
const parameters = { type: 'object', properties: { id: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'find', description: 'Finds an order.', parameters } }];

const ROWS: Readonly<Record<string, object>> = {
  'question and answer': { messages: [user, answer] },
  'with a system message': { messages: [system, user, answer] },
  'an answer that is not learnt': { messages: [user, { ...answer, weight: 0 }, user, { ...answer, weight: 1 }] },
  'ends with the user': { messages: [user, answer, user] },
  'two users in a row': { messages: [user, user, answer] },
  'two answers in a row': { messages: [user, answer, answer] },
  'role developer': { messages: [{ ...system, role: 'developer' }, user, answer] },
  'a call with its result': { messages: [user, call('{"id": "7"}'), result, answer], tools },
  'arguments as an object': { messages: [user, call({ id: '7' }), result, answer], tools },
  'a call without a result': { messages: [user, call('{"id": "7"}'), answer], tools },
  'ends with a call': { messages: [user, call('{"id": "7"}')], tools },
  'tools as a text': { messages: [user, call('{"id": "7"}'), result, answer], tools: JSON.stringify(tools) },
  'a named user': { messages: [{ ...user, name: 'ann' }, answer] },
  'an answer with its thoughts': { messages: [user, { ...answer, reasoning_content: 'Look it up.' }] },
  'parts of text': { messages: [{ ...user, content: [{ type: 'text', text: 'Where is it?' }] }, answer] },
  'begins with the assistant': { messages: [answer, user, answer] },
  'a later system message': { messages: [user, answer, system, user, answer] },
};

const FORMS = ['mistral', 'together', 'gemini'] as const;

const answers = Object.entries(ROWS).flatMap(([name, given]) => {
  const read = toChatRow({ number: 1, text: JSON.stringify(given) }, 'chat');
  if (!read.ok) throw new Error(`${name}: ${read.problem.message}`);
  return FORMS.map((form) => ({ name, form, given, written: toTrainerRows(read.row, form) }));
});
writeFileSync(process.argv[2] ?? 'vendors.json', JSON.stringify(answers));
