import { describe, expect, it } from 'vitest';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { noteListSchema, noteSchema } from '#features/notes/shared/notes.ts';
import { JOB_ID, NOTE, openTestService } from '#service/http/testService.fixture.ts';
import { keep } from '#service/files/keep.fixture.ts';

const service = await keep(openTestService());

const NOTES = '/api/v1/studio/notes';
const CHANGE = { name: null, tags: ['keep'], is_starred: true, is_archived: false, text: 'Good.', revision: 1 };
const put = (change: unknown, id = JOB_ID) =>
  service.askSigned(`${NOTES}/${id}`, {
    method: 'PUT',
    body: JSON.stringify(change),
    headers: { 'Content-Type': 'application/json' },
  });

describe('notes', () => {
  it('are listed, and not again while they stay the same', async () => {
    const answer = await service.askSigned(NOTES);
    expect(noteListSchema.safeParse(answer.json()).success).toBe(true);
    const again = await service.askSigned(NOTES, { headers: { 'If-None-Match': String(answer.headers['etag']) } });
    expect(again.status).toBe(304);
  });

  it('are saved', async () => {
    const answer = await put({ ...CHANGE, tags: [' keep '] });
    expect(answer.status).toBe(200);
    expect(noteSchema.parse(answer.json())).toMatchObject({
      tags: ['keep'],
      revision: 2,
      node_id: JOB_ID,
      updated_by: null,
    });
  });

  it('are not overwritten after somebody else has changed them', async () => {
    const answer = await put({ ...CHANGE, revision: NOTE.revision + 1 });
    expect(answer.status).toBe(409);
    expect(answer.json()).toMatchObject({ error: { code: 'note_changed', param: 'revision', current: NOTE } });
  });

  it.each([
    ['no object', 'x', null],
    ['an empty name', { ...CHANGE, name: ' ' }, 'name'],
    ['a long text', { ...CHANGE, text: 'x'.repeat(NOTE_LIMITS.text + 1) }, 'text'],
    [
      'too many tags',
      { ...CHANGE, tags: Array.from({ length: NOTE_LIMITS.tags + 1 }, (_, index) => `t${index}`) },
      'tags',
    ],
    ['a tag that is no text', { ...CHANGE, tags: [1] }, 'tags[0]'],
    ['no revision', { ...CHANGE, revision: undefined }, 'revision'],
    ['an unknown field', { ...CHANGE, colour: 'red' }, null],
  ])('are refused with the field at fault: %s', async (_, change, param) => {
    const answer = await put(change);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { param } });
  });

  it('belong to a node with an id', async () => {
    expect((await put(CHANGE, 'x')).status).toBe(400);
  });
});
