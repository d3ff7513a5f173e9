import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { parseNumberText, stepNumber, type NumberRule } from './numberText.ts';

interface NumberInputProps {
  id?: string;
  rule: NumberRule;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  /** Called with the reason why a typed text is refused, or with null. */
  onProblem: (message: string | null) => void;
  /**
   * For a form, which keeps what `onProblem` said and is not sent meanwhile: a refused text stays as long as this is
   * no null. Not given: leaving the field brings the value back.
   */
  problem?: string | null;
  /** Id of the element that shows the problem. */
  problemId?: string;
  step?: number;
  /** Where stepping starts if no value is set. */
  origin?: number;
  placeholder?: string;
  className?: string;
}

/**
 * A text field with the role spinbutton that only returns numbers within its rule. Typed numbers count at once. A
 * refused text gives the value from before the edit, even if a part of it was a number.
 */
export function NumberInput({
  id,
  rule,
  value,
  onChange,
  onProblem,
  problem,
  problemId,
  step = 1,
  origin = 0,
  placeholder,
  className = '',
}: NumberInputProps) {
  /** What is typed, and the value that it gave. */
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: number | undefined } | null>(null);
  const [isWrong, setWrong] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const before = useRef(value);
  const handedOut = useRef(value);

  const settle = (message: string | null) => {
    setWrong(message !== null);
    onProblem(message);
  };
  const handOut = (next: number | undefined) => {
    handedOut.current = next;
    if (next !== value) onChange(next);
  };
  const type = (text: string) => {
    if (!isEditing) before.current = value;
    setEditing(true);
    const parsed = parseNumberText(text, rule);
    const next = parsed.ok ? parsed.value : before.current;
    setDraft({ text, value: next });
    handOut(next);
    settle(parsed.ok ? null : parsed.message);
  };
  const leave = () => {
    setEditing(false);
    if (problem != null && isWrong) return;
    // The message stays, because it explains why the old value is back.
    setDraft(null);
    setWrong(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') return leave();
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    setDraft(null);
    settle(null);
    handOut(stepNumber(value ?? origin, event.shiftKey ? step * 10 : step, event.key === 'ArrowUp' ? 1 : -1, rule));
  };
  useEffect(() => {
    if (value === handedOut.current) return;
    handedOut.current = value;
    // The value changed elsewhere, so the message is outdated.
    if (!isEditing) onProblem(null);
  }, [value, isEditing, onProblem]);
  // A form may take another value from elsewhere, such as a sweep.
  const isKept = isEditing || (problem != null && draft?.value === value);
  const shown = isKept ? (draft?.text ?? null) : null;
  return (
    <input
      id={id}
      type="text"
      inputMode={rule.isInteger ? 'numeric' : 'decimal'}
      role="spinbutton"
      aria-label={id === undefined ? rule.label : undefined}
      aria-valuenow={value}
      aria-valuemin={rule.min}
      aria-valuemax={rule.max}
      aria-valuetext={
        value === undefined ? `not set${placeholder === undefined ? '' : `, default ${placeholder}`}` : undefined
      }
      aria-invalid={problem === undefined ? isWrong || undefined : problem !== null || undefined}
      aria-describedby={problemId}
      autoComplete="off"
      placeholder={placeholder}
      value={shown ?? (value === undefined ? '' : String(value))}
      onChange={(event) => type(event.target.value)}
      onKeyDown={onKeyDown}
      onBlur={leave}
      className={
        'h-6 min-w-0 rounded-md border border-line-strong bg-surface px-1.5 text-right font-mono text-sm ' +
        `hover:border-faint aria-invalid:border-error ${className}`
      }
    />
  );
}
