import type { AnswerToolCall } from '#core/stream/message.ts';
import { Button } from '#ui/kit/Button.tsx';
import { toNameList } from '#features/playground/web/desk/conversation.ts';
import { findPaneBlocker } from '#features/playground/web/desk/desk.ts';
import { readDesk, useDesk, usePane } from '#features/playground/web/desk/deskStore.ts';
import { focusMessage } from '#features/playground/web/desk/paneFocus.ts';
import { addResults, continueObstacle, isAtEnd } from '#features/playground/web/desk/toolAnswers.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { findUnsaved, NOTHING_UNSAVED } from '#features/playground/web/desk/unsaved.ts';

interface ToolSendBarProps {
  paneId: string;
  turnId: string;
  answerId: string;
  /** Calls without a result in the conversation. A result may be drafted already. */
  open: readonly AnswerToolCall[];
}

/** Sends the results of all calls of the last answer, once all are written. */
export function ToolSendBar({ paneId, turnId, answerId, open }: ToolSendBarProps) {
  const ask = useRunAction();
  const unsaved = useDesk(({ desk }) => desk.unsaved) ?? NOTHING_UNSAVED;
  const isLast = usePane(paneId, (pane) => isAtEnd(pane.turns, turnId)) ?? false;
  const obstacle =
    usePane(paneId, (pane, desk) => (open.length > 0 ? findPaneBlocker(pane) : continueObstacle(desk, pane))) ?? null;
  const others = useDesk(
    ({ desk }) => desk.panes.filter((pane) => pane.id !== paneId && continueObstacle(desk, pane) === null).length,
  );
  if (!isLast) return null;
  const drafts = open.map((call) => ({
    callId: call.id,
    name: call.name || call.id,
    content: findUnsaved(unsaved, { kind: 'result', answerId, callId: call.id })?.text.content ?? '',
  }));
  const missing = drafts.filter(({ content }) => content.trim() === '').map(({ name }) => name);
  const reason = missing.length > 0 ? `Write the result of ${toNameList(missing)} first.` : obstacle;

  const send = async (isEverywhere: boolean) => {
    // The focused button disappears with the last call.
    focusMessage();
    if (drafts.length > 0) addResults(paneId, turnId, drafts);
    const desk = readDesk();
    const ready = desk.panes.filter(
      (pane) => pane.id === paneId || (isEverywhere && continueObstacle(desk, pane) === null),
    );
    const ids = ready.map(({ id }) => id);
    await ask((actions, mode) => actions.sendResults(mode, ids));
  };
  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <Button data-send size="small" variant="primary" onClick={() => void send(false)} disabledReason={reason}>
        Send answers
      </Button>
      {others > 0 && (
        <Button size="small" onClick={() => void send(true)} disabledReason={reason}>
          Send in {others + 1} panes
        </Button>
      )}
      <span className="text-sm text-soft">
        {open.length === 0
          ? 'All calls have their results.'
          : missing.length > 0 && `Waiting for ${toNameList(missing)}.`}
      </span>
    </div>
  );
}
