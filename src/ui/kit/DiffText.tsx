import { useMemo } from 'react';

interface DiffTextPart {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

interface DiffTextProps {
  parts: readonly DiffTextPart[];
}

/** Keys are start offsets, so that the same part of the same two texts keeps its element. */
function toKeyed(parts: readonly DiffTextPart[]): readonly (DiffTextPart & { readonly key: string })[] {
  const keyed: (DiffTextPart & { readonly key: string })[] = [];
  let start = 0;
  for (const { kind, text } of parts) {
    keyed.push({ kind, text, key: `${start}-${kind}` });
    start += text.length;
  }
  return keyed;
}

/** Two texts in one: removed parts are struck through, added parts underlined. Screen readers hear which is which. */
export function DiffText({ parts }: DiffTextProps) {
  const placed = useMemo(() => toKeyed(parts), [parts]);
  return (
    <p className="whitespace-pre-wrap">
      {placed.map(({ key, kind, text }) => {
        if (kind === 'same') return <span key={key}>{text}</span>;
        const Mark = kind === 'removed' ? 'del' : 'ins';
        return (
          <Mark
            key={key}
            className={
              'rounded-xs data-current:outline-2 data-current:outline-offset-1 data-current:outline-accent ' +
              `${kind === 'removed' ? 'bg-error-soft text-error line-through' : 'bg-success-soft text-success underline'}`
            }
          >
            <span className="sr-only"> [{kind}: </span>
            {text}
            <span className="sr-only">] </span>
          </Mark>
        );
      })}
    </p>
  );
}
