import { ChevronDown } from 'lucide-react';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { ComboList } from './ComboList.tsx';
import { stepRow, toOffer, toOptionValue, toRowId, type ComboOption } from './options.ts';

interface ComboBoxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly ComboOption[];
  placeholder?: string;
  isLabelHidden?: boolean;
}

/**
 * A search over options that also takes free text. Enter and blur commit the value. Keys and roles follow the ARIA
 * combobox pattern (editable, list autocomplete). Base UI's combobox weighs 40 KB, so this is our own.
 */
export function ComboBox({ label, value, onChange, options, placeholder, isLabelHidden = false }: ComboBoxProps) {
  const id = useId();
  const listId = `${id}-list`;
  const field = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [isFocused, setFocused] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const [marked, setMarked] = useState<string | null>(null);
  const offer = useMemo(() => (isWanted ? toOffer(options, draft) : null), [isWanted, options, draft]);
  const shown = offer === null || offer.isSettled ? null : offer;
  const markedAt = shown?.rows.findIndex((row) => row.value === marked) ?? -1;

  const short = useMemo(() => options.find((option) => option.value === value)?.short ?? value, [options, value]);
  const isNamed = !isFocused && draft === null && short !== value;

  const leave = () => {
    setDraft(null);
    setWanted(false);
    setMarked(null);
  };
  const choose = (next: string) => {
    leave();
    if (next !== value) onChange(next);
  };
  const commit = () => (draft === null ? leave() : choose(toOptionValue(options, draft)));
  const move = (direction: 1 | -1) => {
    setWanted(true);
    const hasChosen = shown === null && options.some((option) => option.value === value);
    // A list opens at the chosen option.
    if (draft === null && hasChosen) setMarked(value);
    else setMarked(stepRow((shown ?? toOffer(options, draft)).rows, marked, direction));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const row = shown?.rows[markedAt];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (event.altKey) setWanted(event.key === 'ArrowDown');
      else move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      if (row) choose(row.value);
      else commit();
    } else if (event.key === 'Escape' && (draft !== null || shown)) {
      // Escape clears the typed text, and does nothing else on the page.
      event.stopPropagation();
      leave();
    }
  };
  const toggle = () => {
    input.current?.focus();
    // Pressing the arrow ends the typing, as blur does: the list shows all options.
    commit();
    setWanted(shown === null);
  };
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'shrink-0 text-soft'}>
        {label}
      </label>
      <div ref={field} className="relative flex min-w-0 flex-1 items-center">
        <input
          ref={input}
          id={id}
          type="text"
          role="combobox"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={shown !== null}
          aria-controls={shown ? listId : undefined}
          aria-activedescendant={markedAt < 0 ? undefined : toRowId(listId, markedAt)}
          title={value === '' ? undefined : value}
          placeholder={placeholder}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={draft ?? (isNamed ? short : value)}
          onChange={(event) => {
            setDraft(event.target.value);
            setMarked(null);
            setWanted(true);
          }}
          onClick={() => setWanted(true)}
          onKeyDown={onKeyDown}
          onFocus={() => setFocused(true)}
          onBlur={() => (setFocused(false), commit())}
          className={
            'h-7 w-full min-w-0 truncate rounded-md border border-line-strong bg-surface pr-7 pl-2 text-sm ' +
            `hover:border-faint ${isNamed ? '' : 'font-mono'}`
          }
        />
        <button
          type="button"
          aria-label={`Show options for ${label}`}
          aria-expanded={shown !== null}
          tabIndex={-1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={toggle}
          className="absolute right-0 flex h-7 w-7 items-center justify-center text-faint hover:text-ink"
        >
          <ChevronDown aria-hidden size={13} />
        </button>
        {shown && (
          <ComboList
            id={listId}
            label={label}
            offer={shown}
            markedAt={markedAt}
            anchor={field}
            onMark={setMarked}
            onChoose={choose}
          />
        )}
      </div>
    </div>
  );
}
