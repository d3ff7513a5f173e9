import { Autocomplete } from '@base-ui/react/autocomplete';
import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { findOptions, groupOptions, MAX_SHOWN_OPTIONS, toOptionValue, type ComboOption, type OptionGroup } from './options';

interface ComboBoxProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly ComboOption[];
  placeholder?: string;
  isLabelHidden?: boolean;
}

/** A search over options that also takes free text: what Enter or leaving the field commits is the value. */
export function ComboBox({ label, value, onChange, options, placeholder, isLabelHidden = false }: ComboBoxProps) {
  const id = useId();
  const [draft, setDraft] = useState<string | null>(null);
  const highlighted = useRef<ComboOption | undefined>(undefined);
  const found = findOptions(options, draft ?? '');
  const shown = found.slice(0, MAX_SHOWN_OPTIONS);
  const [isOpen, setOpen] = useState(false);
  // A text that names its option, or none, leaves nothing to choose. Closed, the rest of the page is not hidden
  // from assistive technology, as Base UI does while a list is open.
  const isSettled = draft !== null && (found.length === 0 || found.some((option) => option.value === draft));

  const leave = () => {
    setDraft(null);
    setOpen(false);
  };
  const commit = (text: string) => {
    leave();
    const next = toOptionValue(options, text);
    if (next !== value) onChange(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && highlighted.current === undefined && draft !== null) commit(draft);
    if (event.key === 'Escape') leave();
  };
  const groups = groupOptions(shown);
  return (
    <div className="flex min-w-0 flex-1 items-center gap-2">
      <label htmlFor={id} className={isLabelHidden ? 'sr-only' : 'shrink-0 text-soft'}>
        {label}
      </label>
      <Autocomplete.Root
        items={groups}
        filteredItems={groups}
        value={draft ?? value}
        itemToStringValue={(option) => option.value}
        openOnInputClick
        open={isOpen && !isSettled}
        onOpenChange={setOpen}
        onItemHighlighted={(option) => {
          highlighted.current = option;
        }}
        onValueChange={(text, { reason }) => {
          if (reason === 'item-press') commit(text);
          // Escape gives up what was typed; Base UI would also clear the field.
          else if (reason !== 'escape-key') setDraft(text);
        }}
      >
        <Autocomplete.InputGroup className="relative flex min-w-0 flex-1 items-center">
          <Autocomplete.Input
            id={id}
            title={value === '' ? undefined : value}
            placeholder={placeholder}
            spellCheck={false}
            autoCapitalize="off"
            onKeyDown={onKeyDown}
            onBlur={() => (draft === null ? leave() : commit(draft))}
            className="h-7 w-full min-w-0 truncate rounded-md border border-line2 bg-surface pr-7 pl-2 font-mono text-sm hover:border-faint"
          />
          <Autocomplete.Trigger
            aria-label={`Show options for ${label}`}
            tabIndex={-1}
            className="absolute right-0 flex h-7 w-7 items-center justify-center text-faint hover:text-ink"
          >
            <ChevronDown aria-hidden size={13} />
          </Autocomplete.Trigger>
        </Autocomplete.InputGroup>
        <Autocomplete.Portal>
          <Autocomplete.Positioner sideOffset={4} collisionPadding={8} className="z-40">
            <Autocomplete.Popup className="max-h-[min(22rem,var(--available-height))] max-w-[min(28rem,var(--available-width))] min-w-(--anchor-width) overflow-y-auto overscroll-contain rounded-lg border border-line2 bg-surface p-1 shadow-pop">
              <Autocomplete.Empty className="text-sm text-soft">
                <span className="block px-2 py-1.5">No options; type what you need.</span>
              </Autocomplete.Empty>
              <Autocomplete.List>
                {(group: OptionGroup) => (
                  <Autocomplete.Group key={group.name} items={group.items}>
                    {group.name !== '' && (
                      <Autocomplete.GroupLabel className="px-2 pt-1.5 pb-0.5 text-xs font-semibold text-faint">
                        {group.name}
                      </Autocomplete.GroupLabel>
                    )}
                    <Autocomplete.Collection>
                      {(option: ComboOption) => (
                        <Autocomplete.Item
                          key={option.value}
                          value={option}
                          title={option.value}
                          className="flex min-h-7 cursor-default flex-col justify-center rounded-md px-2 py-1 outline-none data-highlighted:bg-accent-soft"
                        >
                          <span className="truncate">{option.label}</span>
                          {(option.hint !== undefined || option.label !== option.value) && (
                            <span className="truncate font-mono text-xs text-soft">{option.hint ?? option.value}</span>
                          )}
                        </Autocomplete.Item>
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
              {found.length > shown.length && (
                <p className="px-2 py-1 text-sm text-soft">{found.length - shown.length} more; type to narrow the list.</p>
              )}
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </div>
  );
}
