import { describe, expect, it } from 'vitest';
import type { Evaluation } from '#features/evaluation/shared/contract/evaluations.ts';
import type { EvaluationRun } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { EVALUATIONS_PATH, keepTestRoom, RUNS_PATH } from './testRoom.fixture.ts';

const room = await keepTestRoom();

describe('a run', () => {
  it('with a model that nobody has is not made, which models there are is said, and it is made while the engine is away', async () => {
    const { id } = await room.create({ models: ['nonesuch'] });
    const start = (body: object) => room.send('POST', `${EVALUATIONS_PATH}/${id}/runs`, body);
    expect((await start({ models: ['upper', 'nonesuch'] })).json()).toMatchObject({
      error: {
        param: 'models[1]',
        message: expect.stringMatching(/"nonesuch".* no run was made\. These can be asked: upper, /),
      },
    });
    expect((await start({})).json()).toMatchObject({ error: { param: 'models' } });
    const { findModel } = room.engine;
    room.engine.findModel = () => Promise.reject(new Error('The engine is away.'));
    const made = (await start({})).json() as EvaluationRun;
    room.engine.findModel = findModel;
    expect(made.number).toBe(1);
    await room.waitFor(made.id, 'completed');
  });

  it('that was cancelled does not take the place of an older one that was completed', async () => {
    const { id } = await room.create();
    const latest = async () => ((await room.send('GET', `${EVALUATIONS_PATH}/${id}`)).json() as Evaluation).latest_run;
    await room.waitFor((await room.start(id)).id, 'completed');
    room.engine.delayMs = 200;
    const { id: second } = await room.start(id);
    expect((await latest())?.number).toBe(2);
    await room.send('POST', `${RUNS_PATH}/${second}/cancel`);
    room.engine.delayMs = 0;
    expect(await latest()).toMatchObject({ number: 1, status: 'completed' });
  });
});
