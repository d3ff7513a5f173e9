import { Button } from '#ui/kit/Button.tsx';
import type { NoteWords, WordField } from './noteWords.ts';

interface NoteConflictProps {
  mine: NoteWords;
  theirs: NoteWords;
  conflicts: readonly WordField[];
  /** Who changed it last, as a part of the sentence. */
  by: string;
  onTake: () => void;
  onSaveOver: () => void;
}

const LABELS: Readonly<Record<WordField, string>> = { name: 'Name', tags: 'Tags', text: 'Text' };

const toText = (words: NoteWords, field: WordField): string =>
  (field === 'tags' ? words.tags.join(', ') : words[field]) || 'empty';

/** Both versions of what was changed here and elsewhere, and the choice between them. */
export function NoteConflict({ mine, theirs, conflicts, by, onTake, onSaveOver }: NoteConflictProps) {
  return (
    <div role="alert" className="flex flex-col gap-2 rounded-lg bg-warning-soft p-3">
      <p className="font-semibold text-warning">This note was changed {by} while you were writing.</p>
      {conflicts.map((field) => (
        <dl key={field} className="grid gap-x-3 gap-y-2 @lg:grid-cols-2">
          {(
            [
              ['saved now', theirs],
              ['yours', mine],
            ] as const
          ).map(([whose, words]) => (
            <div key={whose} className="min-w-0">
              <dt className="text-sm text-soft">
                {LABELS[field]}, {whose}
              </dt>
              <dd className="max-h-48 overflow-y-auto rounded-md border border-line bg-surface px-2 py-1 whitespace-pre-wrap">
                {toText(words, field)}
              </dd>
            </div>
          ))}
        </dl>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onTake}>Use the saved version</Button>
        <Button variant="danger" onClick={onSaveOver}>
          Replace it with yours
        </Button>
      </div>
    </div>
  );
}
