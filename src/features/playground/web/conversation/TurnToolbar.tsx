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

/**
 * The actions on one message. Visible on hover and focus, always there for the keyboard. It takes no `turn`: a growing
 * answer is a new object in every frame.
 */
export const TurnToolbar = memo(function TurnToolbar({
  turnId,
  role,
  answerId,
  isFromModel,
  isJoined,
  isLocked,
  paneId,
  isFirst,
  isLast,
  onEdit,
  onInsert,
}: TurnToolbarProps) {
  const ask = useRunAction();
  const [dialog, setDialog] = useState<'inspect' | 'repeat' | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isCrowded = useDesk(({ desk }) => isFull(desk));
  const hold = usePane(paneId, findPaneBlocker) ?? null;
  const what = role === 'assistant' ? 'answer' : 'message';
  const inspected = usePane(paneId, (pane) => (dialog === 'inspect' ? findAnswer(pane, turnId) : null)) ?? null;
  const repeatObstacle = usePane(paneId, (pane) => (isBusy(panePhase(pane)) ? BUSY_REASON : null)) ?? null;
  const repeat = async () => {
    if (
      answerId !== null &&
      (await ask((actions, mode) => actions.repeatAnswer(mode, paneId, turnId, answerId, 'recorded'))) === 'no-seed'
    )
      setDialog('repeat');
  };
  const choice = useDiffChoice();
  const isDiffed = useDesk(({ desk }) => role === 'assistant' && findDiffTarget(desk, choice, paneId, turnId) !== null);
  const toggleDiff = () => {
    if (isDiffed) return chooseDiff(turnId, 'off');
    const [likeliest] = toDiffTargets(readDesk(), paneId, turnId);
    if (likeliest) return chooseDiff(turnId, { against: likeliest.answer.id });
    return showToast('There is no other answer to compare this one with yet.');
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
        label={`Edit ${what}`}
        icon={<Pencil {...ICON} />}
        onClick={onEdit}
        disabledReason={isLocked ? BUSY_REASON : null}
      />
      <CopyButton label={`Copy ${what}`} text={() => readText(paneId, turnId)} />
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
      <Menu
        label={`More for this ${what}`}
        icon={<Ellipsis aria-hidden size={14} />}
        items={[
          ...(isFromModel
            ? [
                {
                  label: 'Repeat request',
                  icon: <Repeat {...ICON} />,
                  onSelect: () => void repeat(),
                  disabledReason: repeatObstacle,
                },
                {
                  label: isDiffed ? 'Hide differences' : 'Show differences',
                  icon: <Diff {...ICON} />,
                  onSelect: toggleDiff,
                  disabledReason: isLocked ? BUSY_REASON : null,
                },
              ]
            : []),
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
          {
            label: 'Fork from here',
            icon: <GitFork {...ICON} />,
            onSelect: () => fork(paneId, turnId),
            disabledReason: isCrowded
              ? `There can be ${MAX_MODELS} panes at most. Fork into a new session instead.`
              : null,
          },
          {
            label: 'Fork into a new session',
            icon: <MessageSquarePlus {...ICON} />,
            onSelect: () => void forkIntoSession(paneId, turnId),
          },
          ...(role === 'assistant'
            ? [
                {
                  label: 'Use as expected answer',
                  icon: <ListPlus {...ICON} />,
                  onSelect: () => void addExample(paneId, turnId),
                },
              ]
            : []),
          ...(isJoined
            ? [
                {
                  label: 'Send as a message of its own',
                  icon: <Split {...ICON} />,
                  onSelect: () => joinTurns(paneId, turnId, false),
                },
              ]
            : []),
          { label: 'Delete', icon: <Trash2 {...ICON} />, onSelect: () => removeTurn(paneId, turnId) },
        ]}
      />
      {answerId !== null && dialog !== null && (
        // Resets the text style of the heading around it.
        <div className="contents text-base font-normal text-ink">
          <Suspense fallback={null}>
            {dialog === 'repeat' && (
              <RepeatDialog paneId={paneId} turnId={turnId} answerId={answerId} onClose={closeDialog} />
            )}
            {inspected && <Inspector answer={inspected} onClose={closeDialog} />}
          </Suspense>
        </div>
      )}
    </div>
  );
});
