import { useEffect, useId, useRef, useState } from 'react';
import type { JudgementItem, JudgementKind } from '#features/evaluation/shared/contract/judgements.ts';
import { toAnswerText } from '#features/evaluation/web/records/rowTexts.ts';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { JudgedText } from './JudgedText.tsx';
import { ACTIONS, type Judging, type Said } from './judging.ts';
import { useJudging, type JudgingActions } from './useJudging.ts';

const isInField = ({ target }: KeyboardEvent): boolean =>
  target instanceof HTMLElement && target.matches('input, textarea, select');

const toPlaced = (messages: JudgementItem['messages']) =>
  messages.map(({ role, content }, at) => ({ key: String(at), role, content }));

function Question({ item, isExpectedShown }: { item: JudgementItem; isExpectedShown: boolean }) {
  return (
    <>
      <section aria-label="Question" className="flex flex-col gap-1">
        {toPlaced(item.messages).map(({ key, role, content }) => (
          <div key={key} className="max-h-60 overflow-y-auto">
            <span className="text-sm font-semibold text-soft">{role}</span>
            <p className="break-words whitespace-pre-wrap">{content ?? ''}</p>
          </div>
        ))}
      </section>
      {isExpectedShown && (
        <section aria-label="Expected answer">
          <h3 className="text-sm font-semibold text-soft">Expected answer</h3>
          <p className="break-words whitespace-pre-wrap">{item.expected ?? 'none'}</p>
        </section>
      )}
    </>
  );
}

interface OneItemProps {
  kind: JudgementKind;
  item: JudgementItem;
  said: Said | undefined;
  judging: JudgingActions;
  /** Whether there is something to take back. */
  canUndo: boolean;
}

/** One item with its controls; each has a key, which works wherever the focus is in it. */
function OneItem({ kind, item, said, judging, canUndo }: OneItemProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isExpectedShown, setExpectedShown] = useState(false);
  const [comment, setComment] = useState(said?.comment ?? null);
  const [correction, setCorrection] = useState(said?.correction ?? null);
  const say = (outcome: Said['outcome']) => judging.say({ outcome, comment, correction });
  const id = useId();
  /** The field that was opened last, which gets the focus; each opening is another object. */
  const [opened, setOpened] = useState<{ readonly name: string } | null>(null);
  useEffect(() => {
    if (opened) document.getElementById(`${id}-${opened.name}`)?.focus();
  }, [opened, id]);
  const openComment = () => {
    setComment(comment ?? '');
    setOpened({ name: 'comment' });
  };
  const openCorrection = () => {
    setCorrection(correction ?? (item.answers[0] ? toAnswerText(item.answers[0]) : ''));
    setOpened({ name: 'correction' });
  };
  const keys: Readonly<Record<string, () => void>> = {
    ...Object.fromEntries(
      ACTIONS[kind].flatMap((action) => action.keys.map((key) => [key, () => say(action.outcome)] as const)),
    ),
    c: openComment,
    ...(kind === 'rating' && { e: openCorrection }),
    x: () => setExpectedShown(!isExpectedShown),
    backspace: judging.undo,
    arrowright: () => judging.move(1),
    arrowleft: () => judging.move(-1),
  };
  useEffect(() => {
    const element = box.current;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (isInField(event)) {
        if (event.key !== 'Escape') return;
        element?.focus();
      } else {
        const act = keys[event.key.toLowerCase()];
        if (!act) return;
        act();
      }
      event.preventDefault();
    };
    element?.addEventListener('keydown', onKey);
    return () => element?.removeEventListener('keydown', onKey);
  });
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const isPair = kind === 'pair';
  return (
    <div ref={box} tabIndex={-1} className="flex flex-col gap-3 p-3 outline-none">
      <Question item={item} isExpectedShown={isExpectedShown} />
      <div className={`grid gap-3 ${isPair ? 'sm:grid-cols-2' : ''}`}>
        <JudgedText
          label={isPair ? 'Left answer' : 'Answer'}
          answer={item.answers[0]}
          isChosen={said?.outcome === 'left'}
        />
        {isPair && <JudgedText label="Right answer" answer={item.answers[1]} isChosen={said?.outcome === 'right'} />}
      </div>
      {correction !== null && (
        <TextArea
          label="How the answer should be (Escape, then P or F)"
          value={correction}
          onChange={setCorrection}
          id={`${id}-correction`}
        />
      )}
      {comment !== null && (
        <TextArea
          label="Comment (Escape, then the key of your judgement)"
          value={comment}
          onChange={setComment}
          id={`${id}-comment`}
        />
      )}
      <fieldset aria-label="Judgement" className="flex flex-wrap gap-2">
        {ACTIONS[kind].map(({ keys: [key = ''], label, outcome }) => (
          <Button
            key={outcome}
            variant="primary"
            aria-keyshortcuts={key.toUpperCase()}
            aria-pressed={said?.outcome === outcome}
            onClick={() => say(outcome)}
          >
            {label} <Key name={key} />
          </Button>
        ))}
      </fieldset>
      <fieldset aria-label="Other actions" className="flex flex-wrap gap-2">
        {kind === 'rating' && (
          <Button size="small" aria-keyshortcuts="E" onClick={openCorrection}>
            Correct <Key name="e" />
          </Button>
        )}
        <Button size="small" aria-keyshortcuts="C" onClick={openComment}>
          Comment <Key name="c" />
        </Button>
        <Button
          size="small"
          aria-keyshortcuts="X"
          aria-expanded={isExpectedShown}
          onClick={() => setExpectedShown(!isExpectedShown)}
        >
          Expected answer <Key name="x" />
        </Button>
        <UndoButton judging={judging} canUndo={canUndo} />
        <Button size="small" aria-keyshortcuts="ArrowLeft" onClick={() => judging.move(-1)}>
          Back <Key name="←" />
        </Button>
        <Button size="small" aria-keyshortcuts="ArrowRight" onClick={() => judging.move(1)}>
          Skip <Key name="→" />
        </Button>
      </fieldset>
    </div>
  );
}

const Key = ({ name }: { name: string }) => (
  <kbd aria-hidden className="ml-1 text-xs opacity-80">
    {name.toUpperCase()}
  </kbd>
);

function UndoButton({ judging, canUndo }: Pick<OneItemProps, 'judging' | 'canUndo'>) {
  return (
    <Button
      size="small"
      aria-keyshortcuts="Backspace"
      onClick={judging.undo}
      disabledReason={canUndo ? null : 'You have judged nothing yet.'}
    >
      Undo <Key name="⌫" />
    </Button>
  );
}

/** "12 of 60 by you; 3 people". */
const toProgressText = ({ judged, total, people }: Judging): string =>
  `${formatCount(judged)} of ${formatCount(total)} by you; ${people === 1 ? '1 person' : `${formatCount(people)} people`}`;

interface JudgePanelProps {
  runId: string;
  kind: JudgementKind;
}

/** Items of one kind, one after another, without the names of models. */
export function JudgePanel({ runId, kind }: JudgePanelProps) {
  const judging = useJudging(runId, kind);
  const { state, problem, reload } = judging;
  if (problem !== null) return <ErrorNotice title="The answers can’t be read" detail={problem} onRetry={reload} />;
  if (!state) return <Skeleton className="p-3" rows={6} />;
  const item = state.items[state.at];
  const canUndo = state.order.length > 0 || state.last !== null;
  return (
    <>
      <div className="flex flex-col gap-1 px-3 pt-2">
        <output className="block text-sm text-soft tabular-nums">{toProgressText(state)}</output>
        <progress
          aria-label="Judged by you"
          className="h-1 w-full [&::-webkit-progress-bar]:bg-neutral-soft [&::-webkit-progress-value]:bg-accent"
          max={Math.max(1, state.total)}
          value={state.judged}
        />
      </div>
      {item ? (
        <OneItem
          key={item.id}
          kind={kind}
          item={item}
          said={state.said.get(item.id)}
          judging={judging}
          canUndo={canUndo}
        />
      ) : state.isWhole ? (
        <EmptyState
          title={state.total === 0 ? 'There is nothing to judge' : 'You have judged all'}
          action={canUndo && <UndoButton judging={judging} canUndo />}
        >
          {state.total === 0
            ? 'Two models need answers to the same rows that differ.'
            : 'Finish to see what people judged, with the names of the models.'}
        </EmptyState>
      ) : (
        <Skeleton className="p-3" rows={6} />
      )}
    </>
  );
}
