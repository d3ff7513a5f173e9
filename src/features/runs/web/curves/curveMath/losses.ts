// Losses as curves, and which of many runs' losses are drawn. Pure.
import type { ReadCurve } from '#features/runs/shared/curvesReader.ts';
import type { LossPoint } from '#core/contract/jobReader.ts';
import { formatCount } from '#ui/kit/format.ts';

/** In training, on validation rows, and both as they were before steps were trained again. */
export const LOSS_NAMES = ['loss', 'eval/loss', 'replaced/loss', 'replaced/eval/loss'] as const;

/** Losses that the page has already, such as those of a job's answer; null: there are none. */
export function toLossCurve(
  runId: string,
  losses: readonly LossPoint[],
  name: (typeof LOSS_NAMES)[number] = 'loss',
): ReadCurve | null {
  if (losses.length === 0) return null;
  return {
    run_id: runId,
    name,
    length: losses.length,
    steps: Float64Array.from(losses, ({ step }) => step),
    values: Float64Array.from(losses, ({ loss }) => loss),
    times: null,
  };
}

/** More lines than this can't be told apart. */
const MOST_CURVES = 8;

interface LossRun {
  readonly losses: readonly LossPoint[];
}

interface ChoiceInput<Run> {
  /** Runs outside are not drawn, even chosen ones. */
  readonly isInside: (run: Run) => boolean;
  /** If some with losses are chosen, only these are drawn. */
  readonly isChosen?: (run: Run) => boolean;
  /** Outside of what runs are left out. */
  readonly outside: 'the filters' | 'the selection';
  /** How a person sees others than the first ones. */
  readonly toOthers: string;
}

export interface DrawnRuns<Run> {
  readonly runs: readonly Run[];
  /** Says which ones are drawn, or why none is; null: all that have losses are drawn. */
  readonly note: string | null;
}

/** The first few runs with losses inside the filters: chosen ones, if there are any. */
export function toDrawnRuns<Run extends LossRun>(
  all: readonly Run[],
  { isInside, isChosen = () => false, outside, toOthers }: ChoiceInput<Run>,
): DrawnRuns<Run> {
  const withLosses = all.filter(({ losses }) => losses.length > 0);
  if (withLosses.length === 0)
    return { runs: [], note: 'None of these has a loss curve: only runs have one, and only if the service sends it.' };
  const areChosen = withLosses.some((run) => isChosen(run) && isInside(run));
  const wanted = areChosen ? withLosses.filter(isChosen) : withLosses;
  const inside = wanted.filter(isInside);
  const runs = inside.slice(0, MOST_CURVES);
  const left = wanted.length - inside.length;
  const what = areChosen ? 'selected runs with losses' : 'runs with losses';
  const parts = [
    runs.length < inside.length
      ? `the first ${runs.length} of ${formatCount(inside.length)} ${what}${left > 0 ? ` inside ${outside}` : ''}`
      : left > 0
        ? `${runs.length} of ${formatCount(wanted.length)} ${what}`
        : areChosen
          ? 'the selected runs'
          : '',
    left > 0 ? `${formatCount(left)} outside ${outside} ${left === 1 ? 'is' : 'are'} not drawn` : '',
    runs.length < inside.length && !areChosen ? toOthers : '',
  ];
  const text = parts.filter((part) => part !== '').join('; ');
  return { runs, note: text === '' ? null : `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
}
