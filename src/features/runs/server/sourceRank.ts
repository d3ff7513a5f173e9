// Which source of a fact is believed: configs that the process itself wrote, before what was written for people.
import type { FactSource, RunEvidence } from './evidence.ts';

const TRACKER = /^(?:wandb|mlflow|trackio|aim|swanlab|unsloth)/;
const EVENTS = /^(?:tensorboard|tfevents)/;

/** Trackers keep runs of many folders in a place of their own. */
export const isTracker = (format: string): boolean => TRACKER.test(format);

/** Event files are in a folder below the outputs, and say nothing about them. */
export const isEvents = (format: string): boolean => EVENTS.test(format);

/** The id that a tracker gave a run. W&B's folders end with it; the keys of databases are ids. */
export function toTrackerId({ format, trackerId, key, folder }: RunEvidence): string | null {
  if (trackerId !== null || !isTracker(format)) return trackerId;
  return format === 'wandb' ? (/-([^-/]+)$/.exec(folder)?.[1] ?? key) : key;
}

const RANKS: readonly (readonly [name: RegExp, rank: number])[] = [
  [/(?:^|\/)trainer_state\.json$/, 4],
  [/(?:^|\/)adapter_config\.json$/, 5],
  [/\.(?:log|txt|out|err)$/i, 6],
  [/(?:^|\/)README\.md$/i, 7],
];

/** 0 is best: the training arguments in an event file, a tracker's config, the trainer's own, a state, a log, a card. */
export function toSourceRank(format: string, { file, place }: FactSource): number {
  if (isEvents(format) || place?.startsWith('args/') === true) return 0;
  if (isTracker(format)) return 1;
  return RANKS.find(([name]) => name.test(file))?.[1] ?? 2;
}

/** A method that a trainer's class or tag tells is believed before one that follows from settings or metrics. */
export const toMethodRank = (format: string, source: FactSource): number =>
  source.place === 'tags' || source.place === 'class of the arguments' ? -1 : toSourceRank(format, source);
