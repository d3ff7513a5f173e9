import { FilterX } from 'lucide-react';
import { Button } from '../ui/Button';
import { EmptyState } from '../ui/EmptyState';

interface NothingFoundProps {
  text: string;
  statuses: readonly string[];
  onClear: () => void;
}

/** What stands in the tree's place when the filter finds nothing: what was filtered, and the way out. */
export function NothingFound({ text, statuses, onClear }: NothingFoundProps) {
  const words = text.trim();
  const wanted = statuses.length > 0 ? `No node that is ${statuses.join(' or ')}` : 'No node';
  return (
    <EmptyState icon={<FilterX aria-hidden size={20} />} title="Nothing found" action={<Button onClick={onClear}>Clear filter</Button>}>
      {words === '' ? `${wanted} is in this project now.` : `${wanted} has every word of “${words}” in its label, id, model id or base model, or above it.`}
    </EmptyState>
  );
}
