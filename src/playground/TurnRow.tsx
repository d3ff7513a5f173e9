import { memo, useEffect, useRef, useState } from 'react';
import { AnswerView } from './AnswerView';
import { findPane, findPaneHold, type Turn } from './desk';
import { readDesk, usePane } from './deskStore';
import { MessageView } from './MessageView';
import { useActions } from './playgroundActions';
import { toRunPlace } from './runPlace';
import { ToolMessage } from './ToolMessage';
import { TurnEditor } from './TurnEditor';
import { TurnToolbar } from './TurnToolbar';
import { turnIdBefore, turnText, type TurnRole, type TurnText } from './turns';

interface TurnRowProps {
  turn: Turn;
  paneId: string;
  isFirst: boolean;
  isLast: boolean;
}

/** A message that is being written beside this one. */
interface Insert {
  readonly place: 'above' | 'below';
  readonly role: TurnRole;
  readonly start: TurnText;
}

const EMPTY: TurnText = { content: '' };
/** Whose turn it is before and behind a message. */
const NEIGHBOURS: Readonly<Record<TurnRole, TurnRole>> = { user: 'assistant', assistant: 'user', tool: 'assistant' };

/** One message of a conversation with what can be done with it. Rows out of sight cost neither layout nor paint. */
export const TurnRow = memo(function TurnRow({ turn, paneId, isFirst, isLast }: TurnRowProps) {
  const { insertTurn, saveAndRun, saveTurn } = useActions();
  const [isEditing, setEditing] = useState(false);
  const [insert, setInsert] = useState<Insert | null>(null);

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
    insertTurn(paneId, insert.place === 'below' ? turn.id : turnIdBefore(pane, turn.id), insert.role, text);
    setInsert(null);
  };
  const toolbar = (
    <TurnToolbar turn={turn} paneId={paneId} isFirst={isFirst} isLast={isLast} onEdit={() => setEditing(true)} onInsert={(place) => setInsert({ place, role: NEIGHBOURS[turn.role], start: EMPTY })} />
  );
  const writing = insert && <TurnEditor role={insert.role} start={insert.start} onRole={(role) => setInsert({ ...insert, role })} onSave={saveInsert} onCancel={() => setInsert(null)} />;
  const view =
    turn.role === 'assistant' ? (
      <AnswerView turn={turn} paneId={paneId} toolbar={toolbar} />
    ) : turn.role === 'tool' ? (
      <ToolMessage turn={turn} paneId={paneId} toolbar={toolbar} />
    ) : (
      <MessageView author={turn.role} text={turn.content} toolbar={toolbar} />
    );
  return (
    <div ref={row} className={`group/turn ${isLast ? '' : '[contain-intrinsic-block-size:auto_96px] [content-visibility:auto]'}`}>
      {insert?.place === 'above' && writing}
      {isEditing ? (
        <TurnEditor
          role={turn.role}
          start={turnText(turn)}
          onSave={(text) => (saveTurn(paneId, turn.id, text), setEditing(false))}
          onSaveAndRun={canRun() ? (text) => (void saveAndRun(paneId, turn.id, text), setEditing(false)) : undefined}
          runHold={hold}
          onCancel={() => setEditing(false)}
        />
      ) : (
        view
      )}
      {insert?.place === 'below' && writing}
    </div>
  );
});
