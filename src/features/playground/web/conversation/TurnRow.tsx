import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { whenIdle } from '#ui/markdown/whenIdle.ts';
import { AnswerView } from './AnswerView.tsx';
import { BUSY_REASON, findPane, findPaneBlocker, shownAnswer, type Turn } from '#features/playground/web/desk/desk.ts';
import { readDesk, useDesk, usePane } from '#features/playground/web/desk/deskStore.ts';
import { MessageView } from './MessageView.tsx';
import {
  forgetUnsaved,
  insertTurn,
  openInsert,
  saveTurns,
  writeUnsaved,
} from '#features/playground/web/desk/turnActions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { addExample } from '#features/playground/web/sessions/lazyActions.ts';
import {
  findSameMessages,
  isTurnBusy,
  turnIdBefore,
  turnText,
  toRunPlace,
} from '#features/playground/web/desk/turns.ts';
import { ToolMessage } from './ToolMessage.tsx';
import { TurnEditor } from './TurnEditor.tsx';
import { TurnToolbar } from './TurnToolbar.tsx';
import { findUnsaved, NOTHING_UNSAVED, type TurnRole, type TurnText } from '#features/playground/web/desk/unsaved.ts';

interface TurnRowProps {
  turn: Turn;
  paneId: string;
  isFirst: boolean;
  isLast: boolean;
}

const EMPTY: TurnText = { content: '' };
const JOINED = 'sent as one with the next message';
/** The first choice of a role for a message inserted above or below one of this role. */
const NEIGHBOURS: Readonly<Record<TurnRole, TurnRole>> = { user: 'assistant', assistant: 'user', tool: 'assistant' };

/** One message of a conversation with its toolbar and editors. Rows out of view cost neither layout nor paint. */
export const TurnRow = memo(function TurnRow({ turn, paneId, isFirst, isLast }: TurnRowProps) {
  const ask = useRunAction();
  const [isForAll, setForAll] = useState(true);
  const findOthers = () => (isForAll ? findSameMessages(readDesk(), paneId, turn.id) : []);
  const save = (text: TurnText) => saveTurns([...findOthers(), { paneId, turnId: turn.id }], text);
  const saveAndRun = async (text: TurnText) => {
    const others = findOthers();
    const result = await ask((actions, mode) => actions.saveAndRun(mode, paneId, turn.id, text, others));
    // null: the code that runs failed to load. The text is saved anyway.
    if (result === null) saveTurns([...others, { paneId, turnId: turn.id }], text);
  };
  const saveExpected = (text: TurnText) => {
    save(text);
    void addExample(paneId, turn.id);
  };
  const editAt = { kind: 'edit', turnId: turn.id } as const;
  const insertAt = { kind: 'insert', turnId: turn.id } as const;
  const edit = useDesk(({ desk }) => findUnsaved(desk.unsaved ?? NOTHING_UNSAVED, editAt));
  const insert = useDesk(({ desk }) => findUnsaved(desk.unsaved ?? NOTHING_UNSAVED, insertAt));
  /** The editor that was opened last. An editor that a reload restored leaves the focus where it is. */
  const [opened, setOpened] = useState<{ readonly kind: 'edit' | 'insert' } | null>(null);
  const isLocked = isTurnBusy(turn);
  const isEditing = edit !== null;
  const sameCount = useDesk(({ desk }) =>
    isEditing && turn.role === 'user' ? findSameMessages(desk, paneId, turn.id).length : 0,
  );
  const hold = usePane(paneId, (pane) => (isEditing ? findPaneBlocker(pane) : null)) ?? null;
  const row = useRef<HTMLDivElement>(null);
  const isEditorOpen = isEditing || insert !== null;
  useEffect(() => {
    if (!isEditorOpen) return undefined;
    const box = row.current;
    // The focus returns to the row of the closed editor.
    return () => box?.querySelector<HTMLElement>('button[aria-label^="Edit"]')?.focus();
  }, [isEditorOpen]);

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
  // Stable callbacks, so that the toolbar doesn't render again while an answer grows.
  const { id: turnId, role } = turn;
  const onEdit = useCallback(() => {
    const now = findPane(readDesk(), paneId)?.turns.find(({ id }) => id === turnId);
    if (!now) return;
    setOpened({ kind: 'edit' });
    const { content, name, tool_call_id } = turnText(now);
    writeUnsaved({
      kind: 'edit',
      turnId,
      text: { content, ...(name !== undefined && { name }), ...(tool_call_id !== undefined && { tool_call_id }) },
    });
  }, [paneId, turnId]);
  const onInsert = useCallback(
    (side: 'above' | 'below') => {
      setOpened({ kind: 'insert' });
      openInsert(turnId, side, NEIGHBOURS[role]);
    },
    [turnId, role],
  );
  const answer = turn.role === 'assistant' ? shownAnswer(turn) : null;
  // The message renders first. Nobody needs its toolbar before the page is idle.
  const [isReady, setReady] = useState(false);
  useEffect(() => whenIdle(() => setReady(true), 0), []);
  const toolbar = isReady ? (
    <TurnToolbar
      turnId={turnId}
      role={role}
      answerId={answer?.id ?? null}
      isFromModel={answer !== null && answer.model !== ''}
      isJoined={turn.role === 'user' && turn.joinsNext === true}
      isLocked={isLocked}
      paneId={paneId}
      isFirst={isFirst}
      isLast={isLast}
      onEdit={onEdit}
      onInsert={onInsert}
    />
  ) : undefined;
  const insertEditor = insert && (
    <TurnEditor
      role={insert.role}
      start={EMPTY}
      value={insert.text}
      onChange={(text) => writeUnsaved({ ...insert, text })}
      opened={opened?.kind === 'insert' ? opened : null}
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
      {insert?.side === 'above' && insertEditor}
      {edit ? (
        <TurnEditor
          role={turn.role}
          start={turnText(turn)}
          value={edit.text}
          onChange={(text) => writeUnsaved({ ...edit, text })}
          opened={opened?.kind === 'edit' ? opened : null}
          sameCount={sameCount}
          isForAll={isForAll}
          onForAll={setForAll}
          onSave={save}
          saveObstacle={isLocked ? BUSY_REASON : null}
          onSaveExpected={turn.role === 'assistant' ? saveExpected : undefined}
          onSaveAndRun={canRun() ? (text) => void saveAndRun(text) : undefined}
          runObstacle={hold}
          onCancel={() => forgetUnsaved(editAt)}
        />
      ) : (
        view
      )}
      {insert?.side === 'below' && insertEditor}
    </div>
  );
});
