// Which metrics there are, in groups; which are shown without a choice; which share a plot. Pure.
import type { MetricName } from '#features/runs/shared/curvesReader.ts';
import { toMeasure } from '#features/experiments/shared/measures.ts';

export interface MetricGroup {
  /** The prefix, with its slash; empty: names without one. */
  readonly prefix: string;
  readonly names: readonly MetricName[];
}

/** Shown first, in this order; other prefixes follow by name. */
const PREFIXES = ['', 'eval/', 'rewards/', 'completions/'];

function toPrefix(name: string): string {
  const slash = name.indexOf('/');
  return slash < 0 ? '' : name.slice(0, slash + 1);
}

const place = (prefix: string): number => (PREFIXES.includes(prefix) ? PREFIXES.indexOf(prefix) : PREFIXES.length);

/** `find`: words that a name has to hold, all of them. */
export function toMetricGroups(names: readonly MetricName[], find = ''): readonly MetricGroup[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, MetricName[]>();
  for (const metric of names) {
    const lower = metric.name.toLowerCase();
    if (!words.every((word) => lower.includes(word))) continue;
    const prefix = toPrefix(metric.name);
    groups.set(prefix, [...(groups.get(prefix) ?? []), metric]);
  }
  return [...groups]
    .map(([prefix, members]) => ({ prefix, names: members.toSorted((a, b) => a.name.localeCompare(b.name)) }))
    .toSorted((a, b) => place(a.prefix) - place(b.prefix) || a.prefix.localeCompare(b.prefix));
}

/** What says most about a run, by method; of each list, what the runs have. */
const LOSS = ['loss', 'eval/loss'];
const DPO = ['rewards/accuracies', 'eval/rewards/accuracies', 'rewards/margins', 'rewards/chosen', 'rewards/rejected'];
const GRPO = ['reward', 'reward_std', 'kl', 'completions/mean_length', 'completions/clipped_ratio'];
const ALWAYS = ['learning_rate', 'grad_norm'];

/** Shown while nobody has chosen metrics: of the method that most runs have, then of the others. */
export function toUsualMetrics(names: readonly MetricName[]): readonly string[] {
  const counts = new Map(names.map(({ name, runs }) => [name, runs]));
  const countOf = (name: string): number => counts.get(name) ?? 0;
  const [online, pairs, all] = [countOf('reward'), countOf('rewards/chosen'), countOf('loss')];
  const methods =
    online > 0 && 2 * online >= all
      ? [GRPO, LOSS, pairs > 0 ? DPO : []]
      : [LOSS, pairs > 0 ? DPO : [], online > 0 ? GRPO : []];
  const wanted = [...methods.flat(), ...(online + pairs > 0 ? [] : ['mean_token_accuracy']), ...ALWAYS];
  const found = wanted.filter((name) => counts.has(name));
  return found.length > 0 ? found : names.slice(0, 4).map(({ name }) => name);
}

/** Everything that a first request asks for: the usual metrics of every method. */
export const FIRST_METRICS: readonly string[] = [
  ...new Set([...LOSS, 'mean_token_accuracy', ...DPO, ...GRPO, ...ALWAYS]),
];

export interface PlotSpec {
  /** Also its title: the metric in training if it has both. */
  readonly key: string;
  /** One metric, or a metric in training, on validation rows, and as it was before it was trained again. */
  readonly names: readonly string[];
}

const toTrained = (name: string): string => name.replace(/^(?:replaced\/)?(?:eval\/)?/, '');

/** `eval/loss` and `replaced/loss` are drawn with `loss`, and so on; the order is that of the first of them. */
export function toPlotSpecs(names: readonly string[]): readonly PlotSpec[] {
  const plots = new Map<string, string[]>();
  for (const name of names) {
    const key = names.includes(toTrained(name)) ? toTrained(name) : name;
    plots.set(key, [...(plots.get(key) ?? []), name]);
  }
  return [...plots].map(([key, members]) => ({
    key,
    names: members.toSorted((a, b) => Number(a !== key) - Number(b !== key)),
  }));
}

/** The name of a metric inside a plot of several that is drawn dashed. */
export const isHeldOut = (name: string): boolean => /^(eval|test|predict|replaced)\//.test(name);

/** What a dashed line is, in a word. */
export const toDashedWord = (name: string): string => (name.startsWith('replaced/') ? 'replaced' : 'validation');

/** Which values of a metric are the better ones. */
export const toBetter = (name: string): 'higher' | 'lower' =>
  /(^|\/)kl$/.test(name) ? 'lower' : toMeasure(name.replaceAll('/', '_')).better;

/** Says best whether a run is good: offered first where runs are compared by one value. */
export function toDecidingMetric(names: readonly MetricName[]): string | null {
  const order = ['eval/rewards/accuracies', 'eval/reward', 'eval/loss', 'reward', 'rewards/accuracies', 'loss'];
  return order.find((name) => names.some((metric) => metric.name === name)) ?? names[0]?.name ?? null;
}
