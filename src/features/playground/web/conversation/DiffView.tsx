import { Diff, X, ArrowDown, ArrowUp } from 'lucide-react';
import { useMemo, useRef, type ReactNode, useState, type RefObject } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { countChanges, findFirstDifference } from '#core/differences/wordDiff.ts';
import { findJsonChanges } from '#core/json/jsonChanges.ts';
import { toChangesText } from '#ui/differences/changesText.ts';
import { JsonChanges } from '#ui/differences/JsonChanges.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { COARSE_DIFF, NO_DIFF, useTextDiff } from '#ui/differences/useTextDiff.ts';
import { DiffText } from '#ui/kit/DiffText.tsx';
import { formatCount, formatCounted } from '#ui/kit/format.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';
import { Select } from '#ui/fields/Select.tsx';
import type { Answer } from '#features/playground/web/desk/desk.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { chooseDiff, toDiffTargets } from './diffTargets.ts';

interface DiffStepsProps {
  /** The element around the marked text. */
  box: RefObject<HTMLElement | null>;
}

const CURRENT = 'data-current';

/** The first mark of each difference: what was removed and what stands there instead are one. */
const findDifferences = (box: HTMLElement | null): readonly HTMLElement[] =>
  [...(box?.querySelectorAll<HTMLElement>('del, ins') ?? [])].filter(
    ({ previousElementSibling: before }) => before === null || !before.matches('del, ins'),
  );

/** Buttons that go from one difference to the next. */
function DiffSteps({ box }: DiffStepsProps) {
  const [place, setPlace] = useState('');
  const step = (by: 1 | -1) => {
    const all = findDifferences(box.current);
    const now = all.findIndex((mark) => mark.hasAttribute(CURRENT));
    const next = now < 0 ? (by > 0 ? 0 : all.length - 1) : (now + by + all.length) % all.length;
    all[now]?.removeAttribute(CURRENT);
    all[next]?.setAttribute(CURRENT, '');
    all[next]?.scrollIntoView({ block: 'center' });
    setPlace(all.length === 0 ? 'none' : `${next + 1} of ${all.length}`);
  };
  return (
    <>
      <output className="shrink-0 text-xs text-faint tabular-nums">{place}</output>
      <IconButton
        label="Previous difference"
        icon={<ArrowUp aria-hidden size={13} />}
        className="size-6!"
        onClick={() => step(-1)}
      />
      <IconButton
        label="Next difference"
        icon={<ArrowDown aria-hidden size={13} />}
        className="size-6!"
        onClick={() => step(1)}
      />
    </>
  );
}

interface DiffViewProps {
  paneId: string;
  turnId: string;
  /** The answer's text. */
  text: string;
  against: Answer;
  /** Shown until the differences are computed, and if the texts differ too much. */
  children: ReactNode;
}

const SEPARATOR = '\n';

/** An answer with its differences from another one: of two JSON answers by field, or in the text. */
export function DiffView({ paneId, turnId, text, against, children }: DiffViewProps) {
  const before = against.message.text;
  const box = useRef<HTMLFieldSetElement>(null);
  // As strings, so that an answer that streams elsewhere doesn't render this view again.
  const targets = useDesk(
    useShallow(({ desk }) =>
      toDiffTargets(desk, paneId, turnId).map(({ answer, label }) => `${answer.id}${SEPARATOR}${label}`),
    ),
  );
  const found = useTextDiff(before, text);
  const changes = useMemo(() => (before === text ? null : findJsonChanges(before, text)), [before, text]);
  const [isText, setText] = useState(false);
  const fields = isText ? null : changes;
  const options = targets.map((target) => {
    const [value = '', label = ''] = target.split(SEPARATOR);
    return { value, label };
  });
  const isListed = options.some(({ value }) => value === against.id);
  const diff = found && 'diff' in found ? found.diff : null;
  const problem = found && ('problem' in found ? found.problem : found.diff === null ? NO_DIFF : null);
  const counts = diff?.isExact ? countChanges(diff.parts) : null;
  return (
    <fieldset ref={box} aria-label="Differences" className="min-w-0">
      <div
        className={
          'mb-1.5 flex h-8 items-center gap-1.5 rounded-lg border border-line bg-raised pr-0.5 pl-2 text-sm text-soft'
        }
      >
        <Diff aria-hidden size={13} className="shrink-0 text-faint" />
        <Select
          label="Differences from"
          isLabelHidden
          value={against.id}
          options={isListed ? options : [{ value: against.id, label: 'this version itself' }, ...options]}
          onChange={(id) => chooseDiff(turnId, { against: id })}
        />
        <span className="ml-auto shrink-0 whitespace-nowrap tabular-nums">
          {before === text ? (
            'no difference'
          ) : fields ? (
            toChangesText(fields)
          ) : counts ? (
            <>
              <span className="sr-only">
                {`${formatCounted(counts.added, 'word')} added, ${formatCounted(counts.removed, 'word')} removed`}
              </span>
              <span aria-hidden>
                <b className="font-semibold text-success">+{formatCount(counts.added)}</b>{' '}
                <b className="font-semibold text-error">−{formatCount(counts.removed)}</b> words
              </span>
            </>
          ) : found === undefined ? (
            'comparing…'
          ) : (
            `differs from word ${formatCount(findFirstDifference(before, text) ?? 1)} on`
          )}
        </span>
        {changes && (
          <Button size="small" onClick={() => setText(!isText)}>
            {isText ? 'by field' : 'as text'}
          </Button>
        )}
        {diff && !fields && before !== text && <DiffSteps box={box} />}
        <IconButton
          label="Hide differences"
          icon={<X aria-hidden size={13} />}
          className="size-6!"
          onClick={() => chooseDiff(turnId, 'off')}
        />
      </div>
      {fields && (
        <div className="mb-2">
          <JsonChanges changes={fields} />
        </div>
      )}
      {!fields && problem && <p className="pb-1 text-sm text-warning">{problem}</p>}
      {!fields && diff && !diff.isExact && <p className="pb-1 text-sm text-soft">{COARSE_DIFF}</p>}
      {diff && !fields ? <DiffText parts={diff.parts} /> : children}
    </fieldset>
  );
}
