import { useMemo } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { useIsFolder } from '#app/web/useIsFolder.ts';
import { ExperimentsPanel } from '#features/experiments/web/ExperimentsPanel.tsx';
import { toSources } from '#features/experiments/web/rows/experimentRows.ts';
import { openDialog } from '#ui/commands/dialogs.ts';
import { checkOnHeldOut } from '#app/web/layout/layoutStore.ts';
import { JobTraining } from '#features/training/web/JobTraining.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { SmallCurves } from '#features/runs/web/curves/SmallCurves.tsx';
import { updateUrl } from '#ui/address/urlState.ts';
import { RunExport } from './RunExport.tsx';
import { toRunNames, useCurveRuns } from './useCurveRuns.ts';

interface RunsTabProps {
  /** From the project to the selected node. */
  path: readonly TreeNode[];
  onTry: (models: readonly string[]) => void;
}

interface ConfigsProps {
  path: readonly TreeNode[];
  ids: readonly string[];
}

/** The selected runs as configs; what changed is told from one of them. */
function Configs({ path, ids }: ConfigsProps) {
  const key = ids.join(' ');
  const chosen = useMemo(() => {
    const wanted = new Set(key.split(' '));
    const sources = toSources(path).filter(({ node }) => wanted.has(node.id));
    const names = toRunNames(sources);
    return sources.map((source) => ({ source, label: names.get(source.node.id) ?? source.node.id }));
  }, [path, key]);
  const runs = useMemo(() => chosen.map(({ source }) => source), [chosen]);
  return <RunExport what={`the ${formatCount(runs.length)} selected`} runs={runs} others={chosen} />;
}

/** The loss curves of the runs that the filters leave, as the Curves tab draws them. */
function Losses({ path, ids }: ConfigsProps) {
  const all = useCurveRuns(path);
  const key = ids.join(' ');
  const runs = useMemo(() => {
    const wanted = new Set(key.split(' '));
    return all.filter(({ id }) => wanted.has(id));
  }, [all, key]);
  return <SmallCurves runs={runs} project={path[0]?.id ?? ''} onAll={() => updateUrl({ tab: 'curves' })} />;
}

/** The runs below a node. Those of a folder can be served from their rows, and exported as configs. */
export function RunsTab({ path, onTry }: RunsTabProps) {
  const isFolder = useIsFolder(path[0]?.id);
  const node = path.at(-1);
  return (
    <>
      {isFolder === false && node?.type === 'finetuning-job' && (
        <JobTraining
          key={node.id}
          job={node}
          snapshot={path.findLast(({ type }) => type === 'snapshot') ?? null}
          onTry={onTry}
          onEvaluate={checkOnHeldOut}
        />
      )}
      <ExperimentsPanel
        path={path}
        onTry={onTry}
        onChat={isFolder ? (runId) => openDialog({ kind: 'run-chat', runId }) : null}
        renderLosses={isFolder ? (ids) => <Losses path={path} ids={ids} /> : null}
        renderConfigs={isFolder ? (ids) => <Configs path={path} ids={ids} /> : null}
      />
    </>
  );
}
