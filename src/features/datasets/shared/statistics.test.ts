import { expect, it } from 'vitest';
import type { ChatRow, RowRole } from '#core/rows/chatRow.ts';
import { openStatistics } from './statistics.ts';

const countsOf = (rows: readonly ChatRow[]) => {
  const counter = openStatistics();
  for (const row of rows) counter.add(row);
  return counter.toCounts();
};
const turn = (role: RowRole, content: string | null) => ({ role, content });
const tool = (name: string) => ({ type: 'function' as const, function: { name } });

it('counts what rows hold, the most frequent first', () => {
  const rows: ChatRow[] = [
    {
      messages: [
        turn('system', 'S'),
        turn('user', 'Where is my order?'),
        {
          ...turn('assistant', null),
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'get', arguments: '{}' } }],
        },
      ],
      tools: [tool('idle'), tool('get')],
    },
    { messages: [turn('user', 'Где мой заказ, скажите'), turn('assistant', 'Здесь')], tools: [tool('get')] },
    { messages: [turn('user', '?')], chosen: [turn('assistant', 'a')], rejected: [turn('assistant', 'b')] },
  ];
  expect(countsOf(rows)).toMatchObject({
    rows: 3,
    characters: { min: 3, max: 27, total: 24 + 27 + 3 },
    messages: [
      { name: '2', count: 1 },
      { name: '3', count: 2 },
    ],
    roles: [
      { name: 'assistant', count: 4 },
      { name: 'user', count: 3 },
      { name: 'system', count: 1 },
    ],
    tools: [
      { name: 'get', count: 2 },
      { name: 'idle', count: 1 },
    ],
  });
});

it('counts nothing of no rows', () => {
  expect(countsOf([])).toEqual({
    rows: 0,
    characters: { min: 0, median: 0, max: 0, total: 0, bins: [] },
    messages: [],
    roles: [],
    tools: [],
  });
});

it('stays small, whatever rows hold, and keeps names such as __proto__ apart', () => {
  const names = ['__proto__', 'constructor', ...Array.from({ length: 3000 }, (_, at) => `${at}${'n'.repeat(1000)}`)];
  const { tools } = countsOf(names.map((name) => ({ messages: [turn('user', 'x')], tools: [tool(name)] })));
  expect(tools).toHaveLength(500);
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['__proto__', 'constructor']));
  expect(JSON.stringify(tools).length).toBeLessThan(100_000);
});
