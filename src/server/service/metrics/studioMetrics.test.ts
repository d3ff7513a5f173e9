import { expect, it } from 'vitest';
import { drizzle } from 'drizzle-orm/pg-proxy';
import type { Orm } from '#server/studio/database.ts';
import { readStudioMetrics } from './studioMetrics.ts';

it('tells the queue, and runs and recommendations by status', async () => {
  const asked: string[] = [];
  // drizzle makes the statements; rows come as lists of columns.
  const orm = drizzle(async (text) => {
    asked.push(text);
    return {
      rows: text.includes('"experiments"')
        ? [
            ['running', '2'],
            ['failed', '1'],
          ]
        : [['completed', '5']],
    };
  }) as unknown as Orm;
  const metrics = await readStudioMetrics({ database: { orm, guard: (run) => run() }, waitingCount: () => 7 });
  expect(metrics.map(({ name, samples }) => [name, samples])).toEqual([
    ['queue_waiting', [{ value: 7 }]],
    [
      'runs',
      [
        { labels: { status: 'running' }, value: 2 },
        { labels: { status: 'failed' }, value: 1 },
      ],
    ],
    ['recommendations', [{ labels: { status: 'completed' }, value: 5 }]],
  ]);
  expect(asked[0]).toContain('"deleted_at" is null');
});
