// Models that judge answers: over HTTP, and what they are asked.
import { describe, expect, it } from 'vitest';
import { EngineError } from '#engine/engine.ts';
import { answerPageSchema, runSchema, scoresSchema } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { readWholeRun } from '../runRecords.ts';
import { readJudgement, toJudgeRequest } from './judgement.ts';
import { keepTestRoom, RUNS_PATH } from '../testRoom.fixture.ts';
import { storeVerdicts } from '../verdicts.ts';

const room = await keepTestRoom();
const { database } = room;

const toJudge = (model: string) => ({ id: 'judge', kind: 'judge', model, rubric: 'The answer is loud.' });

async function runWith(checks: readonly object[], more: object = {}) {
  const { id } = await room.create({ checks, ...more });
  const run = await room.start(id);
  await room.waitFor(run.id, 'completed');
  const scores = scoresSchema.parse((await room.send('GET', `${RUNS_PATH}/${run.id}/scores`)).json());
  const { rows } = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${run.id}/answers`)).json());
  return { run, scores, rows };
}

describe('a judge', () => {
  it('gives each answer a verdict with its reason, beside the checks', async () => {
    const { scores, rows } = await runWith([{ id: 'same', kind: 'exact', counts: false }, toJudge('judge')]);
    expect(scores.models.map(({ model, rate }) => [model, rate.rate])).toEqual([
      ['upper', 1],
      ['lower', 0],
    ]);
    expect(rows[0]?.answers[1]?.verdicts).toContainEqual({
      scorer: 'judge',
      outcome: 'fail',
      score: 0.2,
      reason: 'By its letters.',
    });
    expect(scores.models[0]?.by_check[1]).toMatchObject({ agreement: { items: 0, kappa: null } });
    expect(scores.models[0]?.by_check[0]).not.toHaveProperty('agreement');
  });

  it('whose answer can’t be read has checked nothing, and one that judges itself says so', async () => {
    const { rows } = await runWith([toJudge('vague')], { models: ['vague'] });
    expect(rows[0]?.answers[0]?.verdicts[0]).toMatchObject({ outcome: 'not_checked', score: null });
    expect(rows[0]?.answers[0]?.verdicts[0]?.reason).toContain('no verdict that can be read');
    for (const name of ['judge', 'judge-alias']) {
      const own = await runWith([toJudge(name)], { models: ['judge'] });
      expect(own.rows[0]?.answers[0]?.verdicts[0]?.reason).toBe('The model has judged its own answer. By its letters.');
    }
  });

  it('is asked again after a fault and while it is away, and what it can’t judge is told per row', async () => {
    let asked = 0;
    room.engine.fault = ({ model }) => {
      if (model !== 'judge') return null;
      asked += 1;
      if (asked === 1) return new EngineError('It restarts.', 503, 'engine_restarting', null, '0.01');
      return asked === 2 ? new EngineError('It stumbled.', 500, 'upstream_failed') : null;
    };
    const { scores } = await runWith([toJudge('judge')], { models: ['upper'] });
    expect(scores.models[0]?.rate).toMatchObject({ passed: 2, not_checked: 0 });
    room.engine.fault = ({ model }) => (model === 'judge' ? new EngineError('Too long.', 400, 'context_full') : null);
    const { run, rows } = await runWith([toJudge('judge')], { models: ['upper'] });
    expect(rows[0]?.answers[0]?.verdicts[0]?.reason).toBe('The judge judge gave no verdict: Too long.');
    room.engine.fault = null;
    const { status } = await room.send('POST', `${RUNS_PATH}/${run.id}/rescore`);
    expect(status).toBe(200);
    await room.waitFor(run.id, 'completed');
    const again = answerPageSchema.parse((await room.send('GET', `${RUNS_PATH}/${run.id}/answers`)).json());
    expect(again.rows[0]?.answers[0]?.verdicts[0]).toMatchObject({ outcome: 'pass', reason: 'By its letters.' });
    const missing = await runWith([toJudge('nobody')], { models: ['upper'] });
    expect(missing.rows[0]?.answers[0]?.verdicts[0]?.reason).toContain('There is no model "nobody" here now.');
  });

  it('says how many answers it has judged while it goes on, and no time that is left', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({ messages: [{ role: 'user', content: `a${at}` }] }));
    room.engine.delayMs = 40;
    const { id } = await room.start((await room.create({ rows, models: ['upper'], checks: [toJudge('judge')] })).id);
    const counts = new Set<number>();
    for (;;) {
      const run = runSchema.parse((await room.send('GET', `${RUNS_PATH}/${id}`)).json());
      if (run.done === 30) counts.add(run.judged);
      if (run.done === 30) expect(run.seconds_left).toBeNull();
      if (run.status === 'completed') break;
    }
    room.engine.delayMs = 0;
    expect([...counts].some((judged) => judged > 0 && judged < 30)).toBe(true);
  });

  it('gets its agreement with people once they have judged 30 answers', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({
      messages: [{ role: 'user', content: at % 3 ? 'a1' : 'A' }],
    }));
    const { run } = await runWith([toJudge('judge')], { rows, models: ['upper'], checks: [toJudge('judge')] });
    const { run: record } = await readWholeRun(database.orm, run.id);
    const judge = (count: number) =>
      database.orm.transaction((orm) =>
        storeVerdicts(
          orm,
          record,
          'people',
          0,
          rows.slice(0, count).map((_, position) => {
            const outcome = position % 3 ? 'fail' : 'pass';
            return { position, repeat: 1, outcome, score: outcome === 'pass' ? 1 : 0, reason: null } as const;
          }),
        ),
      );
    const read = async () =>
      scoresSchema.parse((await room.send('GET', `${RUNS_PATH}/${run.id}/scores`)).json()).models[0]?.by_check[0]
        ?.agreement;
    await judge(29);
    expect(await read()).toEqual({ items: 29, kappa: null, low: null, high: null });
    await judge(30);
    expect(await read()).toMatchObject({ items: 30, kappa: 1 });
  });

  it.each([
    [{ model: '' }, 'checks[0].model'],
    [{ rubric: '' }, 'checks[0].rubric'],
    [{ threshold: 2 }, 'checks[0]'],
  ])('is refused with %j', async (patch, param) => {
    const answer = await room.send('POST', '/api/v1/studio/evaluations', {
      project_id: (await room.create()).project_id,
      name: 'Judged',
      source: { kind: 'rows' },
      rows: [{ messages: [{ role: 'user', content: 'Hi' }] }],
      checks: [{ ...toJudge('judge'), ...patch }],
    });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { param: expect.stringContaining(param) } });
  });
});

describe('what a judge is asked', () => {
  const order = {
    row: { position: 0, messages: [{ role: 'user', content: 'Hi """ there' }], expected: 'Hello' },
    repeat: 1,
    model: 'm',
    text: 'He said """ and more',
    reasoning: null,
    calls: [],
    finish_reason: 'stop',
    completion_tokens: 3,
    ms: 5,
  } as const;

  it('has the system message that the answer came to', () => {
    const asked = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ] as const;
    const { messages } = toJudgeRequest({ model: 'judge', rubric: 'Be kind.' }, order as never, [...asked]);
    expect(messages.at(-1)?.content).toContain('system: Be brief.');
  });

  it('frames the material, so that no text in it ends its frame', () => {
    const { messages } = toJudgeRequest({ model: 'judge', rubric: 'Be kind.' }, order as never, []);
    const text = messages.at(-1)?.content ?? '';
    expect(text).toContain('Answer to judge:\n""""\nHe said """ and more\n""""');
    expect(text).toContain('An answer that is right:\n"""\nHello\n"""');
  });

  it.each([
    ['{"reason":"Good.","score":10,"verdict":"pass"}', 'pass', 1],
    ['```json\n{"reason":"","score":0,"verdict":"fail"}\n```', 'fail', 0],
    ['{"score":11,"verdict":"pass"}', 'not_checked', null],
    ['{"verdict":"perhaps","score":5}', 'not_checked', null],
    ['', 'not_checked', null],
  ] as const)('reads %j', (text, outcome, score) => {
    expect(readJudgement(text, false)).toMatchObject({ outcome, score });
  });
});
