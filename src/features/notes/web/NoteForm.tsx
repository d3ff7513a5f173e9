import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { NOTE_LIMITS } from '#features/notes/shared/notes.ts';
import { useReadOnlyReason } from '#ui/client/rights.ts';
import { Button } from '#ui/kit/Button.tsx';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { addTags, findProblem, type NoteWords } from './noteWords.ts';
import { TagField } from './TagField.tsx';

interface NoteFormProps {
  /** The node's name without a note. */
  ownName: string;
  words: NoteWords;
  onChange: (words: NoteWords) => void;
  suggestions: readonly string[];
  isSaving: boolean;
  /** Why saving has to wait for another choice; null: it need not. */
  waitsFor: string | null;
  onSave: (words: NoteWords) => void;
  /** Discards what is unsaved. */
  onLeave: () => void;
  isChanged: boolean;
}

const isMac = navigator.platform.startsWith('Mac');

/** Name, tags and text of a note. */
export function NoteForm({
  ownName,
  words,
  onChange,
  suggestions,
  isSaving,
  waitsFor,
  onSave,
  onLeave,
  isChanged,
}: NoteFormProps) {
  const [typed, setTyped] = useState('');
  const readOnlyReason = useReadOnlyReason();
  const problem = findProblem(words);
  const nothing = isChanged || typed.trim() !== '' ? null : 'Nothing was changed.';
  const reason = readOnlyReason ?? (isSaving ? 'It is being saved.' : (waitsFor ?? problem ?? nothing));
  const save = () => {
    if (reason !== null) return;
    setTyped('');
    // A tag that was typed and not yet added is meant too.
    onSave({ ...words, tags: addTags(words.tags, typed) });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save();
  };
  const saveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };
  return (
    <form className="flex flex-col gap-2.5" onSubmit={onSubmit}>
      <div className="grid gap-x-3 gap-y-2 @lg:grid-cols-2">
        <TextField
          label="Name"
          value={words.name}
          placeholder={ownName}
          maxLength={NOTE_LIMITS.name}
          autoComplete="off"
          onKeyDown={saveByKey}
          onChange={(name) => onChange({ ...words, name })}
        />
        <TagField
          tags={words.tags}
          onChange={(tags) => onChange({ ...words, tags })}
          typed={typed}
          onType={setTyped}
          suggestions={suggestions}
          onKey={saveByKey}
        />
      </div>
      <TextArea
        label="Text, in Markdown"
        rows={3}
        value={words.text}
        placeholder="What did you try here, and what was the result?"
        onKeyDown={saveByKey}
        onChange={(text) => onChange({ ...words, text })}
      />
      {problem !== null && (
        <p role="alert" className="text-sm text-error">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          variant="primary"
          disabledReason={reason}
          aria-keyshortcuts={isMac ? 'Meta+Enter' : 'Control+Enter'}
        >
          Save
          <kbd aria-hidden className="text-xs">
            {isMac ? '⌘ ↵' : 'Ctrl ↵'}
          </kbd>
        </Button>
        <Button onClick={onLeave}>{isChanged ? 'Discard' : 'Close'}</Button>
        {isChanged && <span className="text-sm text-soft">Not saved yet. This tab keeps your text.</span>}
      </div>
    </form>
  );
}
