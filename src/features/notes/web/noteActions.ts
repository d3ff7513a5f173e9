// What menu and palette offer to note of a node.
import type { QueryClient } from '@tanstack/react-query';
import { Archive, ArchiveRestore, PencilLine, Star, StarOff, type LucideIcon } from 'lucide-react';
import { isArchived, isStarred, type TreeNode } from '#core/contract/projectReader.ts';
import { switchArchive, switchStar } from './quickActions.ts';
import { openDialog } from '#ui/commands/dialogs.ts';

export interface NoteAction {
  readonly label: string;
  readonly Icon: LucideIcon;
  readonly onSelect: () => void;
  readonly disabledReason: string | null;
  /** The action starts another group. */
  readonly isApart: boolean;
}

/** `disabledReason`: why nothing may be noted; null: it may. A project has a name only: it is in no tree that could hide it, or show its star. */
export function toNoteActions(
  client: QueryClient,
  node: TreeNode,
  disabledReason: string | null,
): readonly NoteAction[] {
  const toAction = (label: string, Icon: LucideIcon, onSelect: () => void): NoteAction => ({
    label,
    Icon,
    onSelect,
    disabledReason,
    isApart: false,
  });
  const [isOn, isAway] = [isStarred(node), isArchived(node)];
  const marks = [
    toAction(isOn ? 'Unstar' : 'Star', isOn ? StarOff : Star, () => void switchStar(client, node, !isOn)),
    toAction(
      isAway ? 'Unarchive' : 'Archive',
      isAway ? ArchiveRestore : Archive,
      () => void switchArchive(client, node, !isAway),
    ),
  ];
  return [
    { ...toAction('Rename', PencilLine, () => openDialog({ kind: 'rename', node })), isApart: true },
    ...(node.type === 'project' ? [] : marks),
  ];
}
