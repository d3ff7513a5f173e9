import { useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { findLengthProblem } from './nameLength.ts';
import { TextField } from './TextField.tsx';
import { useFirstFocus } from './useFirstFocus.ts';

interface RenameFormProps {
  label: string;
  start: string;
  maxLength: number;
  placeholder?: string;
  /** Why a name can't be used; null: it can. */
  findProblem?: (name: string) => string | null;
  onRename: (name: string) => void;
  onCancel: () => void;
}

/** Replaces a name in place. Enter renames, Escape cancels. */
export function RenameForm({ label, start, maxLength, placeholder, findProblem, onRename, onCancel }: RenameFormProps) {
  const [name, setName] = useState(start);
  const id = useFirstFocus();
  const problem = findLengthProblem(name, maxLength) ?? findProblem?.(name) ?? null;
  return (
    <li className="rounded-md bg-raised px-2 py-2">
      <form
        className="flex items-end gap-2"
        onSubmit={(event) => (event.preventDefault(), problem === null && onRename(name.trim()))}
      >
        <TextField
          id={id}
          label={label}
          value={name}
          onChange={setName}
          title={`At most ${maxLength} characters`}
          placeholder={placeholder}
          problem={problem}
          className="flex-1"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // Keeps the dialog open.
            event.preventDefault();
            event.stopPropagation();
            onCancel();
          }}
        />
        <Button type="submit" variant="primary">
          Rename
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </form>
    </li>
  );
}
