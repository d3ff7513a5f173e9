// Models that compare answers with the baseline's: over HTTP, and what becomes of what they say.
import { describe, expect, it } from 'vitest';
import { EngineError } from '#engine/engine.ts';
import { answerPageSchema, scoresSchema } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { judgementResultsSchema, type JudgementResults } from '#features/evaluation/shared/contract/judgements.ts';
import { keepTestRoom, RUNS_PATH } from '../testRoom.fixture.ts';
import { readPairJudgement, toPairVerdict } from './pairJudgement.ts';

const room = await keepTestRoom();
const { database } = room;

const toJudge = (model: string, id = 'judge') => ({ id, kind: 'judge', mode: 'pairs', model, rubric: 'It is loud.' });
const toRows = (texts: readonly string[]) => texts.map((content) => ({ messages: [{ role: 'user', content }] }));

/** `upper` is the baseline. */
async function runWith(checks: readonly object[], more: object = {}) {
  const { id } = await room.create({ checks, models: ['upper', 'lower', 'copy'], ...more });
  const run = await room.start(id);
  await room.waitFor(run.id, 'completed');
  const read = async () =>
    judgementResultsSchema.parse((await room.send('GET', `${RUNS_PATH}/${run.id}/judgement-results`)).json());
  const { rows } = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${run.id}/answers`)).json());
  return { run, read, rows };
}

const findModel = ({ judges: [judge] }: JudgementResults, model: string) =>
  judge?.models.find((each) => each.model === model);

describe('a judge of pairs', () => {
  it('asks about each answer and the baseline’s in both orders, and gives win rates that count for no pass', async () => {
    room.engine.asked.length = 0;
    const checks = [{ id: 'same', kind: 'exact' }, toJudge('referee')];
    const rows = toRows(['One', 'TWO', '3']).map((row) => Object.assign(row, { expected: 'ONE' }));
    const { run, read, rows: given } = await runWith(checks, { rows });
    const results = await read();
    // Pairs of equal answers are none.
    expect(results.judges[0]?.models.map(({ model, pairs }) => [model, pairs])).toEqual([
      ['lower', 2],
      ['copy', 1],
    ]);
    expect(room.engine.asked.filter(({ model }) => model === 'referee')).toHaveLength(6);
    expect(findModel(results, 'lower')).toMatchObject({
      win_rate: 0,
      ties: 0,
      flipped: 0,
      is_own: false,
      people: null,
    });
    expect(results.judges[0]?.agreement).toEqual({ rows: 0, pairs: 0, kappa: null, low: null, high: null });
    expect(given[0]?.answers[1]?.verdicts).toContainEqual({
      scorer: 'judge',
      outcome: 'fail',
      score: 0,
      reason: 'Worse than the baseline’s. By its letters.',
    });
    const scores = scoresSchema.parse((await room.send('GET', `${RUNS_PATH}/${run.id}/scores`)).json());
    expect(scores.models.map(({ rate, by_check: own }) => [rate.passed, rate.total, own.length])).toEqual([
      [1, 3, 1],
      [0, 3, 1],
      [0, 3, 1],
    ]);
  });

  it('that prefers what it reads first has said nothing: each pair is a tie', async () => {
    const checks = [toJudge('hasty'), toJudge('referee', 'second')];
    const { read } = await runWith(checks, { rows: toRows(['a', 'b']), models: ['upper', 'copy'] });
    const results = await read();
    expect(findModel(results, 'copy')).toMatchObject({ pairs: 2, win_rate: 0.5, ties: 2, flipped: 2 });
    expect(results.judges.map((judge) => judge.decides_by_position)).toEqual([true, false]);
  });

  it.each(['hasty', 'hasty-alias'])('that compares an answer of its own says so, named %s', async (name) => {
    const models = ['upper', 'hasty'];
    const { read, rows } = await runWith([toJudge(name)], { rows: toRows(['a']), models });
    expect(findModel(await read(), 'hasty')).toMatchObject({ is_own: true });
    expect(rows[0]?.answers[1]?.verdicts[0]?.reason).toMatch(/^The judge has compared an answer of its own\. /);
  });

  it('tells per row what it could not judge, and is asked about that again', async () => {
    room.engine.fault = ({ model, messages }) =>
      model === 'referee' && messages.at(-1)?.content?.includes('user: b') === true
        ? new EngineError('Too long.', 400, 'context_full')
        : null;
    const { run, read, rows } = await runWith([toJudge('referee'), toJudge('hasty', 'second')], {
      rows: toRows(['a', 'b']),
      models: ['upper', 'copy'],
    });
    expect(rows[1]?.answers[1]?.verdicts[0]).toMatchObject({
      score: null,
      reason: expect.stringContaining('Too long.'),
    });
    expect(findModel(await read(), 'copy')).toMatchObject({ pairs: 1 });
    room.engine.fault = null;
    room.engine.asked.length = 0;
    await room.send('POST', `${RUNS_PATH}/${run.id}/rescore`);
    await room.waitFor(run.id, 'completed');
    expect(findModel(await read(), 'copy')).toMatchObject({ pairs: 2, win_rate: 0 });
    // Verdicts stay, ties among them.
    expect(room.engine.asked.map(({ model }) => model)).toEqual(['referee', 'referee']);
  });

  it('gets its agreement with people once they have judged pairs of 30 rows', async () => {
    const rows = toRows(Array.from({ length: 30 }, (_, at) => (at % 2 === 0 ? `A${at}` : `b${at}`)));
    const { run, read } = await runWith([toJudge('referee')], { rows, models: ['seeded', 'copy'] });
    const vote = (from: number, to: number) =>
      database.executeSql(
        `insert into studio.evaluation_judgements (run_id, kind, position, repeat, first_model, second_model, rater, outcome, at)
         select $1, 'pair', p, 1, 0, 1, '', case when p % 2 = 0 then 'second' else 'tie' end, now()
         from generate_series($2::integer, $3::integer) p`,
        [run.id, from, to],
      );
    await vote(0, 28);
    expect((await read()).judges[0]?.agreement).toMatchObject({ rows: 29, pairs: 29, kappa: null });
    await vote(29, 29);
    const results = await read();
    expect(results.judges[0]?.agreement).toMatchObject({ rows: 30, pairs: 30, kappa: 1 });
    const rate = { pairs: 30, win_rate: 0.75 };
    expect(findModel(results, 'copy')).toMatchObject({ ...rate, ties: 15, flipped: 0, people: rate });
    // Half wins are no wider than a rate of as many whole ones.
    expect(findModel(results, 'copy')?.low).toBeCloseTo(0.573, 2);
  });
});

it.each([
  ['first', 'second', 'pass', 1, 'Better than the baseline’s. A'],
  ['second', 'first', 'fail', 0, 'Worse than the baseline’s. A'],
  ['tie', 'tie', 'not_checked', 0.5, 'A tie. A'],
  ['first', 'first', 'not_checked', 0.5, 'A tie: the verdict changed with the order of the answers.'],
  ['tie', 'first', 'not_checked', 0.5, 'A tie: the verdict changed with the order of the answers.'],
] as const)('a judge that says %s, then %s gives %s', (straight, swapped, outcome, score, reason) => {
  const both = [straight, swapped].map((better, at) => ({ better, reason: at === 0 ? 'A' : 'B' }));
  expect(toPairVerdict(both, false)).toEqual({ outcome, score, reason });
});

it.each(['{"better":"left"}', 'first', ''])('a judge that says %j of a pair can’t be read', (text) =>
  expect(readPairJudgement(text)).toMatchObject({ ok: false }),
);
