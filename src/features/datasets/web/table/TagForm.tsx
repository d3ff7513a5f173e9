import { useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { tagRows, type RowChanges } from './rowEditActions.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { TextField } from '#ui/fields/TextField.tsx';
import { Button } from '#ui/kit/Button.tsx';

interface TagFormProps {
  label: string;
  target: RowChanges;
  positions: readonly number[];
}

/** Gives rows a tag. */
export function TagForm({ label, target, positions }: TagFormProps) {
  const [tag, setTag] = useState('');
  const readOnlyReason = useReadOnlyReason();
  const reason = readOnlyReason ?? (tag.trim() === '' ? 'Type a tag first.' : null);
  return (
    <form
      className="flex items-end gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason !== null) return;
        void tagRows(target, positions, tag.trim(), true);
        setTag('');
      }}
    >
      <TextField
        label={label}
        isLabelHidden
        placeholder="tag"
        value={tag}
        onChange={setTag}
        maxLength={DATA_LIMITS.tag}
        className="w-28"
      />
      <Button type="submit" disabledReason={reason}>
        Tag
      </Button>
    </form>
  );
}
