import { FilterX } from 'lucide-react';
import { Button } from '#web/ui/Button.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';

interface NothingFoundProps {
  text: string;
  statuses: readonly string[];
  /** All statuses that occur in the tree. */
  known: readonly string[];
  onClear: () => void;
  /** Filters by a status in place of the text. */
  onStatus: (status: string) => void;
}

/** What stands in the tree's place when the filter finds nothing: what was filtered, and the way out. */
export function NothingFound({ text, statuses, known, onClear, onStatus }: NothingFoundProps) {
  const words = text.trim();
  const wanted = statuses.length > 0 ? `No node that is ${statuses.join(' or ')}` : 'No node';
  // A text does not search statuses: they have chips of their own.
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
      {words === ''
        ? `${wanted} is in this project now.`
        : `${wanted} has every word of “${words}” in its label, id, model id or base model, or above it.`}
    </EmptyState>
  );
}
