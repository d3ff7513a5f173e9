import { useState } from 'react';
import type { JsonObject } from '#shared/contract/reading.ts';
import { Button } from '#web/ui/Button.tsx';
import { TextArea } from '#web/ui/fields/TextArea.tsx';
import { parseEdited } from './editedRow.ts';

interface EditFormProps {
  row: JsonObject;
  onSave: (row: JsonObject) => Promise<void>;
  onCancel: () => void;
}

/** A row as JSON, to be changed by hand. What is no row is refused before it is sent. */
export function EditForm({ row, onSave, onCancel }: EditFormProps) {
  const [text, setText] = useState(() => JSON.stringify(row, null, 2));
  const [isSaving, setSaving] = useState(false);
  const read = parseEdited(text);
  const isSame = read.ok && JSON.stringify(read.value) === JSON.stringify(row);
  const reason = isSaving ? 'It is being saved.' : isSame ? 'Nothing is changed yet.' : read.ok ? null : read.reason;
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason !== null || !read.ok) return;
        setSaving(true);
        void onSave(read.value).finally(() => setSaving(false));
      }}
    >
      <TextArea
        label="The row as JSON"
        value={text}
        onChange={setText}
        rows={12}
        spellCheck={false}
        className="font-mono"
      />
      {!read.ok && (
        <p role="alert" className="text-bad">
          {read.reason}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant="primary" disabledReason={reason}>
          Save the row
        </Button>
      </div>
    </form>
  );
}
