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
      about="A JSON schema. What is typed is kept at once, and answers are checked against it as it stands."
      value={value}
      onChange={onChange}
      onClose={onClose}
      examples={SCHEMA_EXAMPLES}
      findFaults={findSchemaTextFaults}
      placeholder={'{ "type": "object", "properties": { … } }'}
    />
  );
}
