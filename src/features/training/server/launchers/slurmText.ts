// What Slurm's commands write and read. Pure. Seen with Slurm 22.05: `squeue --json` ignores `-j`, and accounting is often off,
// so jobs are read with `scontrol show job`, and each job writes its exit code into a file by itself.
import type { EndCause, LaunchStatus } from './launcher.ts';
import { quote } from './nodeCommand.ts';

export interface SlurmRequest {
  readonly partition: string | null;
  readonly account: string | null;
  readonly qos: string | null;
  readonly gpus: number;
  readonly gpuType: string | null;
  readonly cpus: number | null;
  readonly memoryGb: number | null;
  readonly minutes: number | null;
  /** Words for sbatch that have no field here. */
  readonly options: readonly string[];
}

/** Seconds before the time limit, or the end by others, at which the worker is told to save. */
const WARNING_SECONDS = 120;
/** Of a short limit, a quarter. */
const toWarning = (minutes: number | null): number => Math.min(WARNING_SECONDS, (minutes ?? WARNING_SECONDS) * 15);

export function toSbatchWords(request: SlurmRequest, { id, folder }: { id: string; folder: string }): string[] {
  const { partition, account, qos, gpus, gpuType, cpus, memoryGb, minutes, options } = request;
  const given: readonly (readonly [string, string | number | null])[] = [
    ['partition', partition],
    ['account', account],
    ['qos', qos],
    ['gres', gpus === 0 ? null : `gpu:${gpuType === null ? '' : `${gpuType}:`}${gpus}`],
    ['cpus-per-task', cpus],
    ['mem', memoryGb === null ? null : `${memoryGb}G`],
    ['time', minutes],
  ];
  return [
    'sbatch',
    '--parsable',
    `--job-name=${id}`,
    `--output=${folder}/log`,
    `--chdir=${folder}`,
    // The studio places it again by itself, and counts how often.
    '--no-requeue',
    `--signal=B:TERM@${toWarning(minutes)}`,
    ...given.flatMap(([name, value]) => (value === null ? [] : [`--${name}=${value}`])),
    ...options,
  ];
}

/** The script of a job: a worker that hears of the end of the job, and its exit code in a file. */
export const toBatchScript = (command: readonly string[], folder: string): string => `#!/bin/sh
${command.map(quote).join(' ')} &
pid=$!
trap 'kill -TERM $pid 2>/dev/null' TERM
wait $pid; code=$?
while kill -0 $pid 2>/dev/null; do wait $pid; code=$?; done
echo $code >${quote(`${folder}/exit.new`)} && mv ${quote(`${folder}/exit.new`)} ${quote(`${folder}/exit`)}
exit $code
`;

/** \`Name=Value\` of \`scontrol --oneliner show job\`. A value ends where the next name begins. */
export const parseFields = (line: string): ReadonlyMap<string, string> =>
  new Map(
    [...line.matchAll(/(?:^|\s)([A-Z][\w/:-]*)=(.*?)(?=\s[A-Z][\w/:-]*=|\s*$)/g)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  );

const CAUSES: Readonly<Record<string, EndCause>> = {
  OUT_OF_MEMORY: 'memory',
  TIMEOUT: 'time',
  DEADLINE: 'time',
  PREEMPTED: 'preempted',
  NODE_FAIL: 'node',
  BOOT_FAIL: 'node',
  REVOKED: 'node',
  CANCELLED: 'cancelled',
};
const WAITING = new Set([
  'PENDING',
  'CONFIGURING',
  'REQUEUED',
  'REQUEUE_HOLD',
  'REQUEUE_FED',
  'SPECIAL_EXIT',
  'SUSPENDED',
]);
const RUNNING = new Set(['RUNNING', 'COMPLETING', 'RESIZING', 'SIGNALING', 'STAGE_OUT', 'STOPPED']);

const ORDINALS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const plural = new Intl.PluralRules('en', { type: 'ordinal' });
const toOrdinal = (place: number): string => `${place}${ORDINALS[plural.select(place)] ?? 'th'}`;

/** What sbatch says of a job that it did not take: for good, for now, or because its controller is away. */
export function toRefusal(text: string): 'refused' | 'delayed' | 'away' {
  if (/MaxSubmitJob/.test(text)) return 'delayed';
  // Anything else of its own says what is wrong with the request.
  return /^sbatch: (?:error: )?/m.test(text) && !/(?:contact|socket|timed out|connect|temporarily)/i.test(text)
    ? 'refused'
    : 'away';
}

export interface SlurmFacts {
  readonly fields: ReadonlyMap<string, string>;
  /** What the job wrote by itself; null: nothing yet. */
  readonly exitCode: number | null;
  /** Its place among those that wait in its partition, from 1; null: not known. */
  readonly place: number | null;
}

export function toSlurmStatus({ fields, exitCode, place }: SlurmFacts): LaunchStatus {
  const [state = ''] = (fields.get('JobState') ?? '').split(/[ +]/);
  const reason = fields.get('Reason') ?? 'None';
  if (WAITING.has(state)) {
    const words = reason === 'None' ? state.toLowerCase() : reason;
    return { kind: 'waiting', reason: place === null ? words : `${words}, ${toOrdinal(place)} in the partition` };
  }
  if (RUNNING.has(state)) return { kind: 'running' };
  const [code] = (fields.get('ExitCode') ?? '').split(':');
  const known = /^\d+$/.test(code ?? '') ? Number(code) : null;
  const words = [state, ...(reason === 'None' ? [] : [reason])].join(', ');
  return { kind: 'ended', code: exitCode ?? known, cause: CAUSES[state] ?? null, words };
}
