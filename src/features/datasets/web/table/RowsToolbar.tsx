import { X } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { DATA_LIMITS } from '#core/contract/dataLimits.ts';
import type { RowFilter } from '#features/datasets/web/api/rowQueries.ts';
import { Button } from '#ui/kit/Button.tsx';
import { Select } from '#ui/fields/Select.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { isFiltered, NO_FILTER, toFindingLabel } from './rowFilter.ts';

interface RowsToolbarProps {
  value: RowFilter;
  onChange: (filter: RowFilter) => void;
  /** Tags that rows have. */
  tags: readonly string[];
  hasSides: boolean;
  /** Rows may be marked. */
  hasMarks: boolean;
  /** "17 rows". */
  countText: string;
  children?: ReactNode;
}

const ANY = { value: '', label: 'any' };
const SIDES = [
  { value: '', label: 'both splits' },
  { value: 'training', label: 'training' },
  { value: 'validation', label: 'validation' },
];
const MARKS = [
  { value: '', label: 'all rows' },
  { value: 'set_aside', label: 'set aside' },
  { value: 'edited', label: 'edited' },
];
/** A pause in typing. */
const TYPED_MS = 250;

/** Search, filters, and what is found. */
export function RowsToolbar({ value, onChange, tags, hasSides, hasMarks, countText, children }: RowsToolbarProps) {
  const [typed, setTyped] = useState(value.search ?? '');
  // A filter that is cleared elsewhere clears the field.
  const [known, setKnown] = useState(value.search);
  if (known !== value.search) {
    setKnown(value.search);
    if ((value.search ?? '') !== typed.trim()) setTyped(value.search ?? '');
  }
  useEffect(() => {
    const next = typed.trim();
    if (next === (value.search ?? '')) return undefined;
    const timer = setTimeout(() => onChange({ ...value, search: next }), TYPED_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onChange]);
  const set = (name: keyof RowFilter) => (text: string) => onChange({ ...value, [name]: text });
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
      <TextField
        label="Search rows"
        isLabelHidden
        type="search"
        placeholder="Search rows"
        value={typed}
        onChange={setTyped}
        maxLength={DATA_LIMITS.search}
        spellCheck={false}
        className="w-48 grow"
      />
      {hasSides && (
        <Select label="Split" isLabelHidden value={value.side ?? ''} options={SIDES} onChange={set('side')} />
      )}
      {hasMarks && (
        <Select label="Marks" isLabelHidden value={value.mark ?? ''} options={MARKS} onChange={set('mark')} />
      )}
      {tags.length > 0 && (
        <Select
          label="Tag"
          value={value.tag ?? ''}
          options={[ANY, ...tags.map((tag) => ({ value: tag, label: tag }))]}
          onChange={set('tag')}
        />
      )}
      {(value.finding ?? '') !== '' && (
        <Button
          size="small"
          aria-label={`only: ${toFindingLabel(value.finding ?? '')}. Show all rows again`}
          onClick={() => onChange({ ...value, finding: '' })}
        >
          only: {toFindingLabel(value.finding ?? '')}
          <X aria-hidden size={12} />
        </Button>
      )}
      <output className="min-w-0 text-soft">{countText}</output>
      {isFiltered(value) && (
        <Button size="small" onClick={() => onChange(NO_FILTER)}>
          <X aria-hidden size={12} />
          Show all
        </Button>
      )}
      <span className="ml-auto flex flex-wrap gap-2">{children}</span>
    </div>
  );
}
