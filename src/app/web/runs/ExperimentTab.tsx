import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { toErrorWords } from '#ui/client/failure.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { textOr } from '#core/contract/readJson.ts';
import { isActiveStatus, isSucceeded } from '#core/contract/statuses.ts';
import { runQuery } from '#features/runs/web/api/runQueries.ts';
import { useIsFolder } from '#app/web/useIsFolder.ts';
import { SmallCurves } from '#features/runs/web/curves/SmallCurves.tsx';
import { ExperimentDetail } from '#features/experiments/web/ExperimentDetail.tsx';
import { toSources } from '#features/experiments/web/rows/experimentRows.ts';
import { progressQuery } from '#features/training/web/api/trainingQueries.ts';
import { ModelMemory } from '#features/training/web/ModelMemory.tsx';
import { RunTraining } from '#features/training/web/RunTraining.tsx';
import { RunPage } from '#features/runs/web/RunPage.tsx';
import { RunActions } from './RunActions.tsx';
import { toRunNames } from './useCurveRuns.ts';
import { selectNode } from '#ui/address/nodeTab.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';

interface ExperimentTabProps {
  /** From the project to the experiment. */
  path: readonly TreeNode[];
  onTry: (models: readonly string[]) => void;
}

/** More runs would be a list that nobody reads. */
const MOST_OTHERS = 300;

/** Runs of the same job first, then the others of the project. */
function useOthers(path: readonly TreeNode[]) {
  return useMemo(() => {
    const id = path.at(-1)?.id;
    const near = toSources(path.slice(0, -1));
    const nearIds = new Set(near.map(({ node }) => node.id));
    const all = [...near, ...toSources(path.slice(0, 1)).filter(({ node }) => !nearIds.has(node.id))];
    const most = all.slice(0, MOST_OTHERS);
    const names = toRunNames(most);
    return most
      .filter(({ node }) => node.id !== id)
      .map((source) => ({ id: source.node.id, label: names.get(source.node.id) ?? source.node.id, source }));
  }, [path]);
}

function FolderRun({ path, onTry }: ExperimentTabProps) {
  const node = path.at(-1);
  const id = node?.id ?? '';
  const { data: run, error, isPending, refetch } = useQuery(runQuery(id));
  const others = useOthers(path);
  const [source] = useMemo(() => toSources(path), [path]);
  const label = run?.label ?? '';
  const isActive = isActiveStatus(run?.status);
  const curveRuns = useMemo(() => [{ id, label, isActive, chosenPlace: null }], [id, label, isActive]);
  if (run)
    return (
      <RunPage
        key={id}
        run={run}
        others={others}
        actions={source && <RunActions run={run} source={source} others={others} />}
        curves={
          <SmallCurves runs={curveRuns} project={path[0]?.id ?? ''} onAll={() => node && selectNode(node, 'curves')} />
        }
        onTry={onTry}
      />
    );
  if (isPending) return <Skeleton rows={10} />;
  if (error)
    return (
      <ErrorNotice
        title="The run can’t be read"
        detail={error.message}
        hint={toErrorWords(error).hint}
        onRetry={() => void refetch()}
      />
    );
  return <ExperimentDetail path={path} />;
}

/** A run of the studio. Of those that it trains itself, how they go on. */
function StudioRun({ path, onTry }: ExperimentTabProps) {
  const run = path.at(-1);
  const id = run?.id ?? '';
  const model = run && isSucceeded(run.status) ? textOr(run.metadata['model_id'], null) : null;
  const { data: progress, isPending } = useQuery(progressQuery(id));
  if (isPending) return <Skeleton rows={10} />;
  return (
    <>
      {run && <RunTraining key={id} run={run} onTry={onTry} />}
      <ExperimentDetail path={path} isWatched={progress != null} />
      {model !== null && <ModelMemory model={model} />}
    </>
  );
}

/** An experiment of the studio, or a run of a folder. */
export function ExperimentTab({ path, onTry }: ExperimentTabProps) {
  const isFolder = useIsFolder(path[0]?.id);
  if (isFolder === undefined) return <Skeleton rows={10} />;
  return isFolder ? <FolderRun path={path} onTry={onTry} /> : <StudioRun path={path} onTry={onTry} />;
}
