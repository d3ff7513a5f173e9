import { useEffect, useMemo, useState } from 'react';
import type { JsonObject } from '#core/contract/readJson.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { Button } from '#ui/kit/Button.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { parseEdited } from './editedRow.ts';
import { rowDraft } from './rowDrafts.ts';

interface EditFormProps {
  datasetId: string;
  /** null: a row that is to be added. */
  position: number | null;
  row: JsonObject;
  /** Whether it was saved. */
  onSave: (row: JsonObject) => Promise<boolean>;
  onClose: () => void;
}

/** A row as JSON, to be changed by hand. What is no row is refused before it is sent, and what is not saved is kept. */
export function EditForm({ datasetId, position, row, onSave, onClose }: EditFormProps) {
  const draft = useMemo(() => rowDraft(datasetId, position), [datasetId, position]);
  const [text, setText] = useState(() => draft.read() ?? JSON.stringify(row, null, 2));
  useEffect(() => () => draft.leave(), [draft]);
  const [isSaving, setSaving] = useState(false);
  const read = parseEdited(text);
  const isSame = read.ok && JSON.stringify(read.value) === JSON.stringify(row);
  const problem = isSame ? 'Nothing is changed yet.' : read.ok ? null : read.reason;
  const readOnlyReason = useReadOnlyReason();
  const reason = readOnlyReason ?? (isSaving ? 'It is being saved.' : problem);
  const save = async (value: JsonObject) => {
    setSaving(true);
    const isSaved = await onSave(value);
    setSaving(false);
    if (!isSaved) return;
    draft.forget();
    onClose();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason === null && read.ok) void save(read.value);
      }}
    >
      <TextArea
        label="The row as JSON"
        value={text}
        onChange={(next) => {
          setText(next);
          draft.write(next);
        }}
        rows={12}
        spellCheck={false}
        className="font-mono"
      />
      {!read.ok && (
        <p role="alert" className="text-error">
          {read.reason}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          onClick={() => {
            draft.forget();
            onClose();
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary" disabledReason={reason}>
          Save the row
        </Button>
      </div>
    </form>
  );
}
