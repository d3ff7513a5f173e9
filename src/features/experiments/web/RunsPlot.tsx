import { Suspense, useMemo } from 'react';
import { toOtherDataNote } from '#features/experiments/shared/otherData.ts';
import { LEAST_DRAWN, type PlotChoice } from '#features/experiments/web/compareState/plotChoice.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';
import { PlotNote } from '#ui/plots/PlotNote.tsx';
import type { ExperimentPlots as Plots } from './ExperimentPlots.tsx';

const ExperimentPlots = toLazyPart('The plots', async () => (await import('./ExperimentPlots.tsx')).ExperimentPlots);

/** About the height of each plot, so the content below doesn't move when the plot loads. */
const PLOT_ROOM: Readonly<Record<PlotChoice['kind'], string>> = {
  none: '',
  parallel: 'min-h-75',
  scatter: 'min-h-95 @max-[600px]:min-h-103',
  loss: 'min-h-94 @max-[600px]:min-h-108',
};

const PENDING = <Skeleton rows={5} className="p-4" />;

/** The chosen plot in its frame, with what a reader must know to compare the runs in it. */
export function RunsPlot(props: Parameters<typeof Plots>[0]) {
  const { choice, table } = props;
  const { found, answers, isDeferred } = table;
  const mixed = useMemo(() => toOtherDataNote(found.map(({ dataset_id }) => dataset_id)), [found]);
  const isOfAll = choice.kind === 'parallel' || choice.kind === 'scatter';
  return (
    <>
      {/* Above the plot's room and from the start: rows must not move when the plot comes. */}
      {isOfAll && found.length > 1 && <PlotNote text={mixed} />}
      {choice.kind !== 'none' && found.length >= LEAST_DRAWN[choice.kind] && (
        <div
          className={
            'rounded-lg border border-line bg-surface px-1 py-2 print:min-h-0 [&_figure]:border-0 ' +
            `${isDeferred || answers.isHidden ? '' : PLOT_ROOM[choice.kind]}`
          }
        >
          <Suspense fallback={PENDING}>{table.isFirstRead ? PENDING : <ExperimentPlots {...props} />}</Suspense>
        </div>
      )}
    </>
  );
}
