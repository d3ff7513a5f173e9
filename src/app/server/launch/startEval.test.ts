import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { toEvaluationRoutes } from '#features/evaluation/server/evaluationRoutes.ts';
import { EVALUATIONS_PATH, keepTestRoom, PROJECT } from '#features/evaluation/server/testRoom.fixture.ts';
import { toRoute } from '#service/http/endpointRoute.ts';
import { openTestService, TOKEN, UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { parseCommandLine } from './commands.ts';
import { runEval } from './startEval.ts';
import { keep, keepFolder } from '#service/files/keep.fixture.ts';

const folder = keepFolder();
const tokenFile = join(folder, 'token');
writeFileSync(tokenFile, `${TOKEN}\n`);

const room = await keepTestRoom();
const projects = [{ id: PROJECT, name: 'Test', created_at: '2026-11-20T00:00:00.000Z' }];
const routes = () => [
  toRoute(STUDIO.listProjects, async () => ({ projects })),
  ...toEvaluationRoutes({ ...room, runs: { listRoots: async () => [] } }),
];
const service = await keep(openTestService({ routes }));

/** 200 rows: `upper` answers the first 180 as expected, `lower` the other 20. */
const ROWS = Array.from({ length: 200 }, (_, at) => ({
  messages: [{ role: 'user', content: `Row ${at}` }],
  expected: at < 180 ? `ROW ${at}` : `row ${at}`,
}));

let made = 0;
async function makeSet(more: object = {}): Promise<string> {
  made += 1;
  const name = `Set ${made}`;
  await room.create({ name, rows: ROWS, models: ['upper'], ...more });
  return name;
}

interface Ended {
  readonly text: string;
  readonly exitCode: number;
  readonly lines: readonly string[];
}

async function evaluate(set: string, ...words: string[]): Promise<Ended> {
  const command = parseCommandLine(
    ['eval', set, '--studio', service.origin, '--token-file', tokenFile, ...words],
    {},
    folder,
  );
  if (command.kind !== 'eval') throw new Error(JSON.stringify(command));
  const lines: string[] = [];
  return { ...(await runEval(command.settings, (line) => void lines.push(line), 10)), lines };
}

const listRuns = async (set: string): Promise<readonly { number: number; status: string }[]> => {
  const { evaluations } = (await room.send('GET', `${EVALUATIONS_PATH}?project_id=${PROJECT}`)).json() as {
    evaluations: { id: string; name: string }[];
  };
  const id = evaluations.find(({ name }) => name === set)?.id;
  const { runs } = (await room.send('GET', `${EVALUATIONS_PATH}/${id}/runs`)).json() as {
    runs: { number: number; status: string }[];
  };
  return runs;
};

describe('eval', () => {
  it.each([
    ['0.8', 0, 'good enough'],
    ['0.99', 1, 'worse'],
    ['0.9', 2, 'undecided'],
  ])('with --min-pass %s ends with %i, because 180 of 200 answers pass', async (minPass, exitCode, words) => {
    const { text, lines, ...ended } = await evaluate(await makeSet(), '--min-pass', minPass);
    expect([ended.exitCode, text.split('\n')[1]]).toEqual([
      exitCode,
      expect.stringMatching(new RegExp(`180 of 200 pass.*${words}`)),
    ]);
    expect(lines.at(-1)).toBe('Run 1: 200 of 200 answers');
  });

  it('compares with a baseline, whichever is that of the evaluation', async () => {
    const set = await makeSet({ models: ['upper', 'lower'], baseline: 'upper' });
    const better = await evaluate(set, '--models', 'upper', '--baseline', 'lower', '--json');
    expect(JSON.parse(better.text)).toMatchObject({
      outcome: 'pass',
      baseline: 'lower',
      margin: 0.02,
      min_pass: null,
      models: [{ model: 'upper', rate: { passed: 180, total: 200 }, difference: { rows: 200 }, outcome: 'pass' }],
    });
    expect(better.exitCode).toBe(0);
    expect((await evaluate(set, '--models', 'lower', '--baseline', 'upper')).exitCode).toBe(1);
    expect(await listRuns(set)).toHaveLength(1);
  });

  it('asks nothing again where a run of this version is there, and anew after a change', async () => {
    const set = await makeSet();
    await evaluate(set, '--min-pass', '0.5');
    const asked = room.engine.asked.length;
    const again = await evaluate(set, '--min-pass', '0.5');
    expect([again.exitCode, room.engine.asked.length]).toEqual([0, asked]);
    expect(again.lines[0]).toBe(`Run 1 of “${set}”, version 1, is completed.`);
    await evaluate(set, '--min-pass', '0.5', '--repeats', '2');
    await evaluate(set, '--min-pass', '0.5', '--models', 'lower');
    expect((await listRuns(set)).map(({ number }) => number)).toEqual([3, 2, 1]);
  });

  it('goes on with a run that was cancelled', async () => {
    const evaluation = await room.create({ name: 'Cancelled', rows: ROWS, models: ['upper'] });
    room.engine.delayMs = 20;
    const run = await room.start(evaluation.id);
    await room.waitFor(run.id, 'running');
    await room.send('POST', `/api/v1/studio/evaluation-runs/${run.id}/cancel`);
    room.engine.delayMs = 0;
    const { exitCode, lines } = await evaluate('Cancelled', '--min-pass', '0.5');
    expect([exitCode, lines.slice(0, 2)]).toEqual([
      0,
      ['Run 1 of “Cancelled”, version 1, is cancelled.', 'Run 1 is gone on with.'],
    ]);
  });

  it.each<[string, string, readonly string[], RegExp]>([
    ['a name that no evaluation has', 'Nothing', ['--min-pass', '1'], /has no evaluation called “Nothing”/],
    ['an id of nothing', UNKNOWN_ID, ['--min-pass', '1'], /no evaluation/i],
    [
      'a model that does not answer',
      'Set 1',
      ['--min-pass', '1', '--models', 'gone'],
      /is failed: gone: .* here now\.$/,
    ],
    [
      'a model that nobody has',
      'Set 1',
      ['--min-pass', '1', '--models', 'nobody'],
      /no run was made.*asked: upper, lower/,
    ],
  ])('with %s ends with 3 and says why', async (_, set, words, message) => {
    const { exitCode, text, lines } = await evaluate(set, ...words);
    expect([exitCode, text, lines.at(-1)]).toEqual([3, '', expect.stringMatching(message)]);
  });

  it('with a name of several evaluations, or with checks that judge nothing, ends with 3', async () => {
    await room.create({ name: 'Twins' });
    await room.create({ name: 'Twins' });
    expect((await evaluate('Twins', '--min-pass', '1')).lines).toEqual([
      expect.stringMatching(/^2 evaluations are called “Twins”/),
    ]);
    const unjudged = await evaluate(await makeSet({ checks: [] }), '--min-pass', '1');
    expect([unjudged.exitCode, unjudged.lines.at(-1)]).toEqual([
      3,
      expect.stringMatching(/No answer of run 1 was judged/),
    ]);
  });

  it.each([
    [[], 'something to hold the models against'],
    [['--min-pass', '95'], 'a share from 0 to 1'],
    [['--margin', '0.1', '--min-pass', '1'], 'name one with --baseline'],
    [['--baseline', 'a', '--models', 'a'], 'compared with itself'],
    [['--repeats', '11', '--min-pass', '1'], 'from 1 to 10'],
    [['more', '--min-pass', '1'], 'one word too many'],
  ])('refuses %j with 3', (words, message) => {
    const all = ['eval', 'set', '--studio', 'http://a', '--token-file', 't', ...words];
    expect(parseCommandLine(all, {}, '/')).toEqual({
      kind: 'problem',
      exitCode: 3,
      message: expect.stringContaining(message),
    });
  });
});
