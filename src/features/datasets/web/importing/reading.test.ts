import { expect, it } from 'vitest';
import { readFirstLines } from './firstLines.ts';
import { toOthersText } from './preview.ts';
import { toReading, type ReadingChoice } from './reading.ts';

const read = async (rows: readonly unknown[], choice: Partial<ReadingChoice> = {}) =>
  toReading(await readFirstLines(new Blob([rows.map((row) => JSON.stringify(row)).join('\n')])), {
    mapping: null,
    isPreferred: false,
    isMixed: false,
    ...choice,
  });
const turn = (role: string, content: string) => ({ role, content });
const CHAT = { messages: [turn('user', 'Hi'), turn('assistant', 'Hello')] };
const PAIR = { prompt: 'Hi', chosen: 'Hello', rejected: 'What?' };

it('asks nothing of a form that is known', async () => {
  const reading = await read([CHAT]);
  expect(reading).toMatchObject({ fields: null, mapping: null, isComparison: false, lack: null });
  expect(reading.preview.read).toBe(1);
});

it('takes preferred answers alone only of rows that compare answers', async () => {
  const only = { isPreferred: true };
  expect(await read([PAIR])).toMatchObject({ isComparison: true, isPreferred: false });
  const preferred = await read([PAIR], only);
  expect(preferred).toMatchObject({ isComparison: true, isPreferred: true, lack: null });
  expect(preferred.preview.rows[0]?.row.messages).toEqual(CHAT.messages);
  expect(await read([CHAT], only)).toMatchObject({ isComparison: false, isPreferred: false });
});

it('reads an unknown form by the guess, or by what a person says instead', async () => {
  const rows = [{ question: 'Hi', answer: 'Hello', note: 'Bye' }];
  const guessed = await read(rows);
  expect(guessed.fields?.columns?.map(({ name }) => name)).toEqual(['question', 'answer', 'note']);
  expect(guessed).toMatchObject({ mapping: { kind: 'pair', answer: 'answer' }, lack: null });
  const said = await read(rows, { mapping: { kind: 'pair', question: ['question'], answer: 'note' } });
  expect(said.preview.rows[0]?.row.messages.at(-1)?.content).toBe('Bye');
  const half = await read(rows, { mapping: { kind: 'pair', question: ['question'], answer: '' } });
  expect(half).toMatchObject({ preview: { rows: [], problems: [] }, lack: 'Choose the field with the answer.' });
});

it('asks what names of roles mean, and of no columns, where only the roles are unknown', async () => {
  const reading = await read([{ messages: [turn('Kunde', 'Hi'), turn('Bot 7', 'Hello')] }]);
  expect(reading.fields).toEqual({ columns: null, roleNames: ['Kunde', 'Bot 7'] });
  expect(reading.mapping).toMatchObject({ kind: 'list', messages: 'messages' });
});

it('says that no row can be read, and takes lines of no objects for bad chat rows', async () => {
  const reading = await read([7, 8]);
  expect(reading).toMatchObject({ fields: null, lack: 'None of the first lines can be read as a row.' });
  expect(reading.preview.problems).toHaveLength(2);
});

it('rows of several forms are counted, and read together once a person says so', async () => {
  const alpaca = { instruction: 'Hi', input: '', output: 'Hello' };
  const rows = [CHAT, CHAT, CHAT, alpaca, alpaca, { prompt: 'Hi', completion: 'Hello' }];
  const before = await read(rows);
  expect([before.preview.read, before.preview.problems.length, before.isMixed]).toEqual([3, 3, false]);
  expect(toOthersText(before.others)).toBe('2 Alpaca rows and 1 row of prompt and completion');
  const mixed = await read(rows, { isMixed: true });
  expect([mixed.preview.read, mixed.preview.problems.length, mixed.isMixed]).toEqual([6, 0, true]);
});

it('rows that compare answers are not offered to be mixed with conversations', async () => {
  const pair = { prompt: 'Hi', chosen: 'Hello', rejected: 'No' };
  expect((await read([CHAT, CHAT, pair], { isMixed: true })).others).toEqual([]);
  expect((await read([pair, pair, CHAT], { isMixed: true })).isMixed).toBe(false);
});

it('other forms that may come after the first lines can be converted too, and not where all lines are known', async () => {
  const rows = Array.from({ length: 40_000 }, () => CHAT);
  expect(await read(rows, { isMixed: true })).toMatchObject({ others: [], canMix: true, isMixed: true, lack: null });
  expect(await read([CHAT], { isMixed: true })).toMatchObject({ canMix: false, isMixed: false });
  const pairs = Array.from({ length: 40_000 }, () => PAIR);
  expect(await read(pairs, { isMixed: true })).toMatchObject({ canMix: false, isMixed: false });
});
