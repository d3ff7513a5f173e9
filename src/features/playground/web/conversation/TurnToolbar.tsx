import {
  ArrowDown,
  ArrowUp,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  Diff,
  Ellipsis,
  GitFork,
  ListPlus,
  MessageSquarePlus,
  Pencil,
  Repeat,
  RotateCw,
  ScanSearch,
  Trash2,
  Split,
} from 'lucide-react';
import { memo, Suspense, useRef, useState } from 'react';
import { MAX_MODELS } from '#ui/address/urlState.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { toLazyPopup } from '#ui/lazy/lazyPopup.ts';
import { Menu } from '#ui/lazy/Menu.tsx';
import { showToast } from '#ui/kit/toast.ts';
import {
  BUSY_REASON,
  findPane,
  findPaneBlocker,
  isBusy,
  panePhase,
  shownAnswer,
  type Answer,
  type Pane,
} from '#features/playground/web/desk/desk.ts';
import { readDesk, useDesk, usePane } from '#features/playground/web/desk/deskStore.ts';
import { chooseDiff, useDiffChoice, findDiffTarget, toDiffTargets } from './diffTargets.ts';
import { addExample, forkIntoSession } from '#features/playground/web/sessions/lazyActions.ts';
import { isFull } from '#features/playground/web/desk/panes.ts';
import { fork } from '#features/playground/web/desk/actions.ts';
import { joinTurns, removeTurn, shiftTurn } from '#features/playground/web/desk/turnActions.ts';
import { useRunAction } from '#features/playground/web/sending/useRunAction.ts';
import { turnText } from '#features/playground/web/desk/turns.ts';
import type { TurnRole } from '#features/playground/web/desk/unsaved.ts';

const Inspector = toLazyPopup(async () => (await import('#features/playground/web/inspector/Inspector.tsx')).Inspector);
const RepeatDialog = toLazyPopup(async () => (await import('./RepeatDialog.tsx')).RepeatDialog);

interface TurnToolbarProps {
  turnId: string;
  role: TurnRole;
  /** The version on show; null where the message is no answer. */
  answerId: string | null;
  /** A model wrote the answer, so there is a request to inspect. */
  isFromModel: boolean;
  /** A person chose to send the message as one with the next. */
  isJoined: boolean;
  /** The answer is still arriving, so it can't be changed. */
  isLocked: boolean;
  paneId: string;
  isFirst: boolean;
  isLast: boolean;
  onEdit: () => void;
  onInsert: (place: 'above' | 'below') => void;
}

const ICON = { 'aria-hidden': true, size: 13 } as const;

function findAnswer({ turns }: Pane, turnId: string): Answer | null {
  const turn = turns.find(({ id }) => id === turnId);
  return turn?.role === 'assistant' ? shownAnswer(turn) : null;
}

function readText(paneId: string, turnId: string): string {
  const turn = findPane(readDesk(), paneId)?.turns.find(({ id }) => id === turnId);
  return turn ? turnText(turn).content : '';
}

/** Whether the differences of an answer from another one are on show, and what switches them. */
function useDiff(paneId: string, turnId: string, role: TurnRole): readonly [isOn: boolean, onToggle: () => void] {
  const choice = useDiffChoice();
  const isOn = useDesk(({ desk }) => role === 'assistant' && findDiffTarget(desk, choice, paneId, turnId) !== null);
  const toggle = () => {
    if (isOn) return chooseDiff(turnId, 'off');
    const [likeliest] = toDiffTargets(readDesk(), paneId, turnId);
    if (likeliest) return chooseDiff(turnId, { against: likeliest.answer.id });
    return showToast('There is no other answer to compare this one with yet.');
  };
  return [isOn, toggle];
}

const toNoun = (role: TurnRole): string => (role === 'assistant' ? 'answer' : 'message');

type MoreMenuProps = Omit<TurnToolbarProps, 'answerId' | 'onEdit'> & { onRepeat: () => void };

/** What is done less often with a message. */
function MoreMenu({ onRepeat, onInsert, ...message }: MoreMenuProps) {
  const { turnId, role, isFromModel, isJoined, isLocked, paneId, isFirst, isLast } = message;
  const isCrowded = useDesk(({ desk }) => isFull(desk));
  const repeatObstacle = usePane(paneId, (pane) => (isBusy(panePhase(pane)) ? BUSY_REASON : null)) ?? null;
  const [isDiffed, toggleDiff] = useDiff(paneId, turnId, role);
  const ofModel = [
    { label: 'Repeat request', icon: <Repeat {...ICON} />, onSelect: onRepeat, disabledReason: repeatObstacle },
    {
      label: isDiffed ? 'Hide differences' : 'Show differences',
      icon: <Diff {...ICON} />,
      onSelect: toggleDiff,
      disabledReason: isLocked ? BUSY_REASON : null,
    },
  ];
  const ofPlace = [
    { label: 'Insert above', icon: <BetweenHorizontalEnd {...ICON} />, onSelect: () => onInsert('above') },
    { label: 'Insert below', icon: <BetweenHorizontalStart {...ICON} />, onSelect: () => onInsert('below') },
    {
      label: 'Move up',
      icon: <ArrowUp {...ICON} />,
      onSelect: () => shiftTurn(paneId, turnId, -1),
      disabledReason: isFirst ? 'This is the first message.' : null,
    },
    {
      label: 'Move down',
      icon: <ArrowDown {...ICON} />,
      onSelect: () => shiftTurn(paneId, turnId, 1),
      disabledReason: isLast ? 'This is the last message.' : null,
    },
  ];
  const forks = [
    {
      label: 'Fork from here',
      icon: <GitFork {...ICON} />,
      onSelect: () => fork(paneId, turnId),
      disabledReason: isCrowded ? `There can be ${MAX_MODELS} panes at most. Fork into a new session instead.` : null,
    },
    {
      label: 'Fork into a new session',
      icon: <MessageSquarePlus {...ICON} />,
      onSelect: () => void forkIntoSession(paneId, turnId),
    },
  ];
  const expected = {
    label: 'Use as expected answer',
    icon: <ListPlus {...ICON} />,
    onSelect: () => void addExample(paneId, turnId),
  };
  const alone = {
    label: 'Send as a message of its own',
    icon: <Split {...ICON} />,
    onSelect: () => joinTurns(paneId, turnId, false),
  };
  return (
    <Menu
      label={`More for this ${toNoun(role)}`}
      icon={<Ellipsis aria-hidden size={14} />}
      items={[
        ...(isFromModel ? ofModel : []),
        ...ofPlace,
        ...forks,
        ...(role === 'assistant' ? [expected] : []),
        ...(isJoined ? [alone] : []),
        { label: 'Delete', icon: <Trash2 {...ICON} />, onSelect: () => removeTurn(paneId, turnId) },
      ]}
    />
  );
}

interface AnswerDialogProps {
  kind: 'inspect' | 'repeat';
  paneId: string;
  turnId: string;
  answerId: string;
  onClose: () => void;
}

/** The request with its raw answer, or how to repeat a request that had no seed. */
function AnswerDialog({ kind, paneId, turnId, answerId, onClose }: AnswerDialogProps) {
  const inspected = usePane(paneId, (pane) => (kind === 'inspect' ? findAnswer(pane, turnId) : null)) ?? null;
  return (
    // Resets the text style of the heading around it.
    <div className="contents text-base font-normal text-ink">
      <Suspense fallback={null}>
        {kind === 'repeat' && <RepeatDialog paneId={paneId} turnId={turnId} answerId={answerId} onClose={onClose} />}
        {inspected && <Inspector answer={inspected} onClose={onClose} />}
      </Suspense>
    </div>
  );
}

/**
 * The actions on one message. Visible on hover and focus, always there for the keyboard. It takes no `turn`: a growing
 * answer is a new object in every frame.
 */
export const TurnToolbar = memo(function TurnToolbar({ answerId, onEdit, ...message }: TurnToolbarProps) {
  const { turnId, role, isFromModel, isLocked, paneId } = message;
  const ask = useRunAction();
  const [dialog, setDialog] = useState<AnswerDialogProps['kind'] | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const hold = usePane(paneId, findPaneBlocker) ?? null;
  const repeat = async () => {
    if (
      answerId !== null &&
      (await ask((actions, mode) => actions.repeatAnswer(mode, paneId, turnId, answerId, 'recorded'))) === 'no-seed'
    )
      setDialog('repeat');
  };
  const closeDialog = () => {
    // The pressed menu item is gone, so the focus returns to the button of its menu.
    if (dialog === 'repeat') box.current?.querySelector<HTMLElement>('[aria-haspopup="menu"]')?.focus();
    setDialog(null);
  };
  return (
    <div
      ref={box}
      className={
        'flex shrink-0 items-center bg-surface opacity-0 group-focus-within/turn:opacity-100 ' +
        'group-hover/turn:opacity-100 has-data-popup-open:opacity-100 [@media(hover:none)]:opacity-100'
      }
    >
      <IconButton
        label={`Edit ${toNoun(role)}`}
        icon={<Pencil {...ICON} />}
        onClick={onEdit}
        disabledReason={isLocked ? BUSY_REASON : null}
      />
      <CopyButton label={`Copy ${toNoun(role)}`} text={() => readText(paneId, turnId)} />
      {role === 'assistant' && (
        <IconButton
          label="Regenerate"
          icon={<RotateCw {...ICON} />}
          onClick={() => void ask((actions, mode) => actions.regenerate(mode, paneId, turnId))}
          disabledReason={hold}
        />
      )}
      {isFromModel && (
        <IconButton label="Inspect answer" icon={<ScanSearch {...ICON} />} onClick={() => setDialog('inspect')} />
      )}
      <MoreMenu {...message} onRepeat={() => void repeat()} />
      {answerId !== null && dialog !== null && (
        <AnswerDialog kind={dialog} onClose={closeDialog} {...{ paneId, turnId, answerId }} />
      )}
    </div>
  );
});
