// The editing of one node's note: its draft, and what saving it came to.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { showUndo } from '#ui/kit/toast.ts';
import { saveDraft } from './changeNote.ts';
import { keepDraft, readDraft, useDraft } from './noteDrafts.ts';
import { isSameWords, mergeDraft, takeTheirs, type NoteWords, type WordField } from './noteWords.ts';

export interface NoteEdit {
  /** The unsaved words, or else the stored ones. */
  readonly words: NoteWords;
  /** Fields that were changed here and elsewhere, to different values. */
  readonly conflicts: readonly WordField[];
  readonly isOpen: boolean;
  readonly isChanged: boolean;
  readonly isSaving: boolean;
  /** Why the note was not saved; null: nothing failed. */
  readonly error: unknown;
  readonly open: () => void;
  readonly change: (mine: NoteWords) => void;
  readonly save: (mine: NoteWords) => void;
  /** Takes what others wrote where both did. */
  readonly takeTheirs: () => void;
  /** Discards what is unsaved, with Undo. */
  readonly leave: () => void;
}

export function useNoteEdit(nodeId: string, stored: NoteWords): NoteEdit {
  const client = useQueryClient();
  const draft = useDraft(nodeId);
  const [isOpen, setOpen] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const { words, conflicts } = draft ? mergeDraft(draft, stored) : { words: stored, conflicts: [] };
  const save = async (mine: NoteWords): Promise<void> => {
    const next = { base: stored, mine };
    keepDraft(nodeId, next);
    setSaving(true);
    setError(null);
    try {
      const isSaved = await saveDraft(client, nodeId, next);
      const now = readDraft(nodeId);
      if (!isSaved || !now) return;
      // What was typed while it was being saved stays a draft.
      const isSame = isSameWords(now.mine, mine);
      keepDraft(nodeId, isSame ? null : { base: mine, mine: now.mine });
      if (isSame) setOpen(false);
    } catch (failure) {
      setError(failure);
    } finally {
      setSaving(false);
    }
  };
  return {
    words,
    conflicts,
    isOpen: isOpen || draft !== null,
    isChanged: draft !== null,
    isSaving,
    error,
    open: () => setOpen(true),
    change(mine) {
      // With a conflict the draft keeps what it was made from; else it goes on from what is saved now.
      const base = conflicts.length > 0 && draft ? draft.base : stored;
      keepDraft(nodeId, isSameWords(mine, base) ? null : { base, mine });
      setOpen(true);
    },
    save: (mine) => void save(mine),
    takeTheirs() {
      if (draft) keepDraft(nodeId, takeTheirs(draft, stored));
      setError(null);
    },
    leave() {
      setOpen(false);
      setError(null);
      if (!draft) return;
      keepDraft(nodeId, null);
      showUndo('The unsaved changes of the note were discarded.', () => (keepDraft(nodeId, draft), null));
    },
  };
}
