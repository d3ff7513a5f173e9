import { useMemo } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { openAsk } from '#features/evaluation/web/askCell.ts';
import { GridPanel } from '#features/evaluation/web/GridPanel.tsx';
import { useDesk } from '#features/playground/web/desk/deskStore.ts';
import { openColumnSelector } from './gridColumns.ts';
import { openQueued } from '#features/playground/web/sending/requestAnswers.ts';

interface GridViewProps {
  project: TreeNode | null;
  mode: SessionInfo['mode'] | null;
  /** The names of models that the page knows, by id. */
  names: ReadonlyMap<string, string>;
}

const ask = openAsk({ open: openQueued, now: () => performance.now(), date: () => Date.now() });

/** The prompt grid with the panes as columns. Its requests share the queue of the chat. */
export function GridView({ project, mode, names }: GridViewProps) {
  const select = useMemo(() => openColumnSelector(mode, names), [mode, names]);
  const { columns, problems } = useDesk(({ desk }) => select(desk));
  const draft = useDesk(({ desk }) => desk.draft);
  return <GridPanel project={project} offers={columns} columnProblems={problems} draft={draft} ask={ask} />;
}
