import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { whenIdle } from '#web/markdown/whenIdle.ts';
import { AnswerView } from './AnswerView.tsx';
import { BUSY_REASON, findPane, findPaneHold, shownAnswer, type Turn } from '#web/playground/desk/desk.ts';
import { readDesk, useDesk, usePane } from '#web/playground/desk/deskStore.ts';
import { MessageView } from './MessageView.tsx';
import { forgetUnsaved, insertTurn, openInsert, saveTurn, writeUnsaved } from '#web/playground/desk/turnActions.ts';
import { useAsk } from '#web/playground/asking/useAsk.ts';
import { toRunPlace } from '#web/playground/desk/runPlace.ts';
import { ToolMessage } from './ToolMessage.tsx';
import { TurnEditor } from './TurnEditor.tsx';
import { TurnToolbar } from './TurnToolbar.tsx';
import { isTurnBusy, turnIdBefore, turnText } from '#web/playground/desk/turns.ts';
import { findUnsaved, NOTHING_UNSAVED, type TurnRole, type TurnText } from '#web/playground/desk/unsaved.ts';

interface TurnRowProps {
  turn: Turn;
  paneId: string;
  isFirst: boolean;
  isLast: boolean;
}

const EMPTY: TurnText = { content: '' };
const JOINED = 'sent as one with the next message';
/** Whose turn it is before and behind a message. */
const NEIGHBOURS: Readonly<Record<TurnRole, TurnRole>> = { user: 'assistant', assistant: 'user', tool: 'assistant' };

/** One message of a conversation with what can be done with it. Rows out of sight cost neither layout nor paint. */
export const TurnRow = memo(function TurnRow({ turn, paneId, isFirst, isLast }: TurnRowProps) {
  const ask = useAsk();
  const saveAndRun = async (text: TurnText) => {
    const ended = await ask((actions, mode) => actions.saveAndRun(mode, paneId, turn.id, text));
    // What was written is kept either way.
    if (ended === null) saveTurn(paneId, turn.id, text);
  };
  const editAt = { kind: 'edit', turnId: turn.id } as const;
  const insertAt = { kind: 'insert', turnId: turn.id } as const;
  const edit = useDesk(({ desk }) => findUnsaved(desk.unsaved ?? NOTHING_UNSAVED, editAt));
  const insert = useDesk(({ desk }) => findUnsaved(desk.unsaved ?? NOTHING_UNSAVED, insertAt));
  /** Which editor was asked for last; one that a reload brought back was not, and leaves the focus where it is. */
  const [asked, setAsked] = useState<{ readonly kind: 'edit' | 'insert' } | null>(null);
  const isHeld = isTurnBusy(turn);
  const isEditing = edit !== null;
  const hold = usePane(paneId, (pane) => (isEditing ? findPaneHold(pane) : null)) ?? null;
  const row = useRef<HTMLDivElement>(null);
  const isWriting = isEditing || insert !== null;
  useEffect(() => {
    if (!isWriting) return undefined;
    const box = row.current;
    // The keyboard goes on where the editor was opened.
    return () => box?.querySelector<HTMLElement>('button[aria-label^="Edit"]')?.focus();
  }, [isWriting]);

  const canRun = (): boolean => {
    const pane = findPane(readDesk(), paneId);
    return pane !== null && toRunPlace(pane, turn.id, '') !== null;
  };
  const saveInsert = (text: TurnText) => {
    const pane = findPane(readDesk(), paneId);
    if (!insert || !pane) return;
    insertTurn(paneId, insert.side === 'below' ? turn.id : turnIdBefore(pane, turn.id), insert.role, text);
    forgetUnsaved(insertAt);
  };
  // The same from frame to frame: the toolbar is not drawn anew while an answer grows.
  const { id: turnId, role } = turn;
  const onEdit = useCallback(() => {
    const now = findPane(readDesk(), paneId)?.turns.find(({ id }) => id === turnId);
    if (!now) return;
    setAsked({ kind: 'edit' });
    const { content, name, tool_call_id } = turnText(now);
    writeUnsaved({
      kind: 'edit',
      turnId,
      text: { content, ...(name !== undefined && { name }), ...(tool_call_id !== undefined && { tool_call_id }) },
    });
  }, [paneId, turnId]);
  const onInsert = useCallback(
    (side: 'above' | 'below') => {
      setAsked({ kind: 'insert' });
      openInsert(turnId, side, NEIGHBOURS[role]);
    },
    [turnId, role],
  );
  const answer = turn.role === 'assistant' ? shownAnswer(turn) : null;
  // A message that comes is shown first: nobody can have reached for what is done with it.
  const [isReady, setReady] = useState(false);
  useEffect(() => whenIdle(() => setReady(true), 0), []);
  const toolbar = isReady ? (
    <TurnToolbar
      turnId={turnId}
      role={role}
      answerId={answer?.id ?? null}
      isAsked={answer !== null && answer.model !== ''}
      isJoined={turn.role === 'user' && turn.joinsNext === true}
      isHeld={isHeld}
      paneId={paneId}
      isFirst={isFirst}
      isLast={isLast}
      onEdit={onEdit}
      onInsert={onInsert}
    />
  ) : undefined;
  const writing = insert && (
    <TurnEditor
      role={insert.role}
      start={EMPTY}
      value={insert.text}
      onChange={(text) => writeUnsaved({ ...insert, text })}
      asked={asked?.kind === 'insert' ? asked : null}
      onRole={(role) => writeUnsaved({ ...insert, role })}
      onSave={saveInsert}
      onCancel={() => forgetUnsaved(insertAt)}
    />
  );
  const view =
    turn.role === 'assistant' ? (
      <AnswerView turn={turn} paneId={paneId} toolbar={toolbar} />
    ) : turn.role === 'tool' ? (
      <ToolMessage turn={turn} paneId={paneId} toolbar={toolbar} />
    ) : (
      <MessageView
        author={turn.role}
        text={turn.content}
        about={turn.joinsNext === true ? JOINED : ''}
        toolbar={toolbar}
      />
    );
  return (
    <div
      ref={row}
      className={`group/turn ${isLast ? '' : '[contain-intrinsic-block-size:auto_96px] [content-visibility:auto]'}`}
    >
      {insert?.side === 'above' && writing}
      {edit ? (
        <TurnEditor
          role={turn.role}
          start={turnText(turn)}
          value={edit.text}
          onChange={(text) => writeUnsaved({ ...edit, text })}
          asked={asked?.kind === 'edit' ? asked : null}
          onSave={(text) => saveTurn(paneId, turn.id, text)}
          saveHold={isHeld ? BUSY_REASON : null}
          onSaveAndRun={canRun() ? (text) => void saveAndRun(text) : undefined}
          runHold={hold}
          onCancel={() => forgetUnsaved(editAt)}
        />
      ) : (
        view
      )}
      {insert?.side === 'below' && writing}
    </div>
  );
});
