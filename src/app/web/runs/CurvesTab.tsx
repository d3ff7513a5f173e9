import { useMemo } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { useIsFolder } from '#app/web/useIsFolder.ts';
import { CurvesPanel } from '#features/runs/web/curves/CurvesPanel.tsx';
import { keepRunColors } from '#features/runs/web/curves/curveMath/runColors.ts';
import type { CurveRun } from '#features/runs/web/curves/curveMath/curveRun.ts';
import { toLossCurve } from '#features/runs/web/curves/curveMath/losses.ts';
import type { FollowedCurves } from '#features/runs/web/curves/useCurves.ts';
import {
  toActiveJobIds,
  toJobIds,
  toRows,
  toSources,
  type ExperimentSource,
} from '#features/experiments/web/rows/experimentRows.ts';
import { MAX_READ_AT_ONCE, useJobAnswers } from '#features/experiments/web/useJobAnswers.ts';
import { useUrlState } from '#ui/address/urlState.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { toCurveRuns } from './useCurveRuns.ts';

interface CurvesTabProps {
  /** From the project to the selected node. */
  path: readonly TreeNode[];
  /** The same with archived nodes, which keep their colours for the others. */
  whole: readonly TreeNode[];
}

interface SourcesProps {
  sources: readonly ExperimentSource[];
  project: string;
  whole: readonly TreeNode[];
}

/** The runs below the node, and their places in the compared set, which give their colours. */
function useRuns({ sources, project, whole }: SourcesProps): readonly CurveRun[] {
  const { compare } = useUrlState();
  return useMemo(() => {
    keepRunColors(
      project,
      toSources(whole).map(({ node }) => node.id),
    );
    return toCurveRuns(sources, compare);
  }, [sources, project, whole, compare]);
}

/** Runs of a folder: the service is asked for their curves. */
function FolderCurves(props: SourcesProps) {
  return <CurvesPanel runs={useRuns(props)} project={props.project} given={null} />;
}

/** Runs of the studio: the answers of their jobs have the training loss, and it has more of those that it trained. */
function JobCurves(props: SourcesProps) {
  const { sources, project } = props;
  const jobIds = useMemo(() => toJobIds(sources).slice(0, MAX_READ_AT_ONCE), [sources]);
  const activeIds = useMemo(() => toActiveJobIds(sources), [sources]);
  const { answers, onRetry } = useJobAnswers(jobIds, activeIds);
  const followed = useMemo((): FollowedCurves => {
    const curves = toRows(sources, answers.byId, answers.pending)
      .map(({ id, losses }) => toLossCurve(id, losses))
      .filter((curve) => curve !== null);
    return {
      curves,
      whole: curves,
      names: curves.length > 0 ? [{ name: 'loss', runs: curves.length }] : [],
      isPending: answers.pending.size > 0,
      error: answers.error,
      isThinned: false,
      onRetry,
    };
  }, [sources, answers, onRetry]);
  const trained = useMemo(
    () =>
      new Set(
        [...answers.byId.values()].flatMap((job) =>
          (job?.experiments ?? []).flatMap(({ id, chosen_settings: chosen }) => (chosen === null ? [] : [id])),
        ),
      ),
    [answers],
  );
  return <CurvesPanel runs={useRuns(props)} project={project} given={followed} askedFor={trained} />;
}

/** The curves of the runs below a node, wherever they come from. */
export function CurvesTab({ path, whole }: CurvesTabProps) {
  const sources = useMemo(() => toSources(path), [path]);
  const project = path[0]?.id ?? '';
  const isFolder = useIsFolder(project);
  if (isFolder === undefined) return <Skeleton rows={8} />;
  return isFolder ? (
    <FolderCurves sources={sources} project={project} whole={whole} />
  ) : (
    <JobCurves sources={sources} project={project} whole={whole} />
  );
}
