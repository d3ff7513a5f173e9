// The programs that a TRL script writes rows with, run by a real Python where this machine has one.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import { toTestInput } from './exportFormats.fixture.ts';
import { toShellWords } from '#features/experiments/shared/shell.fixture.ts';
import { toTrlConfig } from './trlConfig.ts';

const rowFiles = new Map([['snap', { training: 'x.training.jsonl', validation: 'x.validation.jsonl' }]]);
const toScript = (base_model_id: string): string =>
  toTrlConfig(toTestInput([toTestCandidate('k', { base_model_id })], { rowFiles }));

/** The rows that the program writes. */
function runProgram(variable: string, base_model_id: string, rows: readonly object[]): readonly unknown[] {
  const words = toShellWords(toScript(base_model_id));
  const lead = `${variable}=`;
  const program = words.find((word) => word.startsWith(lead))?.slice(lead.length) ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'rows-'));
  const [source, target] = [join(folder, 'in.jsonl'), join(folder, 'out.jsonl')];
  try {
    writeFileSync(source, rows.map((row) => `${JSON.stringify(row)}\n`).join('\n'));
    const { status, stderr } = spawnSync('python3', ['-IS', '-c', program, source, target], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
    const lines = readFileSync(target, 'utf8').trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as unknown);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const toCall = (given: unknown) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'find', arguments: given } }],
});
const user = { role: 'user', content: 'Where is "Ü"?' };
const tools = [{ type: 'function' }];
const TEXT_ROWS = ['{"id": 7}', { id: 7 }].map((given) => ({ messages: [user, toCall(given)], tools }));
const hasPython = spawnSync('python3', ['--version']).status === 0;

const MARKED = {
  messages: [user, { role: 'assistant', content: 'no', weight: 0 }, user, { role: 'assistant', content: 'yes' }],
};

it.skipIf(!hasPython).each([
  ['SPLIT_ROWS', 'gpt2'],
  ['LAY_ROWS', 'qwen3-0.6b'],
])('no row of its own is made of an answer that may not be learnt: %s', (variable, base) => {
  expect(runProgram(variable, base, [MARKED])).toEqual([
    { prompt: MARKED.messages.slice(0, 3), completion: MARKED.messages.slice(3) },
  ]);
});

it.skipIf(!hasPython)('arguments of calls become objects where rows stay whole', () => {
  const row = { messages: [user, toCall({ id: 7 })], tools };
  expect(runProgram('LAY_ROWS', 'qwen2.5-7b', TEXT_ROWS)).toEqual([row, row]);
});

it.skipIf(!hasPython)('arguments of calls become objects where rows are split', () => {
  const row = { prompt: [user], completion: [toCall({ id: 7 })], tools };
  for (const id of ['llama3.2-1b', 'org/name']) expect(runProgram('SPLIT_ROWS', id, TEXT_ROWS)).toEqual([row, row]);
});

it('only the program that is used is in the script, and the note says what it does', () => {
  expect(toScript('qwen3-0.6b')).not.toContain('SPLIT_ROWS');
  expect(toScript('llama3.2-1b')).not.toContain('LAY_ROWS');
  expect(toScript('qwen3-0.6b')).toContain('the program writes the arguments of tool calls as objects');
  expect(toTrlConfig(toTestInput([toTestCandidate('k')]))).toContain('write the arguments of tool calls as objects');
});
