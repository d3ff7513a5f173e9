// Watches a trainer until it has ended. Ends it when people want that, when another process may have its run, and when it
// can't come to anything any more.
import { toReason } from '#service/database/database.ts';
import type { HeldLease } from '#service/database/leases/leases.ts';
import type { TrainingTimes } from './oneTraining.ts';
import type { Recorder, Wish } from './recorder.ts';
import type { TrainerEnd, TrainerProcess } from './trainerProcess.ts';

/** Why the studio ended a trainer; `lost`: another process may have its run. */
export type Cause = 'cancel' | 'stop' | 'lost' | 'closing' | { readonly failed: string };

/** What is known of a run from the database, as it was last read. */
export interface RunState {
  wish: Wish;
  isDeleted: boolean;
  /** Another process may have it. */
  isLost: boolean;
}

interface Order {
  readonly cause: Cause;
  /** Time to save a checkpoint; 0: none. */
  readonly graceMs: number;
}

interface Facts extends Readonly<RunState> {
  readonly hopeless: string | null;
  /** How long the trainer has written nothing since it began; until then it may wait for a machine, or load weights. */
  readonly silentMs: number;
}

/** What a trainer is told; null: it goes on. */
export function toOrder(facts: Facts, { graceMs, silenceMs }: TrainingTimes): Order | null {
  const { wish, isDeleted, isLost, hopeless, silentMs } = facts;
  if (isLost || wish === 'lost') return { cause: 'lost', graceMs: 0 };
  if (wish === 'cancel' || isDeleted) return { cause: 'cancel', graceMs: Math.min(graceMs, 2_000) };
  if (wish === 'stop') return { cause: 'stop', graceMs };
  if (hopeless !== null) return { cause: { failed: hopeless }, graceMs: 0 };
  if (silentMs <= silenceMs) return null;
  const seconds = Math.ceil(silenceMs / 1000);
  const failed = `The trainer wrote nothing for ${seconds} s, so it was ended. The log has its last lines.`;
  return { cause: { failed }, graceMs: 0 };
}

/** What is being stopped can still be cancelled: then nothing of it is kept, and it has less time. */
const mayFollow = (before: Cause | null, next: Cause): boolean =>
  before === null || next === 'lost' || (before === 'stop' && next === 'cancel');

/** Most ticks of silence between two looks at a trainer. A longer time was no silence: the machine slept. */
const LONGEST_TICK = 10;

/** Milliseconds since the last line, summed up by ticks: while the machine slept, the trainer could not write. */
function openSilence(tickMs: number, heard: number): (lastAt: number) => number {
  let [silentMs, heardAt, tickedAt] = [0, heard, performance.now()];
  return (lastAt) => {
    const now = performance.now();
    silentMs = lastAt === heardAt ? silentMs + Math.min(now - tickedAt, LONGEST_TICK * tickMs) : 0;
    [heardAt, tickedAt] = [lastAt, now];
    return silentMs;
  };
}

/** Runs when it is aborted, or at once if it is already. Returns what ends that. */
function onAbort(signal: AbortSignal, run: () => void): () => void {
  signal.addEventListener('abort', run);
  if (signal.aborted) run();
  return () => signal.removeEventListener('abort', run);
}

export const sleep = (ms: number): Promise<null> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms, null);
  });

/** Of a lease, the part that is left when its trainer must have ended. */
const SPARE = 1 / 15;

export interface WatchOptions {
  readonly trainer: TrainerProcess;
  readonly recorder: Pick<Recorder, 'flush' | 'hopeless' | 'hasStarted' | 'lastAt'>;
  readonly held: HeldLease;
  readonly state: RunState;
  /** A worker has a folder of its own, and trains on for the next service that it reaches. */
  readonly isRemote: boolean;
  readonly times: TrainingTimes;
  readonly closing: AbortSignal;
  readonly report: (line: string) => void;
}

export async function watchTrainer(options: WatchOptions): Promise<{ cause: Cause | null; end: TrainerEnd }> {
  const { trainer, recorder, held, state, isRemote, times, closing, report } = options;
  let cause: Cause | null = null;
  const kills: NodeJS.Timeout[] = [];
  const order = ({ cause: next, graceMs }: Order): void => {
    if (!mayFollow(cause, next)) return;
    cause = next;
    if (graceMs <= 0) trainer.kill();
    else trainer.stop();
    // Not after the database has answered below: it may be silent.
    kills.push(setTimeout(() => trainer.kill(), graceMs));
  };
  const listening = [
    onAbort(held.signal, () => {
      const graceMs = Math.min(times.graceMs, held.leftMs() - times.leaseMs * SPARE);
      if (!isRemote) order({ cause: 'lost', graceMs });
    }),
    onAbort(closing, () => order({ cause: 'closing', graceMs: isRemote ? 0 : times.closeMs })),
  ];
  let failingSince: number | null = null;
  async function store(): Promise<void> {
    try {
      if (!held.isLost()) state.wish = await recorder.flush();
      failingSince = null;
    } catch (error) {
      if (failingSince === null) report(`The progress of a training could not be stored: ${toReason(error)}`);
      failingSince ??= performance.now();
      // Another process may have the run then. Until then what was last read with the lease counts.
      state.isLost ||= performance.now() - failingSince > times.leaseMs;
    }
  }
  const toSilence = openSilence(times.tickMs, recorder.lastAt);
  for (;;) {
    const end = await Promise.race([trainer.ended, sleep(times.tickMs)]);
    if (end) {
      for (const stopListening of listening) stopListening();
      for (const kill of kills) clearTimeout(kill);
      return { cause, end };
    }
    await store();
    const { hopeless, hasStarted, lastAt } = recorder;
    const silentMs = toSilence(lastAt);
    const isLost = state.isLost || held.isLost();
    const told = toOrder({ ...state, isLost, hopeless, silentMs: hasStarted ? silentMs : 0 }, times);
    if (told) order(told);
  }
}
