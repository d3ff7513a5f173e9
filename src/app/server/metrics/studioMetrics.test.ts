import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { drizzle } from 'drizzle-orm/pg-proxy';
import type { Orm } from '#service/database/database.ts';
import { readStudioMetrics } from './studioMetrics.ts';

it('tells the queue, runs and recommendations by status, and the space of the database and its disk', async () => {
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
  const executeSql = async (text: string) => ({
    rows: [text.includes('pg_ls_waldir') ? { bytes: '300' } : { bytes: '2000', unused: '10.4' }],
  });
  const read = (isShared: boolean) =>
    readStudioMetrics({
      database: { orm, guard: (run) => run(), executeSql, isShared },
      dataDir: tmpdir(),
      waitingCount: () => 7,
    });
  const metrics = await read(false);
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
    ['database_bytes', [{ value: 2000 }]],
    ['database_log_bytes', [{ value: 300 }]],
    ['database_unused_bytes', [{ value: 10 }]],
    ['disk_free_bytes', [{ value: expect.any(Number) as number }]],
    ['disk_reserve_bytes', [{ value: 0 }]],
  ]);
  expect(asked[0]).toContain('"deleted_at" is null');
  // What a server does not tell, and what is none of its disk.
  const shared = (await read(true)).flatMap(({ name, samples }) => (samples.length === 0 ? [name] : []));
  expect(shared).toEqual(['database_log_bytes', 'disk_reserve_bytes']);
});
