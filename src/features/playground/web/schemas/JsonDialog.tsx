import { useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { Dialog } from '#ui/kit/Dialog.tsx';
import { JsonEditor } from '#ui/fields/JsonEditor.tsx';
import type { JsonExample } from './jsonExamples.ts';
import { toPrettyJson } from '#core/contract/jsonPlaces.ts';
import { FaultList } from './FaultList.tsx';
import type { TextFault } from './textFaults.ts';

interface JsonDialogProps {
  title: string;
  about: string;
  value: string;
  onChange: (value: string) => void;
  onClose: () => void;
  examples: readonly JsonExample[];
  /** Joins both texts; null if it can't. Without it, an example replaces the text. */
  append?: (typed: string, example: string) => string | null;
  findFaults: (text: string) => readonly TextFault[];
  placeholder: string;
}

const toDiagnostics = (faults: readonly TextFault[]) =>
  faults.map(({ from, to, message, isWarning }) => ({
    from,
    to,
    message,
    severity: isWarning ? ('warning' as const) : ('error' as const),
  }));

/** A JSON editor with a list of faults, and examples to start from. */
export function JsonDialog({
  title,
  about,
  value,
  onChange,
  onClose,
  examples,
  append,
  findFaults,
  placeholder,
}: JsonDialogProps) {
  /** The text that an example or Clear replaced. Bringing it back swaps the two texts, so neither is lost. */
  const [replaced, setReplaced] = useState<string | null>(null);
  const isEmpty = value.trim() === '';
  const pretty = toPrettyJson(value);
  const replace = (text: string) => {
    setReplaced(isEmpty ? null : value);
    onChange(text);
  };
  const insert = (text: string) => replace(isEmpty ? text : (append?.(value, text) ?? text));
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <div className="flex flex-col gap-2.5">
        <p className="text-soft">{about}</p>
        <div className="flex flex-wrap items-center gap-1.5">
          <span className="text-soft">Examples</span>
          {examples.map(({ label, text }) => (
            <Button key={label} size="small" onClick={() => insert(text)}>
              {label}
            </Button>
          ))}
          <span className="flex-1" />
          {replaced !== null && (
            <Button size="small" variant="quiet" onClick={() => (onChange(replaced), setReplaced(value))}>
              Restore the old text
            </Button>
          )}
          <Button
            size="small"
            variant="quiet"
            onClick={() => pretty !== null && onChange(pretty)}
            disabledReason={pretty === null ? (isEmpty ? 'The field is empty.' : 'It is not valid JSON.') : null}
          >
            Format
          </Button>
          <Button
            size="small"
            variant="quiet"
            onClick={() => replace('')}
            disabledReason={isEmpty ? 'The field is empty.' : null}
          >
            Clear
          </Button>
        </div>
        <JsonEditor
          label={`${title} as JSON`}
          value={value}
          onChange={onChange}
          placeholder={placeholder}
          diagnose={(text) => toDiagnostics(findFaults(text))}
          hasFocus
        />
        <FaultList faults={findFaults(value)} isEmpty={isEmpty} />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
