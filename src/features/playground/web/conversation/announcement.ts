// The text for screen readers: which answers began and how they ended, never what they say.
import { lastAnswer, type AnswerPhase, type Desk } from '#features/playground/web/desk/desk.ts';

const WORDS: Readonly<Record<AnswerPhase, string>> = {
  queued: 'is answering',
  sending: 'is answering',
  streaming: 'is answering',
  done: 'has answered',
  stopped: 'was stopped',
  failed: 'failed',
  interrupted: 'was interrupted',
};

/** One sentence per pane with an answer. The text changes only when an answer begins or ends. */
export function toAnnouncement(desk: Desk): string {
  return desk.panes
    .flatMap((pane, index) => {
      const answer = lastAnswer(pane);
      return answer ? [`Pane ${index + 1} ${WORDS[answer.phase]}.`] : [];
    })
    .join(' ');
}
