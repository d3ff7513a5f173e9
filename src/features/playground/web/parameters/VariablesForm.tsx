import { X } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { IconButton } from '#ui/kit/IconButton.tsx';
import type { Values } from '#features/playground/web/desk/desk.ts';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { focusVariable, variableFieldId } from '#features/playground/web/desk/paneFocus.ts';
import { setVariable } from '#features/playground/web/desk/actions.ts';
import { toPlaceholder } from '#features/playground/web/desk/variables.ts';

interface VariablesFormProps {
  names: readonly string[];
  /** Run was pressed, so variables without a value are marked. */
  isTried: boolean;
  /** Handles the keys that run from the message field. */
  onRunKey: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
}

const NO_VALUES: Values = {};

/** A field for each `{{name}}` in the draft and the system prompts, as high as its value. */
export function VariablesForm({ names, isTried, onRunKey }: VariablesFormProps) {
  const values = useDesk(({ desk }) => desk.values) ?? NO_VALUES;
  const read = (name: string): string | undefined => (Object.hasOwn(values, name) ? values[name] : undefined);
  return (
    <fieldset aria-label="Variables" className="flex max-h-40 min-w-0 flex-col gap-1 overflow-y-auto">
      {names.map((name) => {
        const value = read(name);
        const isMissing = isTried && value === undefined;
        const id = variableFieldId(name);
        const set = (next: string | null) => {
          setVariable(name, next);
          // Another button replaces the focused one.
          focusVariable(name);
        };
        return (
          <div key={name} className="grid grid-cols-[minmax(4rem,30%)_1fr_auto] items-start gap-2">
            <label htmlFor={id} className="flex min-h-7 items-center font-mono text-sm text-soft" title={name}>
              <span className="min-w-0 truncate">{name}</span>
            </label>
            <span className="flex min-w-0 flex-col">
              <textarea
                id={id}
                rows={1}
                value={value ?? ''}
                onChange={(event) => setVariable(name, event.target.value)}
                onKeyDown={onRunKey}
                placeholder={value === undefined ? 'no value yet' : 'empty'}
                aria-invalid={isMissing || undefined}
                aria-describedby={isMissing ? `${id}-problem` : undefined}
                className={
                  'field-sizing-content max-h-28 min-h-7 min-w-0 resize-none rounded-md border border-line-strong ' +
                  'bg-surface px-2 py-[3px] hover:border-faint aria-invalid:border-error'
                }
              />
              {isMissing && (
                <span id={`${id}-problem`} role="alert" className="text-sm text-error">
                  Give {name} a value.
                </span>
              )}
            </span>
            {value === undefined ? (
              <Button
                size="small"
                variant="quiet"
                onClick={() => set(toPlaceholder(name))}
                aria-label={`Send ${name} as it is written`}
              >
                Send literally
              </Button>
            ) : (
              <IconButton label={`Unset ${name}`} icon={<X aria-hidden size={13} />} onClick={() => set(null)} />
            )}
          </div>
        );
      })}
    </fieldset>
  );
}
