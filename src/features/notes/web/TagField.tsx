import { X } from 'lucide-react';
import { useId, useRef, type KeyboardEvent } from 'react';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { addTags } from './noteWords.ts';

interface TagFieldProps {
  tags: readonly string[];
  onChange: (tags: readonly string[]) => void;
  /** What is typed and no tag yet. */
  typed: string;
  onType: (text: string) => void;
  suggestions: readonly string[];
  /** For keys that are not the field's own. */
  onKey: (event: KeyboardEvent) => void;
}

/** Tags as chips, and a field for more: Enter or a comma adds what is typed, Backspace in an empty field takes the last. */
export function TagField({ tags, onChange, typed, onType, suggestions, onKey }: TagFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isFull = tags.length >= NOTE_LIMITS.tags;
  const add = (text: string) => {
    onChange(addTags(tags, text));
    onType('');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      if (typed.trim() !== '') add(typed);
    } else if (event.key === 'Backspace' && typed === '' && tags.length > 0) {
      event.preventDefault();
      onChange(tags.slice(0, -1));
    } else onKey(event);
  };
  const remove = (tag: string) => {
    onChange(tags.filter((other) => other !== tag));
    // The button that had the focus is gone.
    input.current?.focus();
  };
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-soft">
        Tags
      </label>
      <div className="flex min-h-7 flex-wrap items-center gap-1 rounded-md border border-line-strong bg-surface px-1 hover:border-faint">
        {tags.map((tag) => (
          <span key={tag} className="flex min-w-0 items-center rounded bg-neutral-soft pl-1.5 text-sm">
            <span className="min-w-0 truncate" title={tag}>
              {tag}
            </span>
            <button
              type="button"
              aria-label={`Remove tag ${tag}`}
              onClick={() => remove(tag)}
              className="flex size-6 shrink-0 items-center justify-center rounded text-faint hover:text-ink"
            >
              <X aria-hidden size={11} />
            </button>
          </span>
        ))}
        <input
          ref={input}
          id={id}
          type="text"
          list={`${id}-known`}
          autoComplete="off"
          maxLength={NOTE_LIMITS.tag}
          value={typed}
          readOnly={isFull}
          placeholder={isFull ? `At most ${NOTE_LIMITS.tags} tags` : tags.length === 0 ? 'Add a tag' : ''}
          onChange={({ target: { value } }) => (value.includes(',') ? add(value) : onType(value))}
          onKeyDown={onKeyDown}
          onBlur={() => typed.trim() !== '' && add(typed)}
          className="h-6 min-w-24 flex-1 rounded bg-transparent px-1"
        />
        <datalist id={`${id}-known`}>
          {suggestions.map((tag) => (
            <option key={tag}>{tag}</option>
          ))}
        </datalist>
      </div>
    </div>
  );
}
