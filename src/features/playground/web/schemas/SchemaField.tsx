import { Braces } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { Button } from '#ui/kit/Button.tsx';
import { FieldProblem } from '#ui/fields/FieldProblem.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { TextField } from '#ui/fields/TextField.tsx';
import { Toggle } from '#ui/fields/Toggle.tsx';
import { parseSchema } from '#features/playground/web/desk/requestSettings.ts';
import type { SchemaSetting } from '#features/playground/web/desk/settings.ts';

const SchemaDialog = toLazyPart('The schema’s editor', async () => (await import('./SchemaDialog.tsx')).SchemaDialog);

interface SchemaFieldProps {
  value: SchemaSetting;
  onChange: (value: SchemaSetting) => void;
  /** Requests carry the schema. If false, answers are only checked against it. */
  isSent?: boolean;
}

/** The JSON schema that answers must match, with its problem below. */
export function SchemaField({ value, onChange, isSent = true }: SchemaFieldProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const schema = parseSchema(value);
  const isEmpty = value.text.trim() === '';
  const problem = schema.ok
    ? null
    : isEmpty && !isSent
      ? 'Schema: write the JSON schema that answers are checked against.'
      : schema.reason;
  return (
    <div className="flex min-w-0 flex-col gap-1.5 py-0.5">
      {isSent && (
        <div className="flex items-center gap-2">
          <span aria-hidden className="w-(--label-width) shrink-0 text-soft">
            Schema name
          </span>
          <TextField
            label="Schema name"
            isLabelHidden
            value={value.name}
            onChange={(name) => onChange({ ...value, name })}
            placeholder="answer"
            spellCheck={false}
            className="min-w-12 flex-1"
          />
          <Toggle label="Strict" value={value.strict} onChange={(strict) => onChange({ ...value, strict })} />
        </div>
      )}
      <div className="flex min-w-0 items-center gap-2">
        <span className="w-(--label-width) shrink-0 text-soft">Schema</span>
        <Button
          size="small"
          className="shrink-0"
          onClick={() => setOpen(true)}
          aria-label={isEmpty ? 'Write schema' : 'Edit schema'}
          aria-describedby={`${id}-problem`}
        >
          <Braces aria-hidden size={12} /> {isEmpty ? 'Write…' : 'Edit…'}
        </Button>
        <span className="min-w-0 truncate font-mono text-xs text-faint">
          {value.text.replace(/\s+/g, ' ').slice(0, 120)}
        </span>
      </div>
      <FieldProblem id={`${id}-problem`} message={problem} />
      {isOpen && (
        <Suspense>
          <SchemaDialog
            value={value.text}
            onChange={(text) => onChange({ ...value, text })}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
