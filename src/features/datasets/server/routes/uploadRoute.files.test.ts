// POST .../snapshots/create-from-files.
import { describe, expect, it } from 'vitest';
import { UNKNOWN_ID } from '#service/http/testService.fixture.ts';
import { chat, expectNothingLeft, openDataService, type Part } from './dataService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const desk = await keep(openDataService());

const part = (name: string, lines: readonly string[]): Part => ({
  name,
  value: lines.join('\n'),
  fileName: `${name}.jsonl`,
});
const TRAINING = part('training_file', [chat('One'), chat('Two'), chat('Grüße')]);
const VALIDATION = part('validation_file', [chat('Four')]);
const send = async (files: readonly Part[], fields: Readonly<Record<string, string>> = {}) => {
  const all = { project_id: await desk.projectId(), label: 'Split', ...fields };
  const parts = Object.entries(all).map(([name, value]) => ({ name, value }));
  return desk.upload([...parts, ...files], { path: '/api/v1/public/snapshots/create-from-files' });
};
const rowsOf = async (snapshotId: string, bucket: string): Promise<unknown[]> => {
  const { text } = await desk.service.askSigned(`/api/v1/studio/snapshots/${snapshotId}/filtered-rows?side=${bucket}`);
  const rows = text.split('\n').filter((line) => line !== '');
  return rows.map((line) => (JSON.parse(line) as { messages: { content: string }[] }).messages[0]?.content);
};

describe('files that are split already', () => {
  it.each([
    ['in this order', [TRAINING, VALIDATION]],
    ['with the validation rows first', [VALIDATION, TRAINING]],
  ])('make a snapshot with each row on the side of its file: %s', async (_what, files) => {
    const answer = await send(files);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('snapshot_id')]);
    const { snapshot_id } = answer.json() as { snapshot_id: string };
    expect(await rowsOf(snapshot_id, 'training')).toEqual(['One', 'Two', 'Grüße']);
    expect(await rowsOf(snapshot_id, 'validation')).toEqual(['Four']);
    const [counts] = await desk.sql(
      `select label, training_count, validation_count from studio.snapshots where id = '${snapshot_id}'`,
    );
    expect(counts).toEqual({ label: 'Split', training_count: 3, validation_count: 1 });
  });

  it('may be those for training alone', async () => {
    const { snapshot_id } = (await send([TRAINING])).json() as { snapshot_id: string };
    expect(await rowsOf(snapshot_id, 'validation')).toEqual([]);
  });

  it.each<[string, readonly Part[], Readonly<Record<string, string>>, number, string]>([
    ['without rows for training', [VALIDATION], {}, 400, 'training_file'],
    ['with one file twice', [TRAINING, TRAINING], {}, 400, 'training_file'],
    ['with a file in another part', [part('file', [chat('One')])], {}, 400, 'training_file'],
    ['with a bad line in the second file', [TRAINING, part('validation_file', ['{'])], {}, 400, 'validation_file'],
    ['with an empty first file', [part('training_file', []), VALIDATION], {}, 400, 'training_file'],
    ['without a label', [TRAINING, VALIDATION], { label: '' }, 400, 'label'],
    ['for a project that is not there', [TRAINING, VALIDATION], { project_id: UNKNOWN_ID }, 404, 'project_id'],
  ])('%s are refused, and nothing of them stays', async (_what, files, fields, status, param) => {
    const before = await desk.sql('select count(*) from studio.datasets');
    const answer = await send(files, fields);
    expect([answer.status, answer.json()]).toMatchObject([status, { error: { param } }]);
    await expectNothingLeft(desk);
    expect(await desk.sql('select count(*) from studio.datasets')).toEqual(before);
  });
});
