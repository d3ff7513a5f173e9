import { X } from 'lucide-react';
import { useRef, useState } from 'react';
import { REQUEST_LIMITS } from '#core/contract/limits.ts';
import { TextField } from '#ui/fields/TextField.tsx';
import { addStop, toStopLabel } from '#features/playground/web/desk/stopText.ts';

interface StopSequencesProps {
  value: readonly string[];
  onChange: (value: readonly string[]) => void;
}

/** Each sequence is a separate entry, so it may hold commas and spaces. */
export function StopSequences({ value, onChange }: StopSequencesProps) {
  const [draft, setDraft] = useState('');
  const box = useRef<HTMLDivElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const add = () => {
    const added = addStop(value, draft, REQUEST_LIMITS);
    setProblem(added.problem);
    if (added.problem !== null) return;
    setDraft('');
    if (added.value !== value) onChange(added.value);
  };
  const remove = (sequence: string) => {
    onChange(value.filter((each) => each !== sequence));
    // The focused button disappears with its sequence.
    box.current?.querySelector('input')?.focus();
  };
  return (
    <div ref={box} className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
      <span aria-hidden className="w-(--label-width) shrink-0 text-soft">
        Stop sequences
      </span>
      {value.map((sequence) => (
        <span
          key={sequence}
          className={
            'inline-flex h-6 max-w-full items-center rounded-md border border-line-strong bg-accent-soft pl-2 font-mono ' +
            'text-sm'
          }
        >
          <span className="truncate whitespace-pre">{toStopLabel(sequence)}</span>
          <button
            type="button"
            aria-label={`Remove stop sequence ${toStopLabel(sequence)}`}
            onClick={() => remove(sequence)}
            className="flex size-6 shrink-0 items-center justify-center text-soft hover:text-ink"
          >
            <X aria-hidden size={12} />
          </button>
        </span>
      ))}
      <TextField
        label="Stop sequence"
        isLabelHidden
        value={draft}
        onChange={(text) => (setProblem(null), setDraft(text))}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          add();
        }}
        onBlur={add}
        problem={problem}
        placeholder="e.g. \n"
        className="min-w-24 flex-1"
      />
    </div>
  );
}
