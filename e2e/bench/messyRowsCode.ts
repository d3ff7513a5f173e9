// Help with code, and a shop's tools with what they return.
import type { Draw } from './messyRowsKinds.ts';

export const CODE: readonly (readonly [question: string, answer: string])[] = [
  [
    'How do I reverse a list in {language}?',
    'In Python: items[::-1] gives a copy, items.reverse() changes the list itself.',
  ],
  ['Why is {variable} undefined after the await?', 'The function returns nothing. Add a return before the value.'],
  [
    'Write a loop that prints the first {count} square numbers.',
    '```python\nfor number in range(1, {count} + 1):\n    print(number * number)\n```',
  ],
  [
    'What does `git rebase --onto` do to {variable}?',
    'It takes the commits behind one point and puts them on another. The old ones stay in the reflog for a while.',
  ],
  [
    'My SQL is slow: SELECT * FROM orders WHERE customer = {count}',
    'Add an index on customer, and name only the columns that you need.',
  ],
  [
    'regex for a number with optional decimals in {variable}',
    '`^-?\\d+(\\.\\d+)?$` takes 3, -3 and 3.14, but neither 3. nor .5',
  ],
  [
    'Explain the difference between == and === with {variable}',
    '=== compares without changing types. == first turns both sides into one type, so "1" == 1 is true.',
  ],
  [
    'How can I read {variable} from a JSON file in Node?',
    "```js\nimport { readFile } from 'node:fs/promises';\nconst data = JSON.parse(await readFile('data.json', 'utf8'));\n```",
  ],
  [
    'TypeError: {variable} is not a function',
    'Something else has that name. Look for a parameter or an import that hides it.',
  ],
  ['How do I center {variable} in CSS?', 'On the parent: `display: grid; place-items: center;`'],
  ['Is there a shorter way to write if {variable}: return True else: return False', 'Yes: `return bool({variable})`.'],
  [
    'cargo says that {variable} was moved, what now?',
    'Borrow it with & where you only read it, or clone it if you really need two.',
  ],
  [
    'Rename all *.txt files to *.md, {count} of them',
    '```sh\nfor file in *.txt; do mv -- "$file" "${file%.txt}.md"; done\n```',
  ],
  [
    'What is the complexity of looking up {variable} in a dict?',
    'O(1) on average. In the worst case, when all keys collide, it is O(n).',
  ],
  [
    'Docker keeps {count} GB of old layers',
    '`docker system prune --all` removes what no container uses. It asks before it does.',
  ],
  ['How do I test that {variable} throws?', "```ts\nexpect(() => load({variable})).toThrow('not found');\n```"],
];
const VARIABLES = [
  'result',
  'userList',
  'order_total',
  'callback',
  'cfg',
  'rows',
  'this.state',
  'payload',
  'widget',
  'node',
] as const;
const CODE_LANGUAGES = ['Python', 'Python 3', 'python (newest)', 'the Python shell'] as const;
export const CODE_CONTEXTS = [
  'I am new to this.',
  'It worked yesterday.',
  'This is for a course.',
  'We use Node 20.',
  'The file has {count} lines.',
  'no libraries please',
  'Short answer please.',
  '',
  '',
] as const;

export const fillCode = (draw: Draw, texts: readonly [string, string]): readonly [string, string] => {
  const [variable, language, count] = [draw.pick(VARIABLES), draw.pick(CODE_LANGUAGES), String(draw.between(3, 90))];
  const fill = (text: string): string =>
    text.replaceAll('{variable}', variable).replaceAll('{language}', language).replaceAll('{count}', count);
  return [fill(texts[0]), fill(texts[1])];
};

const toTool = (name: string, description: string, field: string): object => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] },
  },
});

export const TOOLS: readonly object[] = [
  toTool('find_order', 'Looks up an order by its number.', 'order'),
  toTool('check_stock', 'How many pieces of a product are in stock.', 'product'),
  toTool('open_case', 'Opens a case for the team.', 'subject'),
];

/** A question, the call that it needs, what the tool returns, and the answer. */
export interface ToolTalk {
  readonly question: string;
  readonly tool: string;
  readonly input: object;
  readonly result: string;
  readonly answer: string;
}

export function toToolTalk(draw: Draw): ToolTalk {
  const order = draw.fill('{order}');
  const product = draw.fill('{product}');
  const pieces = draw.between(0, 60);
  const days = draw.between(2, 9);
  return draw.pick<ToolTalk>([
    {
      question: draw.pick([`Where is order ${order}?`, `status of ${order} pls`, `Has ${order} been shipped yet?`]),
      tool: 'find_order',
      input: { order },
      result: JSON.stringify({ order, state: 'shipped', days }),
      answer: draw.pick([`It is on its way and arrives in ${days} days.`, `Shipped; about ${days} more days.`]),
    },
    {
      question: draw.pick([
        `How many of the ${product} do you have? I need ${days}.`,
        `Is the ${product} in stock (${days} pieces)?`,
      ]),
      tool: 'check_stock',
      input: { product },
      result: JSON.stringify({ product, pieces }),
      answer: pieces < days ? `Only ${pieces} are left at the moment.` : `Yes, there are ${pieces} pieces.`,
    },
    {
      question: draw.pick([
        `The ${product} from order ${order} is broken, please tell your team.`,
        `Complaint: ${product}, order ${order}`,
      ]),
      tool: 'open_case',
      input: { subject: `${product} broken, order ${order}` },
      result: JSON.stringify({ case: draw.between(1000, 9999), state: 'open' }),
      answer: draw.pick([
        'A case is open. The team answers within a day.',
        'I have passed it on; you hear from us tomorrow.',
      ]),
    },
  ]);
}
