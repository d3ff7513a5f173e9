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
  type XAxis,
} from '#features/runs/web/curves/curveMath/curveView.ts';
import { toLines } from '#features/runs/web/curves/curveMath/lineBook.ts';
import {
  FIRST_METRICS,
  toDecidingMetric,
  toPlotSpecs,
  toUsualMetrics,
  type PlotSpec,
} from '#features/runs/web/curves/curveMath/metrics.ts';
import type { StepRange } from '#features/runs/web/curves/curveMath/curveRequests.ts';
import { toRunColors } from '#features/runs/web/curves/curveMath/runColors.ts';
import { toXText } from '#features/runs/web/curves/curveMath/xText.ts';
import { MetricPicker } from './MetricPicker.tsx';
import { NearView } from './NearView.tsx';
import { PICTURE_HEIGHT, toPlotData, type PlotsInput } from './plotData.ts';
import { createPointer } from './pointer.ts';
import { RunList } from './RunList.tsx';
import { toUnitedCurves, useCurves, type FollowedCurves } from './useCurves.ts';
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
  /** Ids of the runs of which the service has more curves than are given. */
  askedFor?: ReadonlySet<string>;
}

const NO_RUNS: ReadonlySet<string> = new Set();
/** CSS pixels of a picture that has the page for itself. */
const HEIGHT_ALONE = 400;
/** What a plot has above and below its picture. */
const PLOT_FRAME = 70;

/** Metrics that the x axis needs. */
const toAxisMetrics = ({ x }: CurveView): readonly string[] => (x === 'epoch' || x === 'tokens' ? X_METRICS[x] : []);

const changeView = (view: CurveView, patch: Partial<CurveView>): void =>
  updateUrl({ curves: toCurveViewText({ ...view, ...patch }) }, { replace: true });

interface Zoom {
  /** Another axis has other numbers: the zoom waits until this one is back. */
  readonly axis: XAxis;
  readonly range: XRange;
  /** The steps in view, whose points are asked for; null: none. */
  readonly steps: StepRange | null;
}

/** The metric that decides comes first. */
function toBestOptions(names: FollowedCurves['names']): readonly string[] {
  const first = toDecidingMetric(names);
  const rest = names
    .map(({ name }) => name)
    .filter((name) => name !== first && !['epoch', 'learning_rate'].includes(name));
  return first === null ? [] : [first, ...rest.toSorted()];
}

/** The metrics to plot, those of the address or else the usual ones that the runs have, and the curves. */
function useShownCurves({ runs, given, askedFor = NO_RUNS }: CurvesPanelProps, view: CurveView, zoom: Zoom | null) {
  const { metrics: named } = useUrlState();
  const [usual, setUsual] = useState<readonly string[]>(FIRST_METRICS);
  const wanted = useMemo(() => {
    const shown = named.length > 0 ? named : usual;
    return [...new Set([...shown, ...(view.best === null ? [] : [view.best]), ...toAxisMetrics(view)])];
  }, [named, usual, view]);
  const asking = useMemo(() => (given ? runs.filter(({ id }) => askedFor.has(id)) : runs), [given, runs, askedFor]);
  const asked = useCurves(asking, wanted, zoom?.steps ?? null);
  const source = useMemo(
    () => (given ? toUnitedCurves(given, asked, new Set(asking.map(({ id }) => id))) : asked),
    [given, asked, asking],
  );
  const metrics = useMemo(() => (named.length > 0 ? named : toUsualMetrics(source.names)), [named, source.names]);
  // Runs that have none of the usual metrics: the first ones that they have are asked for.
  if (named.length === 0 && metrics.some((name) => !usual.includes(name))) setUsual(metrics);
  return { source, metrics };
}

/** Lines by metric: as their curves are loaded, and from end to end. */
function useLines(source: FollowedCurves, axis: XAxis, runs: readonly CurveRun[]) {
  const whole = useMemo(() => toLines(source.whole, axis, runs), [source.whole, axis, runs]);
  const lines = useMemo(
    () => (source.curves === source.whole ? whole : toLines(source.curves, axis, runs, source.whole)),
    [source.curves, source.whole, whole, axis, runs],
  );
  return { whole, lines };
}

/** The x of all shown lines from end to end, and the part in view; null: they have no point. */
function useXRanges(
  whole: ReturnType<typeof toLines>,
  metrics: readonly string[],
  hidden: ReadonlySet<string>,
  zoom: Zoom | null,
) {
  const range = useMemo(
    () => toWholeRange(metrics.flatMap((name) => whole.get(name) ?? []).filter(({ runId }) => !hidden.has(runId))),
    [metrics, whole, hidden],
  );
  const x = useMemo(() => (range && zoom ? toKept(zoom.range, range) : null) ?? range, [range, zoom]);
  return { range, x };
}

/** Why the curves of the service are not here, and a way to ask again. */
function CurvesError({ source: { error, onRetry } }: { source: FollowedCurves }) {
  if (error === null) return null;
  return (
    <ErrorNotice
      title="The curves can’t be read"
      detail={error.message}
      hint={error instanceof ApiFailure ? error.hint : undefined}
      onRetry={onRetry}
    />
  );
}

interface NoCurveProps {
  source: FollowedCurves;
  axis: XAxis;
  isAllHidden: boolean;
}

/** Why nothing is drawn. */
function NoCurve({ source, axis, isAllHidden }: NoCurveProps) {
  return (
    <EmptyState icon={<ChartSpline aria-hidden size={20} />} title="No curve to draw">
      {source.curves.length === 0
        ? 'These runs have logged no metric yet, or their trainer kept none.'
        : isAllHidden
          ? 'All runs are hidden in the list.'
          : `These runs have no ${X_LABELS[axis]} for their points. Choose another x axis.`}
    </EmptyState>
  );
}

type CurvePlotOfProps = Omit<Parameters<typeof CurvePlot>[0], 'data' | keyof PlotsInput> & { input: PlotsInput };

/** Computes what a plot draws only where it is near the view. */
function CurvePlotOf({ input, ...props }: CurvePlotOfProps) {
  const { spec } = props;
  const data = useMemo(() => toPlotData({ ...input, spec }), [spec, input]);
  return <CurvePlot {...props} view={input.view} x={input.x} names={input.names} data={data} />;
}

type PlotsProps = Omit<CurvePlotOfProps, 'spec' | 'height' | 'onShowAll'> & { specs: readonly PlotSpec[] };

/** One plot for each metric; one that is alone is higher. */
function Plots({ specs, ...shared }: PlotsProps) {
  const { view } = shared.input;
  const height = specs.length === 1 && view.best === null ? HEIGHT_ALONE : PICTURE_HEIGHT;
  const onShowAll = () => changeView(view, { outliers: 'shown' });
  return specs.map((spec) => (
    <NearView
      key={spec.key}
      height={height + PLOT_FRAME}
      render={() => <CurvePlotOf {...{ spec, height, onShowAll }} {...shared} />}
    />
  ));
}

/** Curves of many runs, one plot for each metric, with one x axis and one pointer for all plots. */
export function CurvesPanel(props: CurvesPanelProps) {
  const { runs: all, project } = props;
  const url = useUrlState();
  const view = useMemo(() => parseCurveView(url.curves), [url.curves]);
  const choice = useMemo(() => toRunChoice(all, view.runs), [all, view.runs]);
  const { runs } = choice;
  const [hidden, setHidden] = useState(NO_RUNS);
  const [front, setFront] = useState<string | null>(null);
  const [isPicking, setPicking] = useState(false);
  const [pointer] = useState(createPointer);
  const [lastZoom, setZoom] = useState<Zoom | null>(null);
  const zoom = lastZoom?.axis === view.x ? lastZoom : null;
  const { source, metrics } = useShownCurves({ ...props, runs }, view, zoom);
  const { whole, lines } = useLines(source, view.x, runs);

  const colors = useMemo(() => toRunColors(project, runs), [project, runs]);
  const names = useMemo(() => new Map(runs.map(({ id, label }) => [id, label])), [runs]);
  const specs = useMemo(() => toPlotSpecs(metrics), [metrics]);
  const { range, x } = useXRanges(whole, metrics, hidden, zoom);
  const input = useMemo(
    (): PlotsInput | null => x && { lines, colors, hidden, names, view, x },
    [lines, colors, hidden, names, view, x],
  );

  if (all.length === 0)
    return (
      <EmptyState icon={<ChartSpline aria-hidden size={20} />} title="No runs here yet">
        Curves belong to runs. They appear here as soon as a run is there.
      </EmptyState>
    );
  const onZoom = (next: XRange | null): void =>
    setZoom(next && { axis: view.x, range: next, steps: toStepRange([...whole.values()].flat(), next) });
  return (
    <section aria-label="Curves" className="@container flex flex-col gap-2.5">
      <CurvesToolbar
        view={view}
        onView={(patch) => changeView(view, patch)}
        counts={{ chosen: all.filter(({ chosenPlace }) => chosenPlace !== null).length, all: all.length }}
        isChosen={choice.isChosen}
        metrics={{ shown: metrics.length, all: source.names.length }}
        isPicking={isPicking}
        onPick={() => setPicking(!isPicking)}
        bestOptions={toBestOptions(source.names)}
        zoomed={zoom && x ? `${toXText(view.x, x.from)} to ${toXText(view.x, x.to)}` : null}
        onZoom={(factor) => range && x && onZoom(toZoomed(x, range, factor, (x.from + x.to) / 2))}
        onReset={() => onZoom(null)}
        files={<CurveFiles specs={specs} input={input} />}
      />
      {isPicking && (
        <MetricPicker
          names={source.names}
          runCount={runs.length}
          chosen={metrics}
          onChoose={(next) => updateUrl({ metrics: next }, { replace: true })}
        />
      )}
      <CurvesError source={source} />
      {choice.left > 0 && (
        <p className="text-sm text-soft">
          The first {MOST_RUNS} of {formatCount(runs.length + choice.left)} runs. Choose others in the table of runs.
        </p>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-2.5 @4xl:grid-cols-[15rem_minmax(0,1fr)]">
        <RunList runs={runs} colors={colors} hidden={hidden} onHidden={setHidden} onFront={setFront} />
        <div className="grid min-w-0 gap-2.5 grid-cols-[repeat(auto-fit,minmax(min(100%,25rem),1fr))]">
          {source.isPending && source.curves.length === 0 && <Skeleton rows={8} className="p-4" />}
          {!source.isPending && input === null && source.error === null && (
            <NoCurve source={source} axis={view.x} isAllHidden={hidden.size >= runs.length} />
          )}
          {view.best !== null && (
            <BestPlot
              metric={view.best}
              lines={(whole.get(view.best) ?? []).filter(({ runId }) => !hidden.has(runId))}
              names={names}
              colors={colors}
            />
          )}
          {input && range && <Plots {...{ specs, input, front, pointer, onZoom }} whole={range} />}
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
