// What is said about the state of a run. Pure.
import type { Run } from '#features/runs/shared/runs.ts';
import { isActiveStatus } from '#core/contract/statuses.ts';
import { formatAge, formatDuration, toCountText, makeOnce } from '#ui/kit/format.ts';

/** "step 310 of 671"; null: the run wrote no step. */
export function toProgressText({ step, total_steps: total }: Pick<Run, 'step' | 'total_steps'>): string | null {
  if (step === null) return total === null ? null : `${toCountText(total)} steps planned`;
  return total === null ? `step ${toCountText(step)}` : `step ${toCountText(step)} of ${toCountText(total)}`;
}

/** 0 to 1; null: unknown. */
export function toProgress({ step, total_steps: total }: Pick<Run, 'step' | 'total_steps'>): number | null {
  return step === null || total === null || !(total > 0) ? null : Math.min(1, Math.max(0, step / total));
}

const date = makeOnce(
  () =>
    new Intl.DateTimeFormat('en-GB', {
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

export const toDateText = (at: number): string => date().format(at);

/** When it began, how long it took, when it last wrote something. `now`: Unix milliseconds. */
export function toTimeText(run: Run, now: number): string {
  const { started_at: start, ended_at: end, last_sign_at: sign, status, seconds } = run;
  const sessions = run.parts.length > 1 ? ` in ${run.parts.length} sessions` : '';
  const ms =
    seconds !== undefined ? seconds * 1000 : start !== null && end !== null && end >= start ? end - start : null;
  const parts = [
    start === null ? 'start unknown' : `started ${toDateText(start)}`,
    ms === null || isActiveStatus(status) ? '' : `took ${formatDuration(ms)}${sessions}`,
    sign !== null && isActiveStatus(status) ? `last activity ${formatAge(Math.max(0, now - sign))}` : '',
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Whether the trainer said so itself. */
export function toCertaintyText({ status, is_status_certain }: Pick<Run, 'status' | 'is_status_certain'>): string {
  if (status === 'pending') return 'Its result is shown as soon as they are read.';
  if (!is_status_certain) return 'Inferred from its files: no file states it.';
  // Nothing on a disk says of itself that a run goes on.
  return status === 'running'
    ? 'From its files, and from the processes on this machine.'
    : 'The trainer or its tracker recorded this.';
}
