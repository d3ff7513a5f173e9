import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { toCorpusPair } from './corpusPairs.ts';
import { openDraw } from './draw.ts';
import { isHandWrittenRight, readHandWritten, type HandWritten } from './measures.ts';
import { findReplyKind, toMessage, toReplyPair, type ReplyKind } from './replyRows.ts';
import { DATASETS, toDatasetLines, type DatasetName } from './rows.ts';

const COUNTS = { training: 300, heldOut: 60 };

const toMessages = (line: string): readonly string[] =>
  (JSON.parse(line) as { messages: readonly { content: string }[] }).messages.map(({ content }) => content);
const toPrompts = (lines: readonly string[]): readonly string[] => lines.map((line) => toMessages(line)[1] ?? '');

/** Words without marks; all order numbers are one word. */
const toWords = (text: string): readonly string[] =>
  text
    .toLowerCase()
    .replace(/ord-\d+|so\d+|#\d+/g, ' id ')
    .replace(/[^a-z ]/g, ' ')
    .split(' ')
    .filter(Boolean);

const RUN = 7;
const toRuns = (text: string): readonly string[] => {
  const words = toWords(text);
  return words.slice(RUN - 1).map((_, from) => words.slice(from, from + RUN).join(' '));
};

describe.each(DATASETS)('rows of %s', (name) => {
  const { training, heldOut } = toDatasetLines(name, COUNTS);

  it('are the same each time, each prompt once, and validation ones are not trained on', () => {
    expect(toDatasetLines(name, COUNTS)).toEqual({ training, heldOut });
    const prompts = toPrompts([...training, ...heldOut]);
    expect(prompts).toHaveLength(COUNTS.training + COUNTS.heldOut);
    expect(new Set(prompts).size).toBe(prompts.length);
  });

  it('have no slot, bracket or hole left', () => {
    const odd = toPrompts(training).filter((prompt) => /[{}[\]|]| {2}| [.,?!]|^$/.test(prompt));
    expect(odd).toEqual([]);
  });
});

it('a call names only an order and a city that the request has', () => {
  for (const line of toDatasetLines('orders', COUNTS).training) {
    const [, prompt = '', answer = ''] = toMessages(line);
    const call = JSON.parse(answer.slice('<tool_call>'.length, -'</tool_call>'.length)) as {
      arguments: Readonly<Record<string, string>>;
    };
    for (const value of Object.values(call.arguments)) expect(prompt).toContain(value);
  }
});

it('a reply is known to be of the kind of its message, and of no other', () => {
  const kinds = Array.from({ length: 100 }, (_, seed): [ReplyKind | null, ReplyKind] => [
    findReplyKind(toReplyPair(openDraw(seed)).answer),
    toMessage(openDraw(seed)).kind,
  ]);
  expect(kinds.map(([found]) => found)).toEqual(kinds.map(([, own]) => own));
  expect(findReplyKind('Thank you.')).toBe(null);
});

describe('prompts written by hand', () => {
  const all = readHandWritten();

  it('are 30 a task, and share no run of more than 6 words with what is trained on', () => {
    const countOf = (name: DatasetName): number => all.filter(({ task }) => task === name).length;
    expect(DATASETS.map(countOf)).toEqual([30, 30, 30]);
    const draw = openDraw(7);
    const made = new Set(
      [
        ...DATASETS.flatMap((name) => toPrompts(toDatasetLines(name, { training: 2200, heldOut: 200 }).training)),
        ...Array.from({ length: 5000 }, () => toCorpusPair(draw).prompt),
      ].flatMap(toRuns),
    );
    const shared = all.flatMap(({ prompt }) => toRuns(prompt).filter((run) => made.has(run)));
    expect(shared).toEqual([]);
    expect(toRuns('a b c, d e f g ORD-1')).toEqual(['a b c d e f g', 'b c d e f g id']);
  });

  it('are read by the measures alone', () => {
    const folder = fileURLToPath(new URL('.', import.meta.url));
    const readers = readdirSync(folder).filter(
      (file) =>
        file.endsWith('.ts') &&
        !file.endsWith('.test.ts') &&
        readFileSync(`${folder}${file}`, 'utf8').includes('handWritten.jsonl'),
    );
    expect(readers).toEqual(['measures.ts']);
  });

  it('are right only if everything that counts is', () => {
    const find = (task: DatasetName): HandWritten => all.find((entry) => entry.task === task) as HandWritten;
    const label = '{"category":"billing","priority":"normal","sentiment":"negative"}';
    expect(isHandWrittenRight(find('triage'), label)).toBe(true);
    expect(isHandWrittenRight(find('triage'), label.replace('normal', 'high'))).toBe(false);
    const call = '<tool_call>{"name":"get_order_status","arguments":{"order_id":"ORD-40218"}}</tool_call>';
    expect(isHandWrittenRight(find('orders'), call)).toBe(true);
    expect(isHandWrittenRight(find('orders'), call.replace('40218', '40219'))).toBe(false);
    const reply = 'A trace for order ORD-83114 is open. Sorry for your **Nova keyboard**.';
    expect(isHandWrittenRight(find('replies'), reply)).toBe(true);
    for (const [from, to] of [
      ['83114', '83115'],
      ['Nova', 'Volt'],
      ['trace', 'refund'],
      ['keyboard**', 'keyboard'],
    ] as const)
      expect(isHandWrittenRight(find('replies'), reply.replace(from, to))).toBe(false);
  });
});
