import { Search } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 300;

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
}

/** A text of rows or answers; it counts when typing pauses. */
export function SearchField({ value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  if (last !== value) {
    setLast(value);
    setTyped(value);
  }
  const commit = useEffectEvent((text: string) => text !== value && onChange(text));
  useEffect(() => {
    const timer = setTimeout(() => commit(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <span className="relative inline-flex">
      <Search
        aria-hidden
        size={13}
        className="pointer-events-none absolute top-1/2 left-2 -translate-y-1/2 text-faint"
      />
      <input
        type="search"
        aria-label="Search rows and answers"
        placeholder="Search"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="h-7 w-40 rounded-md border border-line-strong bg-surface pr-2 pl-7 hover:border-faint"
      />
    </span>
  );
}
