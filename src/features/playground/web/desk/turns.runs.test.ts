import { describe, expect, it } from 'vitest';
import { shownAnswer, toAnswerTurn, toPane, toPendingAnswer, type Pane, type Turn } from './desk.ts';
import { toRunPlace, undoRun } from './turns.ts';
import { addVersions, editTurn } from './turns.ts';

/** `u` user, `t` tool, `a` answer; ids are the letter and the place. */
const paneOf = (roles: string): Pane => ({
  ...toPane('p', 'm'),
  turns: [...roles].map((role, index): Turn => {
    const id = `${role}${index}`;
    if (role === 'a') return toAnswerTurn(id, [{ ...toPendingAnswer(`${id}v`, 'm', 5), phase: 'done' }]);
    return role === 'u'
      ? { id, role: 'user', content: id }
      : { id, role: 'tool', tool_call_id: 'c', name: '', content: id };
  }),
});
const ids = (turns: readonly Turn[]) => turns.map((turn) => turn.id).join(' ');

describe('running from a message', () => {
  it.each<[string, string, string | null, string, string]>([
    ['ua', 'u0', 'a1', 'u0 a1', ''],
    ['uaua', 'u0', 'a1', 'u0 a1', 'u2 a3'],
    ['u', 'u0', 'new', 'u0 new', ''],
    ['uua', 'u0', 'new', 'u0 new', 'u1 a2'],
    ['uattau', 't2', 'a4', 'u0 a1 t2 t3 a4', 'u5'],
    ['uatu', 't2', 'new', 'u0 a1 t2 new', 'u3'],
    // From an answer: the next answer after the messages that follow it.
    ['uaua', 'a1', 'a3', 'u0 a1 u2 a3', ''],
    ['uau', 'a1', 'new', 'u0 a1 u2 new', ''],
    ['uatuau', 'a1', 'a4', 'u0 a1 t2 u3 a4', 'u5'],
  ])('%s from %s asks for %s in [%s], takes off [%s]', (roles, from, answer, left, rest) => {
    const place = toRunPlace(paneOf(roles), from, 'new');
    expect([place?.answer.id, ids(place?.pane.turns ?? []), ids(place?.rest ?? [])]).toEqual([answer, left, rest]);
  });

  it.each([
    ['ua', 'a1'],
    ['uaa', 'a1'],
    ['ua', 'gone'],
  ])('%s from %s has nothing to answer', (roles, from) => expect(toRunPlace(paneOf(roles), from, 'new')).toBeNull());
});

describe('taking a run back', () => {
  it.each([
    ['uaua', 'u0'],
    ['uaua', 'a1'],
    ['uua', 'u0'],
    ['uattau', 't2'],
  ])('brings all of %s back that was there before %s was run; the new answer stays', (roles, from) => {
    const before = paneOf(roles);
    const edited = before.turns.find((turn) => turn.id === from)!;
    const place = toRunPlace(editTurn(before, from, { content: 'changed' }, 'edit'), from, 'new')!;
    const old = before.turns.find((turn) => turn.id === place.answer.id);
    const ran = addVersions(place.pane, place.answer.id, [{ ...toPendingAnswer('fresh', 'm', 9), phase: 'done' }]);
    const back = undoRun(ran, { edited, old, answerId: place.answer.id, rest: place.rest });
    expect(back.turns.filter((turn) => turn.id !== 'new').map((turn) => turn.id)).toEqual(
      before.turns.map((turn) => turn.id),
    );
    expect(back.turns.find((turn) => turn.id === from)).toEqual(edited);
    const answer = back.turns.find((turn) => turn.id === place.answer.id);
    if (answer?.role !== 'assistant') throw new Error('The answer is gone.');
    expect(answer.versions.map((each) => each.id)).toContain('fresh');
    if (old?.role === 'assistant') expect(shownAnswer(answer)).toBe(shownAnswer(old));
  });
});
