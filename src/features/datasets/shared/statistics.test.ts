import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectSame } from '#core/contract/expectSame.fixture.ts';
import type { ChatRow, RowRole } from '#core/rows/chatRow.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import { NO_STATISTICS, openStatistics, toShape, type RowStatistics } from './statistics.ts';

function statisticsOf(rows: readonly ChatRow[], tokens?: number): RowStatistics {
  const counter = openStatistics();
  for (const row of rows) counter.add(row, tokens);
  return counter.toStatistics();
}
const turn = (role: RowRole, content: string | null) => ({ role, content });
const calls = (name: string) => [{ id: 'a', type: 'function' as const, function: { name, arguments: '{}' } }];

describe('openStatistics', () => {
  it('counts what rows hold', () => {
    const rows: ChatRow[] = [
      {
        messages: [
          turn('system', 'S'),
          turn('user', 'Where is my order?'),
          { ...turn('assistant', null), tool_calls: calls('get') },
        ],
        tools: [
          { type: 'function', function: { name: 'get' } },
          { type: 'function', function: { name: 'idle' } },
        ],
      },
      {
        messages: [turn('user', 'Где мой заказ, скажите'), turn('assistant', '<tool_call>{"name":"get"}</tool_call>')],
      },
      { messages: [turn('system', 'S'), turn('user', '?')] },
    ];
    expect(statisticsOf(rows, 7)).toMatchObject({
      rows: 3,
      messages: 7,
      characters: { rows: 3, sum: 1 + 18 + 5 + 22 + 37 + 2, min: 2 },
      tokens: { rows: 3, sum: 21 },
      roles: [
        { role: 'user', messages: 3 },
        { role: 'assistant', messages: 2 },
        { role: 'system', messages: 2 },
      ],
      tools: [
        { name: 'get', declared: 1, called: 2 },
        { name: 'idle', declared: 1, called: 0 },
      ],
      rowsWithTools: 1,
      rowsWithCalls: 2,
      systems: [{ text: 'S', rows: 2 }],
      rowsWithoutSystem: 1,
    });
    expect(statisticsOf([])).toEqual(NO_STATISTICS);
    expect(toShape(NO_STATISTICS)).toBeNull();
  });

  it.each([
    ['triage', 'fixed-set'],
    ['orders', 'tool-calls'],
    ['replies', 'text'],
  ])('knows the shape of the sample rows of %s', (name, shape) => {
    const text = readFileSync(new URL(`../../projects/server/sample/${name}.train.jsonl`, import.meta.url), 'utf8');
    const counter = openStatistics();
    const lines = text.trimEnd().split('\n');
    const changed: string[] = [];
    for (const line of lines) {
      const read = toChatRow({ number: 1, text: line }, 'chat');
      if (!read.ok) throw new Error(read.problem.message);
      if (read.text !== line || !read.isSame) changed.push(line);
      counter.add(read.row);
    }
    expect(changed).toEqual([]);
    const statistics = counter.toStatistics();
    expect(toShape(statistics)).toBe(shape);
    expect(statistics).toMatchObject({
      rows: lines.length,
      messages: lines.length * 3,
      scripts: [{ script: 'Latin' }],
    });
  });

  it('adds parts to the whole', () => {
    const message = fc.record({
      role: fc.constantFrom<RowRole>('system', 'user', 'assistant', 'tool'),
      content: fc.string(),
    });
    const rows = fc.array(fc.record({ messages: fc.array(message, { minLength: 1, maxLength: 4 }) }), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const counter = openStatistics();
        // Parts come from other threads as JSON.
        counter.addAll(JSON.parse(JSON.stringify(statisticsOf(a))) as RowStatistics);
        counter.addAll(statisticsOf(b, undefined));
        expectSame(counter.toStatistics(), statisticsOf([...a, ...b]));
      }),
    );
  });

  it('stays small, whatever rows hold', () => {
    const rows = Array.from({ length: 3000 }, (_, at): ChatRow => ({
      messages: [
        turn('system', `${at} ${'s'.repeat(2000)}`),
        { ...turn('assistant', `${at}${'x'.repeat(1000)}`), tool_calls: calls(`${at}${'n'.repeat(1000)}`) },
      ],
    }));
    const statistics = statisticsOf(rows);
    expect(statistics.tools).toHaveLength(500);
    expect(statistics.systems).toHaveLength(50);
    expect(statistics.otherSystems).toBe(2950);
    expect(statistics.answers.distinct).toHaveLength(1000);
    expect(JSON.stringify(statistics).length).toBeLessThan(200_000);
  });

  it('keeps names such as __proto__ apart', () => {
    const row = {
      messages: [{ ...turn('assistant', null), tool_calls: [...calls('__proto__'), ...calls('constructor')] }],
    };
    expect(statisticsOf([row]).tools.map(({ name, called }) => [name, called])).toEqual([
      ['__proto__', 1],
      ['constructor', 1],
    ]);
  });
});
