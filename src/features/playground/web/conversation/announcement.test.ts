import { expect, it } from 'vitest';
import { EMPTY_MESSAGE } from '#core/stream/message.ts';
import { toAnnouncement } from './announcement.ts';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toPendingAnswer,
  type AnswerPhase,
  type Desk,
} from '#features/playground/web/desk/desk.ts';

const deskOf = (phases: readonly (AnswerPhase | null)[], text = ''): Desk => ({
  ...EMPTY_DESK,
  panes: phases.map((phase, index) => ({
    ...toPane(`p${index}`, 'm'),
    turns:
      phase === null
        ? []
        : [
            toAnswerTurn(`a${index}`, [
              { ...toPendingAnswer(`a${index}`, 'm', 0), phase, message: { ...EMPTY_MESSAGE, text } },
            ]),
          ],
  })),
});

it.each<[readonly (AnswerPhase | null)[], string]>([
  [[], ''],
  [[null], ''],
  [['sending'], 'Pane 1 is answering.'],
  [['done'], 'Pane 1 has answered.'],
  [['stopped'], 'Pane 1 was stopped.'],
  [['failed'], 'Pane 1 failed.'],
  [['interrupted'], 'Pane 1 was interrupted.'],
  [[null, 'failed', 'done'], 'Pane 2 failed. Pane 3 has answered.'],
])('%j is %j', (phases, expected) => expect(toAnnouncement(deskOf(phases))).toBe(expected));

it('stays the same from sending to the end of an answer', () => {
  const sentences = [deskOf(['sending']), deskOf(['streaming'], 'a'), deskOf(['streaming'], 'a b')].map(toAnnouncement);
  expect(new Set(sentences).size).toBe(1);
});
