import { ChartSpline } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ApiFailure } from '#ui/client/failure.ts';
import { updateUrl, useUrlState } from '#ui/address/urlState.ts';
import { EmptyState } from '#ui/kit/EmptyState.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { formatCount } from '#ui/kit/format.ts';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { BestPlot } from './BestPlot.tsx';
import { CurveFiles } from './CurveFiles.tsx';
import { CurvePlot } from './CurvePlot.tsx';
import { CurvesToolbar } from './CurvesToolbar.tsx';
import { MOST_RUNS, toRunChoice, type CurveRun } from '#features/runs/web/curves/curveMath/curveRun.ts';
import {
  parseCurveView,
  toCurveViewText,
  X_LABELS,
  X_METRICS,
  type CurveView,
} from '#features/runs/web/curves/curveMath/curveView.ts';
import { toLines } from '#features/runs/web/curves/curveMath/lineBook.ts';
import {
  FIRST_METRICS,
  toDecidingMetric,
  toPlotSpecs,
  toUsualMetrics,
} from '#features/runs/web/curves/curveMath/metrics.ts';
import type { StepRange } from '#features/runs/web/curves/curveMath/curveRequests.ts';
import { toRunColors } from '#features/runs/web/curves/curveMath/runColors.ts';
import { toXText } from '#features/runs/web/curves/curveMath/xText.ts';
import { MetricPicker } from './MetricPicker.tsx';
import { NearView } from './NearView.tsx';
import { PICTURE_HEIGHT, toPlotData } from './plotData.ts';
import { createPointer } from './pointer.ts';
import { RunList } from './RunList.tsx';
import { useCurves, type FollowedCurves } from './useCurves.ts';
import {
  type XRange,
  toKept,
  toStepRange,
  toWholeRange,
  toZoomed,
} from '#features/runs/web/curves/curveMath/xRange.ts';

interface CurvesPanelProps {
  /** All runs below the selected node. The array keeps its identity while nothing in it changes. */
  runs: readonly CurveRun[];
  project: string;
  /** Curves that the page has already; null: the service is asked for those that are shown. */
  given: FollowedCurves | null;
}

const NO_RUNS: ReadonlySet<string> = new Set();
const NOBODY: readonly CurveRun[] = [];
/** CSS pixels of a picture that has the page for itself. */
const HEIGHT_ALONE = 400;
/** What a plot has above and below its picture. */
const PLOT_FRAME = 70;

/** Metrics that the x axis needs. */
const toAxisMetrics = ({ x }: CurveView): readonly string[] => (x === 'epoch' || x === 'tokens' ? X_METRICS[x] : []);

const changeView = (view: CurveView, patch: Partial<CurveView>): void =>
  updateUrl({ curves: toCurveViewText({ ...view, ...patch }) }, { replace: true });

/** Curves of many runs, one plot for each metric, with one x axis and one pointer for all plots. */
export function CurvesPanel({ runs: all, project, given }: CurvesPanelProps) {
  const url = useUrlState();
  const view = useMemo(() => parseCurveView(url.curves), [url.curves]);
  const choice = useMemo(() => toRunChoice(all, view.runs), [all, view.runs]);
  const { runs } = choice;
  const [hidden, setHidden] = useState(NO_RUNS);
  const [front, setFront] = useState<string | null>(null);
  const [isPicking, setPicking] = useState(false);
  const [pointer] = useState(createPointer);
  const [zoom, setZoom] = useState<{ readonly axis: string; readonly range: XRange } | null>(null);
  const zoomed = zoom?.axis === view.x ? zoom.range : null;
  const [steps, setSteps] = useState<StepRange | null>(null);
  const [usual, setUsual] = useState<readonly string[]>(FIRST_METRICS);

  const wanted = useMemo(() => {
    const shown = url.metrics.length > 0 ? url.metrics : usual;
    return [...new Set([...shown, ...(view.best === null ? [] : [view.best]), ...toAxisMetrics(view)])];
  }, [url.metrics, usual, view]);
  const asked = useCurves(given ? NOBODY : runs, wanted, zoomed === null ? null : steps);
  const source = given ?? asked;
  const chosen = useMemo(
    () => (url.metrics.length > 0 ? url.metrics : toUsualMetrics(source.names)),
    [url.metrics, source.names],
  );
  // Runs that have none of the usual metrics: the first ones that they have are asked for.
  if (url.metrics.length === 0 && chosen.some((name) => !usual.includes(name))) setUsual(chosen);

  const colors = useMemo(() => toRunColors(project, runs), [project, runs]);
  const names = useMemo(() => new Map(runs.map(({ id, label }) => [id, label])), [runs]);
  const whole = useMemo(() => toLines(source.whole, view.x, runs), [source.whole, view.x, runs]);
  const lines = useMemo(
    () => (source.curves === source.whole ? whole : toLines(source.curves, view.x, runs, source.whole)),
    [source.curves, source.whole, whole, view.x, runs],
  );
  const specs = useMemo(() => toPlotSpecs(chosen), [chosen]);
  const range = useMemo(
    () => toWholeRange(chosen.flatMap((name) => whole.get(name) ?? []).filter(({ runId }) => !hidden.has(runId))),
    [chosen, whole, hidden],
  );
  const x = useMemo(() => (range && zoomed ? toKept(zoomed, range) : null) ?? range, [range, zoomed]);

  if (all.length === 0)
    return (
      <EmptyState icon={<ChartSpline aria-hidden size={20} />} title="No runs here yet">
        Curves belong to runs. They appear here as soon as a run is there.
      </EmptyState>
    );
  const onZoom = (next: XRange | null): void => {
    setZoom(next && { axis: view.x, range: next });
    setSteps(next && toStepRange([...whole.values()].flat(), next));
  };
  const onView = (patch: Partial<CurveView>): void => changeView(view, patch);
  const isEmpty = range === null;
  const height = specs.length === 1 && view.best === null ? HEIGHT_ALONE : PICTURE_HEIGHT;
  return (
    <section aria-label="Curves" className="@container flex flex-col gap-2.5">
      <CurvesToolbar
        view={view}
        onView={onView}
        counts={{ chosen: all.filter(({ chosenPlace }) => chosenPlace !== null).length, all: all.length }}
        isChosen={choice.isChosen}
        metrics={{ shown: chosen.length, all: source.names.length }}
        isPicking={isPicking}
        onPick={() => setPicking(!isPicking)}
        bestOptions={toBestOptions(source.names)}
        zoomed={zoomed && x ? `${toXText(view.x, x.from)} to ${toXText(view.x, x.to)}` : null}
        onZoom={(factor) => range && x && onZoom(toZoomed(x, range, factor, (x.from + x.to) / 2))}
        onReset={() => onZoom(null)}
        files={
          <CurveFiles
            toInput={() => ({ specs, lines, colors, hidden, view, x, names })}
            disabledReason={isEmpty ? 'There is no curve to save.' : null}
          />
        }
      />
      {isPicking && (
        <MetricPicker
          names={source.names}
          runCount={runs.length}
          chosen={chosen}
          onChoose={(metrics) => updateUrl({ metrics }, { replace: true })}
        />
      )}
      {source.error !== null && (
        <ErrorNotice
          title="The curves can’t be read"
          detail={source.error.message}
          hint={source.error instanceof ApiFailure ? source.error.hint : undefined}
          onRetry={source.onRetry}
        />
      )}
      {choice.left > 0 && (
        <p className="text-sm text-soft">
          The first {MOST_RUNS} of {formatCount(runs.length + choice.left)} runs. Choose others in the table of runs.
        </p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-2.5 @4xl:grid-cols-[15rem_minmax(0,1fr)]">
        <RunList runs={runs} colors={colors} hidden={hidden} onHidden={setHidden} onFront={setFront} />
        <div className="grid min-w-0 gap-2.5 grid-cols-[repeat(auto-fit,minmax(min(100%,25rem),1fr))]">
          {source.isPending && source.curves.length === 0 && <Skeleton rows={8} className="p-4" />}
          {!source.isPending && isEmpty && source.error === null && (
            <EmptyState icon={<ChartSpline aria-hidden size={20} />} title="No curve to draw">
              {source.curves.length === 0
                ? 'These runs have logged no metric yet, or their trainer kept none.'
                : hidden.size >= runs.length
                  ? 'All runs are hidden in the list.'
                  : `These runs have no ${X_LABELS[view.x]} for their points. Choose another x axis.`}
            </EmptyState>
          )}
          {view.best !== null && (
            <BestPlot
              metric={view.best}
              lines={(whole.get(view.best) ?? []).filter(({ runId }) => !hidden.has(runId))}
              names={names}
              colors={colors}
            />
          )}
          {x !== null &&
            range !== null &&
            specs.map((spec) => (
              <NearView
                key={spec.key}
                height={height + PLOT_FRAME}
                render={() => (
                  <CurvePlotOf
                    spec={spec}
                    input={{ spec, lines, colors, hidden, names, view, x }}
                    {...{ view, x, names, front, pointer, onZoom, height }}
                    whole={range}
                    onShowAll={() => onView({ outliers: 'shown' })}
                  />
                )}
              />
            ))}
        </div>
      </div>
      {source.isThinned && (
        <p className="text-sm text-soft">
          Long curves are thinned to their lowest and highest values; zooming in loads all points.
          {view.smoothing > 0 && ' Smoothing uses the loaded points.'}
        </p>
      )}
    </section>
  );
}

/** The metric that decides comes first. */
function toBestOptions(names: FollowedCurves['names']): readonly string[] {
  const first = toDecidingMetric(names);
  const rest = names
    .map(({ name }) => name)
    .filter((name) => name !== first && !['epoch', 'learning_rate'].includes(name));
  return first === null ? [] : [first, ...rest.toSorted()];
}

type CurvePlotProps = Parameters<typeof CurvePlot>[0];

/** Computes what a plot draws only where it is near the view. */
function CurvePlotOf({ input, ...props }: Omit<CurvePlotProps, 'data'> & { input: Parameters<typeof toPlotData>[0] }) {
  const { spec, lines, colors, hidden, names, view, x } = input;
  const data = useMemo(
    () => toPlotData({ spec, lines, colors, hidden, names, view, x }),
    [spec, lines, colors, hidden, names, view, x],
  );
  return <CurvePlot {...props} data={data} />;
}
