import { beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '#engine/engine.ts';
import { UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { toCorrection } from './traceRows.ts';
import { openTraceService } from './traceService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const desk = await keep(openTraceService());
beforeEach(() => {
  desk.setTeacher('teacher');
  desk.setAnswer(async () => 'Better.');
});

const WEAK = { modelId: 'm', input: 'When?', output: 'Dunno.', score: 0.2, feedback: 'Name a day.' };
const GOOD = { ...WEAK, output: 'On Monday.', score: 0.8 };

const rowsOf = async (datasetId: string): Promise<unknown[]> => {
  const { rows } = (await desk.service.getJson(`/api/v1/studio/datasets/${datasetId}/table`)) as {
    rows: { position: number }[];
  };
  const whole = rows.map(({ position }) =>
    desk.service.getJson(`/api/v1/studio/datasets/${datasetId}/table/${position}`),
  );
  return (await Promise.all(whole)).map(({ row }) => row);
};
const stateOf = async (id: string): Promise<unknown[]> => {
  const trace = await desk.service.getJson(`/api/v1/traces/${id}`);
  return [trace['processingStatus'], trace['addedToDataset'], trace['reason']];
};
const toRow = (answer: string) => ({
  messages: [
    { role: 'user', content: 'When?' },
    { role: 'assistant', content: answer },
  ],
});

describe('a good trace', () => {
  it('is a row of the first dataset of its project at once, and not a second one when it is asked for again', async () => {
    const { projectId, datasetId } = await desk.project();
    const { id } = await desk.addOne({ ...GOOD, projectId });
    const added = await desk.addToDataset(id);
    expect(added).toMatchObject({ traceId: id, status: 'added', success: true, reason: null });
    expect(added['datapointId']).toMatch(/^[0-9a-f-]{36}$/);
    expect(await desk.addToDataset(id)).toEqual(added);
    expect((await rowsOf(datasetId)).slice(1)).toEqual([toRow('On Monday.')]);
    expect(await stateOf(id)).toEqual(['none', true, null]);
  });

  it('is a row of another dataset if that is named', async () => {
    const { datasetId } = await desk.project();
    const { id } = await desk.addOne(GOOD);
    expect(await desk.addToDataset(id, `?datasetId=${datasetId.toUpperCase()}`)).toMatchObject({ status: 'added' });
    expect(await rowsOf(datasetId)).toHaveLength(2);
  });
});

describe('a weak trace', () => {
  it('is corrected by the teacher from its feedback, and then a row', async () => {
    const { projectId, datasetId } = await desk.project();
    const { id } = await desk.addOne({ ...WEAK, projectId });
    const queued = { traceId: id, status: 'queued', success: true, datapointId: null, reason: null };
    expect(await desk.addToDataset(id)).toEqual(queued);
    await expect.poll(() => stateOf(id)).toEqual(['none', true, null]);
    expect((await rowsOf(datasetId)).slice(1)).toEqual([toRow('Better.')]);
    expect(desk.asked.at(-1)).toMatchObject({ model: 'teacher', messages: toCorrection({ ...WEAK, messages: null }) });
    expect(JSON.stringify(desk.asked.at(-1))).toContain('Name a day.');
  });

  it('is corrected by the model that its project names', async () => {
    const { projectId } = await desk.project();
    desk.setTeacher(null);
    await desk.traces.saveSettings(projectId, { keeps_chats: false, keep_days: null, corrector: 'own' });
    const { id } = await desk.addOne({ ...WEAK, projectId });
    expect(await desk.addToDataset(id)).toMatchObject({ status: 'queued' });
    await expect.poll(() => stateOf(id)).toEqual(['none', true, null]);
    expect(desk.asked.at(-1)).toMatchObject({ model: 'own' });
  });

  it('is said to have failed when the teacher fails, with its reason, and can be tried again', async () => {
    const { projectId, datasetId } = await desk.project();
    desk.setAnswer(() => Promise.reject(new EngineError('The engine is away.', 503, 'away')));
    const { id } = await desk.addOne({ ...WEAK, projectId });
    await desk.addToDataset(id);
    await expect.poll(() => stateOf(id)).toEqual(['failed', false, 'The engine is away.']);
    expect(await rowsOf(datasetId)).toHaveLength(1);
    desk.setAnswer(async () => 'At last.');
    await desk.addToDataset(id);
    await expect.poll(() => stateOf(id)).toEqual(['none', true, null]);
    expect((await rowsOf(datasetId)).slice(1)).toEqual([toRow('At last.')]);
  });

  it.each([
    ['ends', () => 'Late.'],
    ['fails', () => Promise.reject(new EngineError('The engine is away.', 503, 'away'))],
  ])('that a person scores as good and adds is one row, when its correction %s afterwards', async (_how, end) => {
    const { projectId, datasetId } = await desk.project();
    let finish: () => void = () => undefined;
    const asked = desk.asked.length;
    desk.setAnswer(async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      return end();
    });
    const { id } = await desk.addOne({ ...WEAK, projectId });
    await desk.addToDataset(id);
    await expect.poll(() => desk.asked.length).toBe(asked + 1);
    await desk.put(id, { score: 1 });
    expect(await desk.addToDataset(id)).toMatchObject({ status: 'added' });
    finish();
    desk.setAnswer(async () => 'Next.');
    const next = await desk.addOne({ ...WEAK, projectId });
    await desk.addToDataset(next.id);
    await expect.poll(() => stateOf(next.id)).toEqual(['none', true, null]);
    expect(await stateOf(id)).toEqual(['none', true, null]);
    expect((await rowsOf(datasetId)).slice(1)).toEqual([toRow('Dunno.'), toRow('Next.')]);
  });

  it('that is deleted while it is corrected leaves no row', async () => {
    const { projectId, datasetId } = await desk.project();
    let finish: (answer: string) => void = () => undefined;
    const asked = desk.asked.length;
    desk.setAnswer(() => new Promise((resolve) => (finish = resolve)));
    const { id } = await desk.addOne({ ...WEAK, projectId });
    await desk.addToDataset(id);
    await expect.poll(() => desk.asked.length).toBe(asked + 1);
    await desk.traces.remove(id);
    finish('Late.');
    desk.setAnswer(async () => 'Next.');
    const next = await desk.addOne({ ...WEAK, projectId });
    await desk.addToDataset(next.id);
    await expect.poll(() => stateOf(next.id)).toEqual(['none', true, null]);
    expect((await rowsOf(datasetId)).slice(1)).toEqual([toRow('Next.')]);
  });
});

describe('a trace can not be added', () => {
  it.each<[string, object, string, RegExp]>([
    ['without a score', { score: null }, '', /has no score/],
    ['without a project or a dataset', { projectId: null }, '', /belongs to no project/],
    ['to a dataset that is not there', {}, `?datasetId=${UNKNOWN_ID}`, /no dataset/],
    ['if it is weak and nobody can correct it', { score: 0.79 }, '', /no model is there/],
  ])('%s, which is answered and kept with the reason', async (_what, fields, query, reason) => {
    const { projectId } = await desk.project();
    desk.setTeacher(null);
    const { id } = await desk.addOne({ ...GOOD, projectId, ...fields });
    const answer = await desk.addToDataset(id, query);
    const why = expect.stringMatching(reason) as string;
    expect(answer).toEqual({ traceId: id, status: 'failed', success: false, datapointId: null, reason: why });
    expect(await stateOf(id)).toEqual(['none', false, why]);
  });

  it('if it is not there', async () => {
    const answer = await desk.service.askSigned(`/api/v1/traces/${UNKNOWN_ID}/addToDataset`, { method: 'POST' });
    expect(answer.status).toBe(404);
  });
});
