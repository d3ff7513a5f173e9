import { describe, expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type Desk,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { parseDesk, toChanges, toStoredDesk } from './deskRecords.ts';
import { toForeignDesk } from './sharedSession.ts';
import { deleteTurn } from '#features/playground/web/desk/turns.ts';
import type { Unsaved } from '#features/playground/web/desk/unsaved.ts';
import { toStoredUnsaved } from './deskRecords.ts';

const ASKED: Turn = { id: 'u', role: 'user', content: 'Hi' };
const CALLING: Turn = toAnswerTurn('t', [
  {
    ...toPendingAnswer('a', 'm', 1),
    phase: 'done',
    message: { ...EMPTY_MESSAGE, state: 'complete', toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] },
  },
]);
const GIVEN: Turn = { id: 'g', role: 'tool', name: 'f', tool_call_id: 'c', content: '1' };
const RESULT: Unsaved = { kind: 'result', answerId: 'a', callId: 'c', text: { content: '{"half":' } };
const EDIT: Unsaved = { kind: 'edit', turnId: 'u', text: { content: 'Hello' } };
const INSERT: Unsaved = { kind: 'insert', turnId: 't', side: 'below', role: 'user', text: { content: 'And' } };

const deskOf = (turns: readonly Turn[], unsaved: readonly Unsaved[]): Desk => ({
  ...EMPTY_DESK,
  panes: [{ ...toPane('p', 'm'), turns }],
  unsaved,
});
const DESK = deskOf([ASKED, CALLING], [EDIT, INSERT, RESULT]);
const read = (desk: Desk, stored: unknown = toStoredDesk(desk)): Desk =>
  parseDesk(structuredClone(stored), structuredClone(desk.panes.flatMap((pane) => pane.turns))).desk;

describe('what is being written', () => {
  it('is there again when the session is read', () => expect(read(DESK)).toEqual(DESK));

  it('is stored as soon as it changes, without writing any message again', () => {
    const next = { ...DESK, unsaved: [EDIT] };
    expect(toChanges(DESK, next)).toEqual({ desk: toStoredDesk(next), turns: [], removed: [] });
  });

  it('leaves the records of sessions without unsaved texts unchanged', () => {
    expect(Object.keys(toStoredDesk(deskOf([ASKED], [])))).toEqual(['version', 'panes', 'parked', 'draft', 'shared']);
    const { unsaved: _none, ...bare } = deskOf([ASKED], []);
    expect(read(bare)).toEqual(bare);
  });

  it.each<[string, unknown]>([
    ['a text', 'x'],
    ['entries of anything', [null, 5, { kind: 'edit' }, { ...EDIT, text: [] }]],
    [
      'what belongs to no message',
      [
        { ...EDIT, turnId: 'gone' },
        { ...RESULT, answerId: 'gone' },
      ],
    ],
  ])('is left out where it is damaged: %s; all else stays, and nothing is called damaged', (_what, unsaved) => {
    const { unsaved: _none, ...bare } = DESK;
    expect(
      parseDesk(
        { ...toStoredDesk(bare), unsaved },
        bare.panes.flatMap((pane) => pane.turns),
      ),
    ).toEqual({ desk: bare, damage: 'none' });
  });

  it('goes into no file and no link', () => expect(JSON.stringify(toForeignDesk(DESK, true))).not.toContain('Hello'));
});

describe('it is kept', () => {
  it.each<[string, readonly Turn[], Unsaved, boolean]>([
    ['for a message that is there', [ASKED], EDIT, true],
    ['not for one that is gone', [], EDIT, false],
    ['not where nothing was changed', [ASKED], { ...EDIT, text: { content: 'Hi' } }, false],
    [
      "where only a call's id was changed",
      [GIVEN],
      { kind: 'edit', turnId: 'g', text: { content: '1', name: 'f', tool_call_id: 'd' } },
      true,
    ],
    ['not for a new message without a word', [CALLING], { ...INSERT, text: { content: '', name: '' } }, false],
    ['for a call that waits', [ASKED, CALLING], RESULT, true],
    ['not for one that has its result', [ASKED, CALLING, GIVEN], RESULT, false],
    [
      'for a call of a version that is not shown',
      [{ ...CALLING, versions: [...CALLING.versions, { ...CALLING.versions[0]!, id: 'b' }], shown: 1 }, GIVEN],
      RESULT,
      true,
    ],
  ])('%s', (_what, turns, entry, isKept) =>
    expect(toStoredUnsaved(deskOf(turns, [entry]))).toEqual(isKept ? [entry] : []),
  );

  it('in memory for a message that was deleted, so that it comes back with it', () => {
    const deleted = { ...DESK, panes: DESK.panes.map((pane) => deleteTurn(pane, 'u')) };
    expect(toStoredDesk(deleted).unsaved).toEqual([INSERT, RESULT]);
    expect(toStoredDesk({ ...deleted, panes: DESK.panes }).unsaved).toEqual([EDIT, INSERT, RESULT]);
  });
});
