import { useState } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import { Button } from '#ui/kit/Button.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { tagRows, type RowChanges } from './rowMarks.ts';

interface TagButtonProps {
  target: RowChanges;
  positions: readonly number[];
}

/** Gives the chosen rows a tag. */
export function TagButton({ target, positions }: TagButtonProps) {
  const [tag, setTag] = useState('');
  return (
    <form
      className="flex items-center gap-1.5"
      onSubmit={(event) => {
        event.preventDefault();
        if (tag.trim() === '') return;
        void tagRows(target, positions, tag.trim(), true);
        setTag('');
      }}
    >
      <TextField
        label="Tag for the chosen rows"
        isLabelHidden
        placeholder="tag"
        value={tag}
        onChange={setTag}
        maxLength={DATA_LIMITS.tag}
        className="w-24"
      />
      <Button type="submit" disabledReason={tag.trim() === '' ? 'Type a tag first.' : null}>
        Tag
      </Button>
    </form>
  );
}
