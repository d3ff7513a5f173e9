import { CircleX } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { splitFigures, toMoreText } from '#features/experiments/shared/manyFigures.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { MoreFigures } from '#ui/kit/MoreFigures.tsx';
import { WholeNumbers } from '#ui/kit/WholeNumbers.tsx';
import { useIsRate } from '#features/experiments/web/compareState/rateChoice.ts';
import { toFieldTip } from '#features/experiments/shared/fieldLabels.ts';
import type { DetailPart, ExperimentColumn } from '#features/experiments/web/rows/column.ts';
import { toColumns } from '#features/experiments/web/rows/columns.ts';
import {
  toActiveJobIds,
  toJobIds,
  toRows,
  toSources,
  type ExperimentRow,
} from '#features/experiments/web/rows/experimentRows.ts';
import { toRateHint } from '#features/experiments/web/rows/rateHint.ts';
import { ExperimentLosses } from './ExperimentLosses.tsx';
import { ExperimentValue } from './ExperimentValue.tsx';
import { JobsNotice } from './JobsNotice.tsx';
import { useJobAnswers } from './useJobAnswers.ts';

interface ExperimentDetailProps {
  /** From the project to the experiment. */
  path: readonly TreeNode[];
  /** Its state, its reason and its losses stand above already. */
  isWatched?: boolean;
}

interface FactListProps {
  title: string;
  columns: readonly ExperimentColumn[];
  row: ExperimentRow;
}

const NO_SERIES: ReadonlyMap<string, number> = new Map();

interface PartShape {
  readonly title: string;
  /** Whether a line without a value is shown. */
  readonly showsMissing: boolean;
}

/** In the order of the page. */
const PARTS: Readonly<Record<DetailPart, PartShape>> = {
  hyperparameters: { title: 'Hyperparameters', showsMissing: true },
  training: { title: 'Training', showsMissing: true },
  other: { title: 'Other fields of the job', showsMissing: true },
  validation: { title: 'On validation rows', showsMissing: false },
};
const PART_IDS = Object.keys(PARTS) as readonly DetailPart[];

function Facts({ columns, row }: Omit<FactListProps, 'title'>) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5">
      {columns.map((column) => (
        <div key={column.id} className="contents">
          <dt title={toFieldTip(column)} className="text-sm leading-6 text-soft">
            {column.label}
          </dt>
          <dd className="min-w-0 truncate font-mono text-sm leading-6">
            <ExperimentValue column={column} row={row} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FactList({ title, columns, row }: FactListProps) {
  const { shown, more } = splitFigures(
    columns,
    () => true,
    () => false,
  );
  return (
    <div className="min-w-72 flex-1">
      <h3 className="pb-1 font-semibold">{title}</h3>
      <Facts columns={shown} row={row} />
      {shown.map(
        ({ id, label, hint, read }) =>
          hint !== undefined &&
          read(row) !== null && (
            <p key={id} className="pt-1 text-sm text-soft">
              {label}: {hint}.
            </p>
          ),
      )}
      {more.length > 0 && (
        <MoreFigures title={toMoreText(more.length)}>
          <Facts columns={more} row={row} />
        </MoreFigures>
      )}
    </div>
  );
}

function toFailureText({ failure, isPending, isUnread }: ExperimentRow): string {
  if (failure !== null) return `: ${failure}`;
  if (isPending) return '; the reason is being loaded.';
  return isUnread ? '; the reason is not loaded.' : '; the service sent no reason.';
}

/** How an experiment went, from its job: why it failed, its loss curve, then how it was trained and its results. */
export function ExperimentDetail({ path, isWatched = false }: ExperimentDetailProps) {
  const [hoveredKey, setHovered] = useState<string | null>(null);
  const sources = useMemo(() => toSources(path), [path]);
  const jobIds = useMemo(() => toJobIds(sources), [sources]);
  const activeIds = useMemo(() => toActiveJobIds(sources), [sources]);
  const { answers, onRetry, onRequestAll } = useJobAnswers(jobIds, activeIds);
  const [row] = useMemo(() => toRows(sources, answers.byId, answers.pending), [sources, answers]);
  const isRate = useIsRate();
  const cause = useMemo(() => {
    if (row?.status !== 'failed') return null;
    const ofJob = path.findIndex(({ type }) => type === 'finetuning-job');
    return ofJob < 0
      ? null
      : toRateHint(row, toRows(toSources(path.slice(0, ofJob + 1)), answers.byId, answers.pending), isRate);
  }, [row, path, answers, isRate]);
  const columns = useMemo(() => toColumns(row ? [row] : [], isRate), [row, isRate]);
  if (!row) return null;
  const toPart = (part: DetailPart): readonly ExperimentColumn[] =>
    part === 'training' && answers.isHidden
      ? []
      : columns.filter(({ detail, read }) => detail === part && (PARTS[part].showsMissing || read(row) !== null));
  return (
    <section aria-label="Training" className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-3">
      {row.status === 'failed' && !(isWatched && cause === null) && (
        <p className="flex gap-2 rounded-md bg-error-soft px-3 py-2">
          <CircleX aria-hidden size={15} className="mt-0.5 shrink-0 text-error" />
          <span className="min-w-0">
            <strong className="font-semibold text-error">Failed</strong>
            {!isWatched && <WholeNumbers text={toFailureText(row)} />}
            {cause !== null && (
              <span className="block">
                <WholeNumbers text={cause} />
              </span>
            )}
          </span>
        </p>
      )}
      {row.losses.length > 0 && !isWatched && (
        <ExperimentLosses rows={[row]} series={NO_SERIES} hoveredKey={hoveredKey} onHover={setHovered} />
      )}
      {/* The curve comes with the job, too late to move what is below it. */}
      {row.losses.length === 0 && row.isPending && !isWatched && <Skeleton rows={6} className="py-2" />}
      <JobsNotice
        answers={answers}
        jobCount={jobIds.length}
        isDeferred={false}
        onRequest={onRetry}
        onRetry={onRetry}
        onRequestAll={onRequestAll}
      />
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        {PART_IDS.map((part) => {
          const shown = toPart(part);
          return shown.length > 0 && <FactList key={part} title={PARTS[part].title} columns={shown} row={row} />;
        })}
      </div>
    </section>
  );
}
