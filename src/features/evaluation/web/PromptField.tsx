import { useMemo, useState } from 'react';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { textVariables } from '#features/evaluation/web/cells/gridSetup.ts';
import { setPrompt } from './gridActions.ts';
import { useGrid } from './gridStore.ts';

interface PromptFieldProps {
  isReadOnly: boolean;
}

/** The prompt of rows that bring variables. It commits on blur, because answers depend on it. */
export function PromptField({ isReadOnly }: PromptFieldProps) {
  const { prompt, rows } = useGrid((state) => state.setup);
  const [draft, setDraft] = useState<string | null>(null);
  // Memoized: the grid renders at every answer, and the search reads all rows.
  const areChats = useMemo(() => rows.every((row) => row.messages !== null), [rows]);
  const names = useMemo(() => textVariables(rows), [rows]);
  if (areChats) return null;
  const unused = names.filter((name) => !prompt.includes(`{{${name}}}`));
  const commit = () => {
    if (draft !== null && draft !== prompt) setPrompt(draft);
    setDraft(null);
  };
  return (
    <div className="px-3 pb-2">
      <TextArea
        label="Prompt"
        rows={1}
        value={draft ?? prompt}
        readOnly={isReadOnly}
        onChange={setDraft}
        onBlur={commit}
      />
      {unused.length > 0 && (
        <p className="truncate pt-0.5 text-xs text-soft">Not used: {unused.map((name) => `{{${name}}}`).join(' ')}</p>
      )}
    </div>
  );
}
