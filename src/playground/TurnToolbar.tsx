import { ArrowDown, ArrowUp, BetweenHorizontalEnd, BetweenHorizontalStart, Diff, Ellipsis, GitFork, ListPlus, MessageSquarePlus, Pencil, Repeat, RotateCw, ScanSearch, Trash2 } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { MAX_MODELS } from '../session/urlState';
import { CopyButton } from '../ui/CopyButton';
import { IconButton } from '../ui/IconButton';
import { Menu } from '../ui/Menu';
import { showToast } from '../ui/toast';
import { BUSY_REASON, findPaneHold, isBusy, panePhase, shownAnswer, type Turn } from './desk';
import { readDesk, useDesk, usePane } from './deskStore';
import { chooseDiff, useDiffChoice } from './diffChoice';
import { findDiffTarget, toDiffTargets } from './diffTargets';
import { addExample, forkIntoSession } from './lateActions';
import { isFull } from './panes';
import { useActions } from './playgroundActions';
import { isTurnBusy, turnText } from './turns';

const Inspector = lazy(async () => ({ default: (await import('./Inspector')).Inspector }));
const RepeatDialog = lazy(async () => ({ default: (await import('./RepeatDialog')).RepeatDialog }));

interface TurnToolbarProps {
  turn: Turn;
  paneId: string;
  isFirst: boolean;
  isLast: boolean;
  onEdit: () => void;
  onInsert: (place: 'above' | 'below') => void;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

/** What can be done with one message. Seen on hover and focus, always there for the keyboard. */
export function TurnToolbar({ turn, paneId, isFirst, isLast, onEdit, onInsert }: TurnToolbarProps) {
  const { fork, regenerate, removeTurn, repeatAnswer, shiftTurn } = useActions();
  const [dialog, setDialog] = useState<'inspect' | 'repeat' | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isCrowded = useDesk(({ desk }) => isFull(desk));
  const hold = usePane(paneId, findPaneHold) ?? null;
  const what = turn.role === 'assistant' ? 'answer' : 'message';
  const answer = turn.role === 'assistant' ? shownAnswer(turn) : null;
  const repeatHold = usePane(paneId, (pane) => (isBusy(panePhase(pane)) ? BUSY_REASON : null)) ?? null;
  const repeat = async () => {
    if (answer && (await repeatAnswer(paneId, turn.id, answer.id, 'recorded')) === 'no-seed') setDialog('repeat');
  };
  const choice = useDiffChoice();
  const isDiffed = useDesk(({ desk }) => answer !== null && findDiffTarget(desk, choice, paneId, turn.id) !== null);
  const toggleDiff = () => {
    if (isDiffed) return chooseDiff(turn.id, 'off');
    const [likeliest] = toDiffTargets(readDesk(), paneId, turn.id);
    if (likeliest) return chooseDiff(turn.id, { against: likeliest.answer.id });
    return showToast('There is no other answer to compare this one with yet.');
  };
  const closeDialog = () => {
    // The menu item that was pressed is gone; its button is not.
    if (dialog === 'repeat') box.current?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus();
    setDialog(null);
  };
  return (
    <div ref={box} className="flex shrink-0 items-center bg-surface opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 has-data-popup-open:opacity-100 [@media(hover:none)]:opacity-100">
      <IconButton label={`Edit ${what}`} icon={<Pencil {...ICON} />} onClick={onEdit} disabledReason={isTurnBusy(turn) ? BUSY_REASON : null} />
      <CopyButton label={`Copy ${what}`} text={() => turnText(turn).content} />
      {turn.role === 'assistant' && <IconButton label="Regenerate" icon={<RotateCw {...ICON} />} onClick={() => void regenerate(paneId, turn.id)} disabledReason={hold} />}
      {answer && answer.model !== '' && <IconButton label="Inspect answer" icon={<ScanSearch {...ICON} />} onClick={() => setDialog('inspect')} />}
      <Menu
        label={`More for this ${what}`}
        icon={<Ellipsis aria-hidden size={14} />}
        items={[
          ...(answer && answer.model !== ''
            ? [
                { label: 'Run the same request again', icon: <Repeat {...ICON} />, onSelect: () => void repeat(), disabledReason: repeatHold },
                { label: isDiffed ? 'Hide differences' : 'Show differences', icon: <Diff {...ICON} />, onSelect: toggleDiff, disabledReason: isTurnBusy(turn) ? BUSY_REASON : null },
              ]
            : []),
          { label: 'Insert above', icon: <BetweenHorizontalEnd {...ICON} />, onSelect: () => onInsert('above') },
          { label: 'Insert below', icon: <BetweenHorizontalStart {...ICON} />, onSelect: () => onInsert('below') },
          { label: 'Move up', icon: <ArrowUp {...ICON} />, onSelect: () => shiftTurn(paneId, turn.id, -1), disabledReason: isFirst ? 'It is the first one.' : null },
          { label: 'Move down', icon: <ArrowDown {...ICON} />, onSelect: () => shiftTurn(paneId, turn.id, 1), disabledReason: isLast ? 'It is the last one.' : null },
          { label: 'Fork from here', icon: <GitFork {...ICON} />, onSelect: () => fork(paneId, turn.id), disabledReason: isCrowded ? `There can be ${MAX_MODELS} panes at most. Fork into a new session instead.` : null },
          { label: 'Fork into a new session', icon: <MessageSquarePlus {...ICON} />, onSelect: () => void forkIntoSession(paneId, turn.id) },
          ...(turn.role === 'assistant' ? [{ label: 'Add as training example', icon: <ListPlus {...ICON} />, onSelect: () => void addExample(paneId, turn.id) }] : []),
          { label: 'Delete', icon: <Trash2 {...ICON} />, onSelect: () => removeTurn(paneId, turn.id) },
        ]}
      />
      {answer && dialog !== null && (
        // Not in the type of the heading that it stands in.
        <div className="contents text-base font-normal text-ink">
          <Suspense fallback={null}>
            {dialog === 'inspect' ? <Inspector answer={answer} onClose={closeDialog} /> : <RepeatDialog paneId={paneId} turnId={turn.id} answerId={answer.id} onClose={closeDialog} />}
          </Suspense>
        </div>
      )}
    </div>
  );
}
