import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { EVALUATION_LIMITS } from '#features/evaluation/shared/contract/evaluationLimits.ts';
import type { JudgementItem, JudgementKind } from '#features/evaluation/shared/contract/judgements.ts';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { JudgedText } from './JudgedText.tsx';
import { ACTIONS, isCorrectable, isDone, type Judging, type Said } from './judging.ts';
import { useJudging, type JudgingActions } from './useJudging.ts';
import { useKeys } from './useKeys.ts';

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
  /** What takes the keys. */
  box: RefObject<HTMLElement | null>;
}

/** One item with its controls; each has a key. */
function OneItem({ kind, item, said, judging, canUndo, box }: OneItemProps) {
  const [isExpectedShown, setExpectedShown] = useState(false);
  const { comment, correction } = judging.draftOf(item.id);
  const id = useId();
  /** The field that was opened last, which gets the focus; each opening is another object. */
  const [opened, setOpened] = useState<{ readonly name: string } | null>(null);
  useEffect(() => {
    if (opened) document.getElementById(`${id}-${opened.name}`)?.focus();
  }, [opened, id]);
  const canCorrect = isCorrectable(item);
  const openComment = () => {
    judging.write(item.id, { comment: comment ?? '' });
    setOpened({ name: 'comment' });
  };
  const openCorrection = () => {
    if (!canCorrect) return;
    judging.write(item.id, { correction: correction ?? item.answers[0]?.text ?? '' });
    setOpened({ name: 'correction' });
  };
  useKeys(box, {
    ...Object.fromEntries(
      ACTIONS[kind].flatMap(({ keys, outcome }) => keys.map((key) => [key, () => judging.say(outcome)] as const)),
    ),
    c: openComment,
    ...(kind === 'rating' && { e: openCorrection }),
    x: () => setExpectedShown(!isExpectedShown),
  });
  const isPair = kind === 'pair';
  return (
    <div className="flex flex-col gap-3 p-3">
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
          maxLength={EVALUATION_LIMITS.answerCharacters}
          onChange={(text) => judging.write(item.id, { correction: text })}
          id={`${id}-correction`}
        />
      )}
      {comment !== null && (
        <TextArea
          label="Comment (Escape, then the key of your judgement)"
          value={comment}
          maxLength={EVALUATION_LIMITS.comment}
          onChange={(text) => judging.write(item.id, { comment: text })}
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
            onClick={() => judging.say(outcome)}
          >
            {label} <Key name={key} />
          </Button>
        ))}
      </fieldset>
      <fieldset aria-label="Other actions" className="flex flex-wrap gap-2">
        {kind === 'rating' && (
          <Button
            size="small"
            aria-keyshortcuts="E"
            onClick={openCorrection}
            disabledReason={canCorrect ? null : 'The answer calls tools, so a text can’t correct it.'}
          >
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

function NoItem({ judging, state, canUndo }: { judging: JudgingActions; state: Judging; canUndo: boolean }) {
  const undo = canUndo && <UndoButton judging={judging} canUndo />;
  if (!isDone(state))
    return (
      <EmptyState
        title={state.judged === 0 ? 'There is nothing to judge yet' : 'You have judged everything so far'}
        action={
          <>
            <Button size="small" onClick={judging.look}>
              Look again
            </Button>
            {undo}
          </>
        }
      >
        {state.hasEnded ? 'Others may be there by now.' : 'The run goes on, so there will be more answers.'}
      </EmptyState>
    );
  return (
    <EmptyState title={state.total === 0 ? 'There is nothing to judge' : 'You have judged everything'} action={undo}>
      {state.total === 0
        ? 'Two models need answers to the same rows that differ.'
        : 'Finish to see what people judged, with the names of the models.'}
    </EmptyState>
  );
}

interface JudgePanelProps {
  runId: string;
  kind: JudgementKind;
}

/** Items of one kind, one after another, without the names of models. Keys work wherever the focus is in it. */
export function JudgePanel({ runId, kind }: JudgePanelProps) {
  const judging = useJudging(runId, kind);
  const box = useRef<HTMLFieldSetElement>(null);
  const { state, problem } = judging;
  const item = state?.items[state.at];
  useKeys(box, {
    backspace: judging.undo,
    arrowright: () => judging.move(1),
    arrowleft: () => judging.move(-1),
  });
  const shown = state && (item?.id ?? 'none');
  useEffect(() => {
    if (shown !== null) box.current?.focus({ preventScroll: true });
  }, [shown]);
  const canUndo = state !== null && (state.order.length > 0 || state.last !== null);
  return (
    <fieldset ref={box} tabIndex={-1} aria-label="Item to judge" className="min-w-0 outline-none">
      {problem !== null && <ErrorNotice title="The answers can’t be read" detail={problem} onRetry={judging.look} />}
      {state && (
        <div className="flex flex-col gap-1 px-3 pt-2">
          <output className="block text-sm text-soft tabular-nums">{toProgressText(state)}</output>
          <progress
            aria-label="Judged by you"
            className="h-1 w-full [&::-webkit-progress-bar]:bg-neutral-soft [&::-webkit-progress-value]:bg-accent"
            max={Math.max(1, state.total)}
            value={state.judged}
          />
        </div>
      )}
      {state && item ? (
        <OneItem
          key={item.id}
          kind={kind}
          item={item}
          said={state.said.get(item.id)}
          judging={judging}
          canUndo={canUndo}
          box={box}
        />
      ) : state?.isWhole ? (
        <NoItem judging={judging} state={state} canUndo={canUndo} />
      ) : (
        problem === null && <Skeleton className="p-3" rows={6} />
      )}
    </fieldset>
  );
}
