// Reads what a studio says of trainings: missing fields are null or empty, unknown ones are left out. Never throws.
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';
import type { ExportParity } from '#core/contract/exportParity.ts';
import { readParity } from './parityReader.ts';
import type { ProgressPoint, TrainingAction, TrainingBases, TrainingLog, ValidationPoint } from './trainingRecords.ts';

const SPECIAL: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);
const ACTIONS: readonly TrainingAction[] = ['cancel', 'stop', 'resume'];

const numberOf = (value: unknown): number | null => numberOr(value, null);
const textOf = (value: unknown): string | null => textOr(value, null);

/** A loss; NaN if it is missing or none of the forms of a number. */
const toLoss = (value: unknown): ProgressPoint['loss'] =>
  SPECIAL.has(value) ? (value as 'NaN') : numberOr<'NaN'>(value, 'NaN');

function toPoint(value: JsonObject): ProgressPoint[] {
  const step = numberOf(value['step']);
  if (step === null) return [];
  return [
    {
      step,
      epoch: numberOf(value['epoch']),
      loss: toLoss(value['loss']),
      learning_rate: numberOf(value['learning_rate']),
      gradient_norm: numberOf(value['gradient_norm']),
      tokens_per_second: numberOf(value['tokens_per_second']),
      at: numberOr(value['at'], 0),
    },
  ];
}

function toValidation(value: JsonObject): ValidationPoint[] {
  const step = numberOf(value['step']);
  if (step === null) return [];
  const answers = arrayOr(value['answers'])
    .filter(isObject)
    .map((answer) => ({
      prompt: textOr(answer['prompt'], ''),
      expected: textOr(answer['expected'], ''),
      answer: textOr(answer['answer'], ''),
      is_right: typeof answer['is_right'] === 'boolean' ? answer['is_right'] : null,
    }));
  const loss = value['loss'] == null ? null : toLoss(value['loss']);
  return [{ step, loss, exact_match: numberOf(value['exact_match']), answers }];
}

/** Progress as read. The status is one of EXPERIMENT_STATUSES, or any text of another service. */
export interface ReadProgress {
  readonly experiment_id: string;
  readonly job_id: string | null;
  readonly status: string;
  readonly reason: string | null;
  readonly queue_position: number | null;
  readonly actions: readonly TrainingAction[];
  readonly step: number;
  readonly steps: number | null;
  readonly seconds_left: number | null;
  readonly tokens_per_step: number | null;
  readonly started_at: number | null;
  readonly ended_at: number | null;
  readonly rows_cut: number | null;
  readonly rows_left_out: number | null;
  readonly points: readonly ProgressPoint[];
  readonly validations: readonly ValidationPoint[];
  readonly checkpoints: readonly {
    readonly step: number;
    readonly saved_at: number;
    readonly model_id: string | null;
  }[];
  /** The worker that trains it; null: the studio's own machine, or none does now. */
  readonly machine: string | null;
  /** Whether the model's files answer as the trainer did; null: not measured. */
  readonly parity: ExportParity | null;
}

/** Fails only without an experiment's id. */
export function readProgress(body: unknown): Read<ReadProgress> {
  const id = isObject(body) ? textOr(body['experiment_id'], '') : '';
  if (!isObject(body) || id === '') return failRead('the progress names no experiment');
  return {
    ok: true,
    value: {
      experiment_id: id,
      job_id: textOf(body['job_id']),
      status: textOr(body['status'], 'unknown'),
      reason: textOf(body['reason']),
      queue_position: numberOf(body['queue_position']),
      actions: ACTIONS.filter((action) => arrayOr(body['actions']).includes(action)),
      step: numberOr(body['step'], 0),
      steps: numberOf(body['steps']),
      seconds_left: numberOf(body['seconds_left']),
      tokens_per_step: numberOf(body['tokens_per_step']),
      started_at: numberOf(body['started_at']),
      ended_at: numberOf(body['ended_at']),
      rows_cut: numberOf(body['rows_cut']),
      rows_left_out: numberOf(body['rows_left_out']),
      points: arrayOr(body['points']).filter(isObject).flatMap(toPoint),
      validations: arrayOr(body['validations']).filter(isObject).flatMap(toValidation),
      checkpoints: arrayOr(body['checkpoints'])
        .filter(isObject)
        .flatMap((checkpoint) => {
          const step = numberOf(checkpoint['step']);
          const saved_at = numberOr(checkpoint['saved_at'], 0);
          return step === null ? [] : [{ step, saved_at, model_id: textOf(checkpoint['model_id']) }];
        }),
      machine: textOf(body['machine']),
      parity: readParity(body['parity']),
    },
  };
}

/** Fails only if it is no object. */
export function readTrainingLog(body: unknown): Read<TrainingLog> {
  if (!isObject(body)) return failRead('the log is not an object');
  const from = numberOr(body['from'], 0);
  const next = numberOr(body['next'], from);
  return { ok: true, value: { from, next, size: numberOr(body['size'], next), text: textOr(body['text'], '') } };
}

export interface ReadQueue {
  /** null: nothing trains on the studio's machine. */
  readonly trainer: { readonly name: string; readonly trains_only: readonly string[] | null } | null;
  /** Machines elsewhere train for the studio. */
  readonly has_workers: boolean;
  readonly running: readonly string[];
  readonly waiting: readonly {
    readonly experiment_id: string;
    readonly job_id: string | null;
    readonly position: number;
    readonly reason: string | null;
  }[];
}

/** Fails only if it is no object. Positions count from 1 if the service sends none. */
export function readTrainingQueue(body: unknown): Read<ReadQueue> {
  if (!isObject(body)) return failRead('the queue is not an object');
  const { trainer } = body;
  const only = isObject(trainer) && Array.isArray(trainer['trains_only']) ? trainer['trains_only'] : null;
  return {
    ok: true,
    value: {
      trainer: isObject(trainer)
        ? {
            name: textOr(trainer['name'], ''),
            trains_only: only && only.filter((id): id is string => typeof id === 'string'),
          }
        : null,
      has_workers: body['has_workers'] === true,
      running: arrayOr(body['running']).filter((id) => typeof id === 'string'),
      waiting: arrayOr(body['waiting'])
        .filter(isObject)
        .flatMap((entry, at) => {
          const id = textOr(entry['experiment_id'], '');
          if (id === '') return [];
          const position = numberOr(entry['position'], at + 1);
          return [{ experiment_id: id, job_id: textOf(entry['job_id']), position, reason: textOf(entry['reason']) }];
        }),
    },
  };
}

/** Reads the answer to a new, duplicated or generated job: its id. */
export function readCreatedJob(body: unknown): Read<string> {
  const id = isObject(body) ? textOr(body['job_id'], '') : '';
  return id === '' ? failRead('the answer names no job') : { ok: true, value: id };
}

type BaseShape = NonNullable<TrainingBases['bases'][number]['shape']>;

/** null: a size is missing. */
function toShape(value: unknown): BaseShape | null {
  if (!isObject(value)) return null;
  const size = (name: string): number => numberOr(value[name], 0);
  const shape = {
    layers: size('layers'),
    width: size('width'),
    heads: size('heads'),
    key_heads: size('key_heads'),
    head_width: size('head_width'),
    inner_width: size('inner_width'),
    vocabulary: size('vocabulary'),
    context: size('context'),
    has_output: value['has_output'] === true,
  };
  return Object.values(shape).some((part) => typeof part === 'number' && !(part > 0)) ? null : shape;
}

/** Fails only without the list. A base model without an id is left out. */
export function readTrainingBases(body: unknown): Read<TrainingBases> {
  if (!isObject(body) || !Array.isArray(body['bases'])) return failRead('the answer has no list of base models');
  const bases = body['bases'].filter(isObject).flatMap((base) => {
    const id = textOr(base['id'], '');
    if (id === '') return [];
    const speed = numberOf(base['operations_per_second']);
    return [
      {
        id,
        refusal: textOf(base['refusal']),
        shape: toShape(base['shape']),
        operations_per_second: speed !== null && speed > 0 ? speed : null,
        finished_runs: numberOr(base['finished_runs'], 0),
        file_bytes: numberOf(base['file_bytes']),
      },
    ];
  });
  const { machine } = body;
  const memory = isObject(machine) ? numberOf(machine['memory_free']) : null;
  const disk = isObject(machine) ? numberOf(machine['disk_free']) : null;
  const isKnown = memory !== null && disk !== null;
  return { ok: true, value: { bases, machine: isKnown ? { memory_free: memory, disk_free: disk } : null } };
}
