// What each step over rows costs, beside JSON.parse of the same lines.
import { toContentHash, toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import type { ChatRow } from '#core/rows/chatRow.ts';
import { openFindings } from '#features/datasets/shared/findings/findings.ts';
import { openLineCutter } from '#features/datasets/shared/lineCutter.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import { toMatcher } from '#features/datasets/shared/searchQuery.ts';
import { openStatistics } from '#features/datasets/shared/statistics.ts';
import { openTemplateText } from '#core/templates/templateText.ts';
import { toModelView } from '#features/datasets/shared/modelView/whatModelSees.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

const ROWS = amount(50_000, 500);
const ROUNDS = amount(3, 1);
const CHUNK = 64 * 1024;
const MARKS = { bosText: '', eosText: '<|im_end|>', markTexts: ['<|im_start|>', '<|im_end|>'] };

/** Rows of about 500 bytes of words; one of ten is nearly the same as the one before it, with the same answer. */
function makeLines(): string[] {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
  const words = Array.from({ length: 5000 }, () =>
    random(2 ** 31)
      .toString(36)
      .slice(0, 3 + random(5)),
  );
  let question: string[] = [];
  return Array.from({ length: ROWS }, (_, at) => {
    question =
      at % 10 === 9 ? [...question.slice(1), 'changed'] : Array.from({ length: 55 }, () => words[random(5000)] ?? '');
    const label = at % 10 === 9 ? at - 1 : at;
    const messages = [
      { role: 'system', content: 'Classify the ticket.' },
      { role: 'user', content: question.join(' ') },
      { role: 'assistant', content: JSON.stringify({ category: words[label % 40], priority: words[label % 4] }) },
    ];
    return JSON.stringify({ messages });
  });
}

/** Rows a second of processor time, the middle of a few rounds: other programs then change it less. */
function rateOf(count: number, run: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const from = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  });
  return (count / median(times)) * 1000;
}

function readFile(file: Uint8Array, onLine: (line: { number: number; text: string }) => void): void {
  const cutter = openLineCutter();
  for (let at = 0; at < file.length; at += CHUNK) cutter.push(file.subarray(at, at + CHUNK)).lines.forEach(onLine);
  cutter.end().lines.forEach(onLine);
}

function toRow(text: string): ChatRow {
  const read = toChatRow({ number: 1, text }, 'chat');
  if (!read.ok) throw new Error(read.problem.message);
  return read.row;
}

function search(lines: readonly string[]): void {
  const matcher = toMatcher('notthere "nor this"');
  if (!matcher.ok || lines.some((line) => matcher.value.mayMatch(line))) throw new Error('It should match no row.');
}

function findAll(rows: readonly ChatRow[], hashes: readonly string[], questions: readonly string[]): void {
  const findings = openFindings({ context: null });
  for (const [id, row] of rows.entries())
    findings.add({ id, row, hash: hashes[id] ?? '', question: questions[id] ?? '', side: null, tokens: null });
  for (const _share of findings.finish());
  const near = findings.toFindings().find(({ id }) => id === 'near-duplicate');
  if ((near?.count ?? 0) < ROWS / 20) throw new Error('The near duplicates were not found.');
}

export async function measureRows(): Promise<void> {
  const lines = makeLines();
  const file = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const rows = lines.map(toRow);
  const hashes = lines.map(toContentHash);
  const questions = rows.map((row) => toQuestionHash(row));
  const views = rows.slice(0, 5000);
  const template = openTemplateText({ text: null, marks: MARKS });
  process.stdout.write(`  ${ROWS} rows of ${Math.round(file.length / ROWS)} bytes\n`);
  const base = rateOf(ROWS, () => lines.forEach((line) => JSON.parse(line) as unknown));
  const steps: readonly (readonly [string, number, () => void])[] = [
    ['cut into lines', ROWS, () => readFile(file, () => undefined)],
    ['line to row', ROWS, () => lines.forEach(toRow)],
    ['content hash', ROWS, () => lines.forEach(toContentHash)],
    ['question hash', ROWS, () => rows.forEach((row) => toQuestionHash(row))],
    [
      'bytes to rows with both hashes',
      ROWS,
      () =>
        readFile(file, (line) => {
          const read = toChatRow(line, 'chat');
          if (read.ok) [toContentHash(read.text), toQuestionHash(read.row)].join('');
        }),
    ],
    [
      'statistics',
      ROWS,
      () => {
        const statistics = openStatistics();
        for (const row of rows) statistics.add(row);
      },
    ],
    ['search that finds nothing', ROWS, () => search(lines)],
    ['all findings', ROWS, () => findAll(rows, hashes, questions)],
    ['what the model sees', views.length, () => views.forEach((row) => toModelView(row, template, MARKS))],
  ];
  process.stdout.write(`  JSON.parse alone: ${Math.round(base / 1000)},000 rows/s\n`);
  for (const [name, count, run] of steps) {
    const rate = rateOf(count, run);
    process.stdout.write(
      `  ${name}: ${Math.round(rate).toLocaleString('en')} rows/s, ${(base / rate).toFixed(2)} times JSON.parse\n`,
    );
  }
}
