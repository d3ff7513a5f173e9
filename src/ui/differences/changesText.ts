import type { JsonChange } from '#core/json/jsonChanges.ts';
import { formatCounted } from '#ui/kit/format.ts';

/** "2 fields differ"; or that there is no difference. */
export const toChangesText = (changes: readonly JsonChange[]): string =>
  changes.length === 0
    ? 'Equal values, written differently'
    : `${formatCounted(changes.length, 'field')} ${changes.length === 1 ? 'differs' : 'differ'}`;
