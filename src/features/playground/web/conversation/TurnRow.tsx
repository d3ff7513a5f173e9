import { memo, useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
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
import {
  findUnsaved,
  NOTHING_UNSAVED,
  type TurnRole,
  type TurnText,
  type Unsaved,
} from '#features/playground/web/desk/unsaved.ts';

const EMPTY: TurnText = { content: '' };
const JOINED = 'sent as one with the next message';
/** The first choice of a role for a message inserted above or below one of this role. */
const NEIGHBOURS: Readonly<Record<TurnRole, TurnRole>> = { user: 'assistant', assistant: 'user', tool: 'assistant' };

/** An editor that a person opened just now takes the focus; one that a reload restored leaves it where it is. */
type Opened = { readonly kind: 'edit' | 'insert' } | null;

/** The open editors of a message: of its text, and of a new message beside it. Both callbacks stay the same. */
function useTurnEditors(paneId: string, turnId: string, role: TurnRole) {
  const edit = useDesk(({ desk }) => findUnsaved(desk.unsaved ?? NOTHING_UNSAVED, { kind: 'edit', turnId }));
  const insert = useDesk(({ desk }) => findUnsaved(desk.unsaved ?? NOTHING_UNSAVED, { kind: 'insert', turnId }));
  const [opened, setOpened] = useState<Opened>(null);
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
  return { edit, insert, opened, onEdit, onInsert };
}

/** The ref of a row, which gets the focus back when its editors are closed. */
function useFocusBack(isEditorOpen: boolean): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isEditorOpen) return undefined;
    const box = row.current;
    return () => box?.querySelector<HTMLElement>('button[aria-label^="Edit"]')?.focus();
  }, [isEditorOpen]);
  return row;
}

interface MessageEditorProps {
  turn: Turn;
  paneId: string;
  edit: Extract<Unsaved, { kind: 'edit' }>;
  opened: Opened;
  /** The change goes to other panes with the same message, too. */
  isForAll: boolean;
  onForAll: (isForAll: boolean) => void;
}

/** Changes the text of a message. */
function MessageEditor({ turn, paneId, edit, opened, isForAll, onForAll }: MessageEditorProps) {
  const ask = useRunAction();
  const sameCount = useDesk(({ desk }) => (turn.role === 'user' ? findSameMessages(desk, paneId, turn.id).length : 0));
  const hold = usePane(paneId, findPaneBlocker) ?? null;
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
  const pane = findPane(readDesk(), paneId);
  const canRun = pane !== null && toRunPlace(pane, turn.id, '') !== null;
  return (
    <TurnEditor
      role={turn.role}
      start={turnText(turn)}
      value={edit.text}
      onChange={(text) => writeUnsaved({ ...edit, text })}
      opened={opened?.kind === 'edit' ? opened : null}
      sameCount={sameCount}
      isForAll={isForAll}
      onForAll={onForAll}
      onSave={save}
      saveObstacle={isTurnBusy(turn) ? BUSY_REASON : null}
      onSaveExpected={turn.role === 'assistant' ? saveExpected : undefined}
      onSaveAndRun={canRun ? (text) => void saveAndRun(text) : undefined}
      runObstacle={hold}
      onCancel={() => forgetUnsaved(edit)}
    />
  );
}

interface NewMessageEditorProps {
  paneId: string;
  insert: Extract<Unsaved, { kind: 'insert' }>;
  opened: Opened;
}

/** Writes a new message beside another one. */
function NewMessageEditor({ paneId, insert, opened }: NewMessageEditorProps) {
  const { turnId, side, role } = insert;
  const save = (text: TurnText) => {
    const pane = findPane(readDesk(), paneId);
    if (!pane) return;
    insertTurn(paneId, side === 'below' ? turnId : turnIdBefore(pane, turnId), role, text);
    forgetUnsaved(insert);
  };
  return (
    <TurnEditor
      role={role}
      start={EMPTY}
      value={insert.text}
      onChange={(text) => writeUnsaved({ ...insert, text })}
      opened={opened?.kind === 'insert' ? opened : null}
      onRole={(next) => writeUnsaved({ ...insert, role: next })}
      onSave={save}
      onCancel={() => forgetUnsaved(insert)}
    />
  );
}

interface TurnViewProps {
  turn: Turn;
  paneId: string;
  toolbar: ReactNode;
}

function TurnView({ turn, paneId, toolbar }: TurnViewProps) {
  if (turn.role === 'assistant') return <AnswerView turn={turn} paneId={paneId} toolbar={toolbar} />;
  if (turn.role === 'tool') return <ToolMessage turn={turn} paneId={paneId} toolbar={toolbar} />;
  return (
    <MessageView
      author={turn.role}
      text={turn.content}
      about={turn.joinsNext === true ? JOINED : ''}
      toolbar={toolbar}
    />
  );
}

interface TurnRowProps {
  turn: Turn;
  paneId: string;
  isFirst: boolean;
  isLast: boolean;
}

/** One message of a conversation with its toolbar and editors. Rows out of view cost neither layout nor paint. */
export const TurnRow = memo(function TurnRow({ turn, paneId, isFirst, isLast }: TurnRowProps) {
  const { id: turnId, role } = turn;
  const { edit, insert, opened, onEdit, onInsert } = useTurnEditors(paneId, turnId, role);
  const [isForAll, setForAll] = useState(true);
  const row = useFocusBack(edit !== null || insert !== null);
  // The message renders first. Nobody needs its toolbar before the page is idle.
  const [isReady, setReady] = useState(false);
  useEffect(() => whenIdle(() => setReady(true), 0), []);
  const answer = turn.role === 'assistant' ? shownAnswer(turn) : null;
  const toolbar = isReady ? (
    <TurnToolbar
      turnId={turnId}
      role={role}
      answerId={answer?.id ?? null}
      isFromModel={answer !== null && answer.model !== ''}
      isJoined={turn.role === 'user' && turn.joinsNext === true}
      isLocked={isTurnBusy(turn)}
      paneId={paneId}
      isFirst={isFirst}
      isLast={isLast}
      onEdit={onEdit}
      onInsert={onInsert}
    />
  ) : undefined;
  const newMessage = insert && <NewMessageEditor paneId={paneId} insert={insert} opened={opened} />;
  return (
    <div
      ref={row}
      className={`group/turn ${isLast ? '' : '[contain-intrinsic-block-size:auto_96px] [content-visibility:auto]'}`}
    >
      {insert?.side === 'above' && newMessage}
      {edit ? (
        <MessageEditor {...{ turn, paneId, edit, opened, isForAll }} onForAll={setForAll} />
      ) : (
        <TurnView turn={turn} paneId={paneId} toolbar={toolbar} />
      )}
      {insert?.side === 'below' && newMessage}
    </div>
  );
});
