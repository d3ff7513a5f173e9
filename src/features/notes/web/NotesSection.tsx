import { useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Pencil, Star } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { nodeLabel, ownLabel, type TreeNode } from '#core/contract/projectReader.ts';
import type { Notes } from '#features/notes/shared/notes.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { MarkdownView } from '#ui/markdown/MarkdownView.tsx';
import { Button } from '#ui/kit/Button.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { showUndo } from '#ui/kit/toast.ts';
import { saveDraft } from './changeNote.ts';
import { NoteConflict } from './NoteConflict.tsx';
import { keepDraft, readDraft, useDraft } from './noteDrafts.ts';
import { NoteForm } from './NoteForm.tsx';
import {
  isSameWords,
  mergeDraft,
  takeTheirs,
  toSuggestions,
  toWords,
  type NoteDraft,
  type NoteWords,
} from './noteWords.ts';
import { switchArchive, switchStar } from './quickActions.ts';
import { useNotes } from './useNotes.ts';

interface NotesSectionProps {
  node: TreeNode;
}

interface NotePartProps {
  node: TreeNode;
  notes: Notes;
}

function NotePart({ node, notes }: NotePartProps) {
  const client = useQueryClient();
  const draft = useDraft(node.id);
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const note = notes.get(node.id);
  const stored = toWords(note);
  const { words, conflicts } = draft ? mergeDraft(draft, stored) : { words: stored, conflicts: [] };
  const isEmpty = stored.name === '' && stored.tags.length === 0 && stored.text === '';
  const isEditing = isOpen || draft !== null;
  const isStarred = note?.is_starred ?? false;
  const isAway = note?.is_archived ?? false;

  const shown = useRef(isEditing);
  useEffect(() => {
    if (shown.current === isEditing) return;
    shown.current = isEditing;
    // The pressed button is gone: the focus goes on to what took its place.
    if (document.activeElement === document.body)
      frame.current?.querySelector<HTMLElement>(isEditing ? 'input' : 'button')?.focus();
  }, [isEditing]);

  const change = (mine: NoteWords) => {
    // With a conflict the draft keeps what it was made from; else it goes on from what is saved now.
    const base = conflicts.length > 0 && draft ? draft.base : stored;
    keepDraft(node.id, isSameWords(mine, base) ? null : { base, mine });
    setOpen(true);
  };
  const save = async (next: NoteDraft) => {
    keepDraft(node.id, next);
    setSaving(true);
    setError(null);
    try {
      const isSaved = await saveDraft(client, node.id, next);
      const now = readDraft(node.id);
      if (!isSaved || !now) return;
      // What was typed while it was being saved stays a draft.
      const isSame = isSameWords(now.mine, next.mine);
      keepDraft(node.id, isSame ? null : { base: next.mine, mine: now.mine });
      if (isSame) setOpen(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setSaving(false);
    }
  };
  const leave = () => {
    setOpen(false);
    setError(null);
    if (!draft) return;
    keepDraft(node.id, null);
    showUndo('The unsaved changes of the note were discarded.', () => (keepDraft(node.id, draft), null));
  };
  const take = () => {
    if (draft) keepDraft(node.id, takeTheirs(draft, stored));
    setError(null);
  };
  return (
    <div ref={frame} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold">Notes</h3>
        {!isEditing && (
          <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1">
            {stored.tags.map((tag) => (
              <li key={tag} className="min-w-0 truncate rounded bg-neutral-soft px-1.5 text-sm">
                {tag}
              </li>
            ))}
          </ul>
        )}
        <span className="ml-auto flex flex-wrap gap-1">
          {!isEditing && (
            <Button size="small" onClick={() => setOpen(true)}>
              <Pencil aria-hidden size={12} />
              {isEmpty ? 'Name, tags, text' : 'Edit'}
            </Button>
          )}
          {node.type !== 'project' && (
            <>
              <Button size="small" aria-pressed={isStarred} onClick={() => void switchStar(client, node, !isStarred)}>
                <Star aria-hidden size={12} className={isStarred ? 'fill-warning text-warning' : ''} />
                {isStarred ? 'Starred' : 'Star'}
              </Button>
              <Button size="small" onClick={() => void switchArchive(client, node, !isAway)}>
                {isAway ? <ArchiveRestore aria-hidden size={12} /> : <Archive aria-hidden size={12} />}
                {isAway ? 'Unarchive' : 'Archive'}
              </Button>
            </>
          )}
        </span>
      </div>
      {isAway && <p className="text-sm text-soft">It is archived: the switch below the tree shows or hides it.</p>}
      {!isEditing && ownLabel(node) !== nodeLabel(node) && (
        <p className="text-sm text-soft">Renamed from {ownLabel(node)}.</p>
      )}
      {!isEditing && stored.text !== '' && (
        <div className="min-w-0">
          <MarkdownView text={stored.text} isLive={false} />
        </div>
      )}
      {isEditing && conflicts.length > 0 && (
        <NoteConflict
          mine={words}
          theirs={stored}
          conflicts={conflicts}
          onTake={take}
          onSaveOver={() => void save({ base: stored, mine: words })}
        />
      )}
      {error !== null && (
        <ErrorNotice
          title="The note was not saved"
          detail={error instanceof Error ? error.message : String(error)}
          hint={error instanceof ApiFailure ? error.hint : undefined}
        />
      )}
      {isEditing && (
        <NoteForm
          ownName={ownLabel(node)}
          words={words}
          onChange={change}
          suggestions={toSuggestions(notes, words.tags)}
          isSaving={isSaving}
          waitsFor={conflicts.length > 0 ? 'Choose one of the two versions first.' : null}
          onSave={(mine) => void save({ base: stored, mine })}
          onLeave={leave}
          isChanged={draft !== null}
        />
      )}
    </div>
  );
}

/** What people noted of a node; nothing where the studio keeps no notes. */
export function NotesSection({ node }: NotesSectionProps) {
  const { areKept, notes, error, refetch } = useNotes();
  if (!areKept) return null;
  return (
    <section aria-label="Notes" className="@container min-w-0 rounded-lg border border-line bg-surface p-3">
      {notes ? (
        <NotePart key={node.id} node={node} notes={notes} />
      ) : error ? (
        <ErrorNotice
          title="The notes can’t be read"
          detail={error.message}
          hint={error instanceof ApiFailure ? error.hint : undefined}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton rows={1} />
      )}
    </section>
  );
}
