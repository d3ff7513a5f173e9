// What the dialog says of the runs that it would start: how long they take, and what is trained before them. Pure.
import type { TrainingQueue } from '#features/training/shared/trainingRecords.ts';
import type { Launchers } from '#features/training/shared/launchers.ts';
import { formatCounted, formatDuration } from '#ui/kit/format.ts';

type Launcher = Launchers['launchers'][number];

/**
 * `milliseconds`: all of them one after another on the studio's machine; null: not known. `share`: the part of it that is
 * expected where poor runs stop early. `launcher`: what they are given to; null: this studio, or its workers.
 */
export function toQueueText(
  runs: number,
  milliseconds: number | null,
  queue: TrainingQueue | null | undefined,
  share = 1,
  launcher: Launcher | null = null,
): string {
  if (launcher !== null)
    return `${formatCounted(runs, 'run')}, at most ${launcher.most_at_once} at a time. ${launcher.name} says when each begins.`;
  const { trainer = null, has_workers: hasWorkers = false, running = [], waiting = [] } = queue ?? {};
  // How quick other machines are is not known.
  const isKnown = runs > 0 && milliseconds !== null && (queue == null || trainer !== null);
  const many = formatCounted(runs, 'run');
  const order = runs === 1 ? '' : ', one after another';
  const place = hasWorkers ? ' on this machine' : '';
  const less = hasWorkers && runs > 1 ? ', less with the workers' : '';
  const whole = isKnown ? formatDuration(milliseconds) : '';
  const time = isKnown && share < 1 ? `${formatDuration(milliseconds * share)} instead of ${whole}` : whole;
  const work = isKnown ? `${many}${order}${place}: about ${time}${less}.` : `${many}.`;
  const before = waiting.filter(({ launcher: other }) => other === null).length + (hasWorkers ? 0 : running.length);
  if (before === 0) return work;
  const verb = before === 1 ? 'is' : 'are';
  return `${work} ${formatCounted(before, 'run')} of the queue ${verb} ${hasWorkers ? 'taken' : 'trained'} first.`;
}
