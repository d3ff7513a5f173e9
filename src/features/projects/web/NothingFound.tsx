import { FilterX } from 'lucide-react';
import { toStateWord } from '#core/contract/statuses.ts';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

interface NothingFoundProps {
  text: string;
  statuses: readonly string[];
  /** All statuses that occur in the tree. */
  known: readonly string[];
  onClear: () => void;
  /** Replaces the text filter with a status filter. */
  onStatuses: (statuses: readonly string[]) => void;
}

/** "done or failed" */
const toWords = (statuses: readonly string[]): string =>
  [...new Set(statuses.map((status) => toStateWord(status)))].join(' or ');

/** Shown instead of the tree if the filter finds nothing: names the filter and offers to clear it. */
export function NothingFound({ text, statuses, known, onClear, onStatuses }: NothingFoundProps) {
  const words = text.trim();
  const subject = statuses.length > 0 ? `No node that is ${toWords(statuses)}` : 'No node';
  // The text filter does not search statuses, because the chips filter them.
  const meant = known.filter(
    (status) => [status.toLowerCase(), toStateWord(status)].includes(words.toLowerCase()) && !statuses.includes(status),
  );
  const action = (
    <span className="flex flex-wrap justify-center gap-2">
      {meant.length > 0 && (
        <Button variant="primary" onClick={() => onStatuses(meant)}>
          Show what is {toWords(meant)}
        </Button>
      )}
      <Button onClick={onClear}>Clear filter</Button>
    </span>
  );
  return (
    <EmptyState icon={<FilterX aria-hidden size={20} />} title="Nothing found" action={action}>
      {' '}
      {words === ''
        ? `${subject} is in this project now.`
        : `${subject} matches every word of “${words}”. The search covers label, id, model id, base model, notes and errors, ` +
          'of a node and of those above it.'}
    </EmptyState>
  );
}
