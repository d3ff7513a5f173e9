import { useQueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Pencil, Star } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { nodeLabel, ownLabel, type TreeNode } from '#core/contract/projectReader.ts';
import type { Note, Notes } from '#features/notes/shared/notes.ts';
import { ApiFailure } from '#ui/client/failure.ts';
import { MarkdownView } from '#ui/markdown/MarkdownView.tsx';
import { toWhoWords } from '#ui/client/rights.ts';
import { ChangeButton } from '#ui/kit/ChangeButton.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatAge } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { useNow } from '#ui/kit/useNow.ts';
import { NoteConflict } from './NoteConflict.tsx';
import { NoteForm } from './NoteForm.tsx';
import { toSuggestions, toWords, type NoteWords } from './noteWords.ts';
import { switchArchive, switchStar } from './quickActions.ts';
import { useNoteEdit, type NoteEdit } from './useNoteEdit.ts';
import { useNotes } from './useNotes.ts';

/** The focus of a pressed button that is gone goes on to what took its place. Gives the ref of what holds both. */
function useKeptFocus(isEditing: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(isEditing);
  useEffect(() => {
    if (shown.current === isEditing) return;
    shown.current = isEditing;
    if (document.activeElement === document.body)
      frame.current?.querySelector<HTMLElement>(isEditing ? 'input' : 'button')?.focus();
  }, [isEditing]);
  return frame;
}

interface QuickActionsProps {
  node: TreeNode;
  note: Note | undefined;
}

/** Star and archive. They act at once. */
function QuickActions({ node, note }: QuickActionsProps) {
  const client = useQueryClient();
  const { is_starred: isStarred = false, is_archived: isAway = false } = note ?? {};
  return (
    <>
      <ChangeButton size="small" aria-pressed={isStarred} onClick={() => void switchStar(client, node, !isStarred)}>
        <Star aria-hidden size={12} className={isStarred ? 'fill-warning text-warning' : ''} />
        {isStarred ? 'Starred' : 'Star'}
      </ChangeButton>
      <ChangeButton size="small" onClick={() => void switchArchive(client, node, !isAway)}>
        {isAway ? <ArchiveRestore aria-hidden size={12} /> : <Archive aria-hidden size={12} />}
        {isAway ? 'Unarchive' : 'Archive'}
      </ChangeButton>
    </>
  );
}

/** Who changed it last, as a part of a sentence. */
const toBy = (note: Note | undefined): string =>
  note?.updated_by === undefined ? 'in another place' : `by ${toWhoWords(note.updated_by)}`;

interface BylineProps {
  note: Note;
}

/** Who changed the note last, and when. */
function Byline({ note }: BylineProps) {
  const age = Math.max(0, useNow(60_000) - Date.parse(note.updated_at));
  return (
    <p className="text-sm text-soft">
      Changed{note.updated_by === undefined ? '' : ` ${toBy(note)}`}{' '}
      <time dateTime={note.updated_at}>{formatAge(age)}</time>
    </p>
  );
}

interface NoteEditorProps {
  node: TreeNode;
  notes: Notes;
  stored: NoteWords;
  edit: NoteEdit;
}

/** The form, and the choice between two versions if others changed the note meanwhile. */
function NoteEditor({ node, notes, stored, edit }: NoteEditorProps) {
  const { words, conflicts } = edit;
  return (
    <>
      {conflicts.length > 0 && (
        <NoteConflict
          mine={words}
          theirs={stored}
          conflicts={conflicts}
          by={toBy(notes.get(node.id))}
          onTake={edit.takeTheirs}
          onSaveOver={() => edit.save(words)}
        />
      )}
      {edit.error !== null && (
        <ErrorNotice
          title="The note was not saved"
          detail={edit.error instanceof Error ? edit.error.message : String(edit.error)}
          hint={edit.error instanceof ApiFailure ? edit.error.hint : undefined}
        />
      )}
      <NoteForm
        ownName={ownLabel(node)}
        words={words}
        onChange={edit.change}
        suggestions={toSuggestions(notes, words.tags)}
        isSaving={edit.isSaving}
        waitsFor={conflicts.length > 0 ? 'Choose one of the two versions first.' : null}
        onSave={edit.save}
        onLeave={edit.leave}
        isChanged={edit.isChanged}
      />
    </>
  );
}

interface NotePartProps {
  node: TreeNode;
  notes: Notes;
}

function NotePart({ node, notes }: NotePartProps) {
  const note = notes.get(node.id);
  const stored = toWords(note);
  const edit = useNoteEdit(node.id, stored);
  const frame = useKeptFocus(edit.isOpen);
  const isEmpty = stored.name === '' && stored.tags.length === 0 && stored.text === '';
  return (
    <div ref={frame} className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="font-semibold">Notes</h3>
        {!edit.isOpen && (
          <ul aria-label="Tags" className="flex min-w-0 flex-wrap gap-1">
            {stored.tags.map((tag) => (
              <li key={tag} className="min-w-0 truncate rounded bg-neutral-soft px-1.5 text-sm">
                {tag}
              </li>
            ))}
          </ul>
        )}
        <span className="ml-auto flex flex-wrap gap-1">
          {!edit.isOpen && (
            <ChangeButton size="small" onClick={edit.open}>
              <Pencil aria-hidden size={12} />
              {isEmpty ? 'Name, tags, text' : 'Edit'}
            </ChangeButton>
          )}
          {node.type !== 'project' && <QuickActions node={node} note={note} />}
        </span>
      </div>
      {note?.is_archived && (
        <p className="text-sm text-soft">It is archived: the switch below the tree shows or hides it.</p>
      )}
      {!edit.isOpen && ownLabel(node) !== nodeLabel(node) && (
        <p className="text-sm text-soft">Renamed from {ownLabel(node)}.</p>
      )}
      {!edit.isOpen && stored.text !== '' && (
        <div className="min-w-0">
          <MarkdownView text={stored.text} isLive={false} />
        </div>
      )}
      {!edit.isOpen && note && <Byline note={note} />}
      {edit.isOpen && <NoteEditor node={node} notes={notes} stored={stored} edit={edit} />}
    </div>
  );
}

interface NotesSectionProps {
  node: TreeNode;
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
