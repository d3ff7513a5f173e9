import { JsonDialog } from './JsonDialog.tsx';
import { SCHEMA_EXAMPLES } from './jsonExamples.ts';
import { findSchemaTextFaults } from './textFaults.ts';

interface SchemaDialogProps {
  value: string;
  onChange: (value: string) => void;
  onClose: () => void;
}

/** The editor of the schema that answers must match. */
export function SchemaDialog({ value, onChange, onClose }: SchemaDialogProps) {
  return (
    <JsonDialog
      title="Schema"
      about="A JSON schema. Changes are saved while you type, and answers are checked against the current text."
      value={value}
      onChange={onChange}
      onClose={onClose}
      examples={SCHEMA_EXAMPLES}
      findFaults={findSchemaTextFaults}
      placeholder={'{ "type": "object", "properties": { … } }'}
    />
  );
}
