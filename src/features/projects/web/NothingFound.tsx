import { FilterX } from 'lucide-react';
import { Button } from '#ui/kit/Button.tsx';
import { EmptyState } from '#ui/kit/EmptyState.tsx';

interface NothingFoundProps {
  text: string;
  statuses: readonly string[];
  /** All statuses that occur in the tree. */
  known: readonly string[];
  onClear: () => void;
  /** Replaces the text filter with a status filter. */
  onStatus: (status: string) => void;
}

/** Shown instead of the tree if the filter finds nothing: names the filter and offers to clear it. */
export function NothingFound({ text, statuses, known, onClear, onStatus }: NothingFoundProps) {
  const words = text.trim();
  const subject = statuses.length > 0 ? `No node that is ${statuses.join(' or ')}` : 'No node';
  // The text filter does not search statuses, because the chips filter them.
  const meant = known.find((status) => status.toLowerCase() === words.toLowerCase() && !statuses.includes(status));
  const action = (
    <span className="flex flex-wrap justify-center gap-2">
      {meant !== undefined && (
        <Button variant="primary" onClick={() => onStatus(meant)}>
          Show what is {meant}
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
