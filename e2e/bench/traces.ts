// A million traces: pages, filters, a far page and a search of the service's own list, beside count and offset in SQL.
import { performance } from 'node:perf_hooks';
import { TRACE_LIMITS } from '#features/traces/shared/traceLimits.ts';
import { listTraces, type TraceQuestion } from '#features/traces/server/traceList.ts';
import { openTestFolders } from '#service/database/folders.fixture.ts';
import { openTestDatabase } from '#service/database/testDatabase.fixture.ts';
import { median } from './quantile.ts';
import { amount } from './short.ts';

const TRACES = amount(1_000_000, 2_000);
const ROUNDS = amount(7, 1);
/** Of two projects and three models, in all bands of the score. */
const PROJECT = '00000000-0000-4000-8000-000000000001';

const FILL = `
  insert into studio.trace_groups (project_id, model_id, band, traces)
    select case when at % 2 = 0 then '${PROJECT}'::uuid end, 'm' || (at / 2 % 3), (array['unscored', 'weak', 'good'])[at / 6 + 1], 0
    from generate_series(0, 17) at;
  insert into studio.traces (id, group_id, created_at, input, output, score, processing, attempts)
    select gen_random_uuid(), g.id, now(), 'Where is order ' || at || '? ' || md5(at::text), repeat(md5((at + 1)::text), 6),
      case g.band when 'weak' then (at % 79) / 100.0 when 'good' then 0.8 + (at % 20) / 100.0 end, 'none', 0
    from generate_series(1, ${TRACES}) at join studio.trace_groups g on g.id = at % 18 + (select min(id) from studio.trace_groups);
  update studio.trace_groups g set traces = (select count(*) from studio.traces t where t.group_id = g.id);
  analyze studio.traces`;

const ALL: TraceQuestion = {
  projectId: null,
  modelIds: null,
  band: null,
  sortBy: 'createdAt',
  sortOrder: 'desc',
  search: '',
};
const CASES: Readonly<Record<string, Partial<TraceQuestion>>> = {
  'newest page of all': {},
  'newest page of a project and a model': { projectId: PROJECT, modelIds: ['m1'] },
  'lowest scores': { sortBy: 'score', sortOrder: 'asc' },
  'without a score': { projectId: PROJECT, band: 'unscored' },
  'search that finds nothing': { search: 'no such text' },
};

async function measure(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
  }
  return median(times);
}

const say = (name: string, ms: number): void => void process.stdout.write(`${name.padEnd(44)}${ms.toFixed(1)} ms\n`);

export async function measureTraces(): Promise<void> {
  const folders = await openTestFolders();
  const database = await openTestDatabase(await folders.withDatabase('tables'));
  try {
    await database.executeSql(FILL);
    const { orm } = database;
    for (const [name, question] of Object.entries(CASES))
      say(name, await measure(() => listTraces(orm, { ...ALL, ...question }, { rank: 0 })));
    const after = { score: null, position: TRACES / 2 };
    say('far page by its cursor', await measure(() => listTraces(orm, ALL, { after })));
    const rank = TRACES / 2;
    const skipped = Math.min(TRACE_LIMITS.skipped, rank);
    say('page as far by its number as may be', await measure(() => listTraces(orm, ALL, { rank: skipped })));
    const near = { rank: rank - skipped, after };
    say('the same from a known place', await measure(() => listTraces(orm, ALL, { rank, near })));
    say(
      'SQL: count and offset',
      await measure(async () => {
        await database.executeSql('select count(*) from studio.traces');
        await database.executeSql(
          `select * from studio.traces order by created_at desc, position desc limit 50 offset ${TRACES / 2}`,
        );
      }),
    );
  } finally {
    await database.close();
    await folders.remove();
  }
}
