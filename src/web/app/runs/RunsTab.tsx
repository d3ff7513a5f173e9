import { useQuery } from '@tanstack/react-query';
import type { TreeNode } from '#shared/contract/projectReader.ts';
import { knownRootsQuery } from '#web/api/runRootsQuery.ts';
import { ExperimentsPanel } from '#web/experiments/ExperimentsPanel.tsx';
import { chatWithRun } from '#web/session/chatRun.ts';

interface RunsTabProps {
  /** From the project to the selected node. */
  path: readonly TreeNode[];
  onTry: (models: readonly string[]) => void;
}

/** The runs below a node. Those of a folder can be served from their rows. */
export function RunsTab({ path, onTry }: RunsTabProps) {
  const { data: roots } = useQuery(knownRootsQuery());
  const isFolder = roots?.some(({ id }) => id === path[0]?.id) === true;
  return <ExperimentsPanel path={path} onTry={onTry} onChat={isFolder ? chatWithRun : null} />;
}
