import { useId } from 'react';
import { formatCount } from '#ui/kit/format.ts';
import { TONE_CLASSES, toStatusLook } from '#ui/kit/statusLook.ts';
import type { StatusCount } from '#features/projects/web/treeIndex/treeFilter.ts';

interface StatusChipsProps {
  counts: readonly StatusCount[];
  /** Chosen statuses. */
  value: readonly string[];
  onToggle: (statuses: readonly string[]) => void;
}

/** One toggle per state of the runs. With some on, the filter finds only nodes with one of these statuses. */
export function StatusChips({ counts, value, onToggle }: StatusChipsProps) {
  const id = useId();
  if (counts.length === 0) return null;
  return (
    <fieldset
      aria-label="Filter by status"
      className="flex max-h-[9.25rem] shrink-0 flex-wrap gap-1 overflow-y-auto px-3 pb-2"
    >
      {counts.map(({ word, statuses, count }, index) => {
        const { tone, Icon } = toStatusLook(statuses[0] ?? word);
        const isChosen = statuses.some((status) => value.includes(status));
        // A chosen status can always be switched off.
        const reason = count === 0 && !isChosen ? `No run that matches the text is ${word}` : undefined;
        return (
          <button
            key={word}
            type="button"
            aria-pressed={isChosen}
            aria-disabled={reason !== undefined || undefined}
            aria-describedby={reason === undefined ? undefined : `${id}${index}`}
            data-tip={reason}
            onClick={() => reason === undefined && onToggle(statuses)}
            className={
              'inline-flex h-[22px] max-w-44 items-center gap-1 rounded-full border px-1.5 text-xs font-medium ' +
              'aria-disabled:cursor-not-allowed aria-disabled:border-dashed ' +
              `${isChosen ? `${TONE_CLASSES[tone]} border-current` : 'border-line text-soft not-aria-disabled:hover:border-faint not-aria-disabled:hover:text-ink'}`
            }
          >
            <Icon
              aria-hidden
              size={11}
              strokeWidth={2.4}
              className={`shrink-0 ${TONE_CLASSES[tone].split(' ')[0] ?? ''}`}
            />
            <span className="truncate">{word}</span> <span className="font-normal">{formatCount(count)}</span>
            {reason !== undefined && (
              <span id={`${id}${index}`} hidden>
                {reason}
              </span>
            )}
          </button>
        );
      })}
    </fieldset>
  );
}
