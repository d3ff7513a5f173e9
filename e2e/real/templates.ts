// Compares what the studio renders with what Python rendered (templates.py): `templates.ts EXPECTED.json VERDICT`.
import { readFileSync, writeFileSync } from 'node:fs';
import { openTemplateText, type TemplateMessage, type TemplateText } from '#core/templates/templateText.ts';
import type { Tool } from '#core/contract/chatMessage.ts';
import { parseJson } from '#core/jinja/json.ts';
import { openTemplate } from '#core/jinja/template.ts';
import { Dict, type Value } from '#core/jinja/values.ts';

/** `text`, or why Python refused. */
interface Rendered {
  readonly source: string;
  readonly text?: string;
  readonly refused?: string;
}

interface Case extends Rendered {
  readonly group: string;
  readonly name: string;
  readonly chat: string;
  readonly opens: boolean;
}

interface Chat {
  readonly name: string;
  readonly messages: readonly TemplateMessage[];
  readonly tools?: readonly Tool[];
}

interface Expected {
  readonly chats: readonly Chat[];
  readonly cases: readonly Case[];
  readonly values: string;
  readonly small: readonly Rendered[];
}

const [expectedPath = '', verdictPath = ''] = process.argv.slice(2);
const { chats, cases, values, small } = JSON.parse(readFileSync(expectedPath, 'utf8')) as Expected;
const NOW = (): Date => new Date(2026, 10, 28, 12);
const MARKS = { bosText: '<s>', eosText: '</s>', padText: '<pad>', unkText: '<unk>', markTexts: [] };
const SHOWN = 20;

let shown = 0;

/** Whether the studio renders the same text, or refuses too. */
function isSame(name: string, { text, refused }: Rendered, render: () => string): boolean {
  let own: { readonly text: string } | { readonly refused: string };
  try {
    own = { text: render() };
  } catch (error) {
    own = { refused: String(error) };
  }
  const isEqual = 'text' in own ? own.text === text : refused !== undefined;
  if (!isEqual && shown < SHOWN) {
    shown += 1;
    process.stdout.write(`${name}\n  Python: ${JSON.stringify(text ?? refused)}\n  studio: ${JSON.stringify(own)}\n`);
  }
  return isEqual;
}

const opened = new Map<string, TemplateText>();
function open(source: string): TemplateText {
  const known = opened.get(source) ?? openTemplateText({ text: source, marks: MARKS }, NOW);
  opened.set(source, known);
  return known;
}

function renderCase({ source, chat, opens }: Case): string {
  const found = chats.find(({ name }) => name === chat);
  return open(source).render(found?.messages ?? [], found?.tools ?? [], opens);
}

const given = new Map<string, Value>();
const parsed = parseJson(values);
if (parsed instanceof Dict) for (const [name, value] of parsed.entries()) given.set(String(name), value);

const verdicts: string[] = [];
let isRight = true;
function judge(what: string, results: readonly boolean[]): void {
  const same = results.filter(Boolean).length;
  isRight &&= same === results.length;
  verdicts.push(`${same} of ${results.length} ${what}`);
}
for (const group of new Set(cases.map((one) => one.group))) {
  const own = cases.filter((one) => one.group === group);
  const results = own.map((one) => isSame(`${one.name}, ${one.chat}, ${one.opens}`, one, () => renderCase(one)));
  judge(`renders of ${new Set(own.map(({ name }) => name)).size} templates of ${group}`, results);
}
judge(
  'small random templates',
  small.map((one) => isSame(JSON.stringify(one.source), one, () => openTemplate(one.source).render(given, NOW))),
);
writeFileSync(verdictPath, `${verdicts.join('; ')}\n`);
if (!isRight) {
  process.stdout.write(`${verdicts.join('\n')}\n`);
  process.exitCode = 1;
}
