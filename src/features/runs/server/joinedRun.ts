// One run, joined from the evidence of several formats. Facts, settings and curves are made when they are asked for.
import {
  isEvents,
  isTracker,
  toMethodRank,
  toSourceRank,
  type Checkpoint,
  type Fact,
  type ParameterValue,
  type Progress,
  type RowFile,
  type RunEvidence,
  type StatusSign,
  type TrainingProcess,
} from './evidence.ts';
import { joinCurve, toEnd, toSessionProblems, toStart, type FormatRun, type JoinedCurve } from './formatRun.ts';
import { isOfAdapter, toSettings, type Setting, type SettingName } from './settings.ts';

/** A fact from the best source, and what others say if it is something else. */
export interface JoinedFact<Value> extends Fact<Value> {
  readonly format: string;
  readonly others: readonly (Fact<Value> & { readonly format: string })[];
}

export interface JoinedSetting extends Setting {
  /** The fact that says most about where it comes from. */
  readonly fact: JoinedFact<ParameterValue>;
}

type StartedProcess = TrainingProcess & { readonly startedAt: number | null };

/** Most other sources of a fact that are kept. */
const MAX_OTHERS = 5;

/** TensorBoard's writers write out what was logged within 2 min; clocks of machines differ a little. */
const UNSAID_MS = 5 * 60_000;

/** float32 has 7 digits. */
const isEqual = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Object.is(a, b) || Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b))
    : JSON.stringify(a) === JSON.stringify(b);

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}

/** Makes what only depends on a run once for each: of 1,000 runs, one or none changes at a time. */
export function perRun<Value>(make: (run: JoinedRun) => Value): (run: JoinedRun) => Value {
  const made = new WeakMap<JoinedRun, { readonly value: Value }>();
  return (run) => {
    const known = made.get(run);
    if (known) return known.value;
    const value = make(run);
    made.set(run, { value });
    return value;
  };
}

const lowest = (values: readonly (number | null)[]): number | null =>
  values.reduce((low, value) => (value !== null && (low === null || value < low) ? value : low), null);

const highest = (values: readonly (number | null)[]): number | null =>
  values.reduce((high, value) => (value !== null && (high === null || value > high) ? value : high), null);

/** Of several with one path the last. */
const byPath = <Found extends { readonly path: string }>(found: readonly Found[]): readonly Found[] => [
  ...new Map(found.map((each) => [each.path, each])).values(),
];

function toLastSign(all: readonly RunEvidence[], newest: readonly RunEvidence[]): number | null {
  const sign = highest(all.map(({ lastSignAt, endedAt }) => lastSignAt ?? endedAt));
  const event = highest(newest.map(({ lastEventAt }) => lastEventAt));
  // All files of a copy are new, what they say is not.
  const isCopied = newest.some(
    ({ lastSignAt, lastEventAt }) =>
      lastSignAt !== null && lastEventAt !== null && lastSignAt - lastEventAt > UNSAID_MS,
  );
  return isCopied && sign !== null && event !== null ? Math.min(sign, event) : sign;
}

function toProcess(newest: readonly RunEvidence[]): StartedProcess | null {
  const found = newest.filter(({ process }) => process !== null);
  const best = found.find(({ process }) => process?.pid !== null) ?? found[0];
  return best?.process ? { ...best.process, startedAt: toStart(best) } : null;
}

export class JoinedRun {
  /** All evidence, in a fixed order. */
  readonly evidence: readonly RunEvidence[];
  readonly formats: readonly string[];
  /** By part of a resumed run, oldest first; evidence of all parts is in each that it speaks of last. */
  readonly #partOf: ReadonlyMap<RunEvidence, number>;
  readonly #leading: readonly RunEvidence[];

  readonly startedAt: number | null;
  /** As written by a trainer or tracker for the newest part. */
  readonly endedAt: number | null;
  readonly lastSignAt: number | null;
  /** Signs of the newest part: how an earlier one ended says nothing about the run. */
  readonly signs: readonly StatusSign[];
  /** The process of the newest part, and when that part started. */
  readonly process: StartedProcess | null;
  readonly checkpoints: readonly Checkpoint[];
  readonly rowFiles: readonly RowFile[];

  readonly curves: () => ReadonlyMap<string, JoinedCurve>;
  readonly parameters: () => ReadonlyMap<string, JoinedFact<ParameterValue>>;
  readonly settings: () => ReadonlyMap<SettingName, JoinedSetting>;

  constructor(
    readonly formatRuns: readonly FormatRun[],
    /** Where its outputs are, path below the root. */
    readonly folder: string,
    /** The same run when less was known of it: its settings are used if none changed. */
    before?: JoinedRun,
  ) {
    this.evidence = formatRuns.flatMap(({ sessions }) => sessions);
    this.formats = [...new Set(this.evidence.map(({ format }) => format))];
    this.#leading = formatRuns.reduce<readonly RunEvidence[]>(
      (most, { sessions }) => (sessions.length > most.length ? sessions : most),
      [],
    );
    this.#partOf = this.#toParts();
    const newest = this.#newest();
    this.startedAt = lowest(this.evidence.map(toStart));
    this.endedAt = highest(newest.map(({ endedAt }) => endedAt));
    this.lastSignAt = toLastSign(this.evidence, newest);
    this.signs = newest.flatMap(({ signs }) => signs);
    this.process = toProcess(newest);
    const checkpoints = byPath(this.evidence.flatMap((each) => each.checkpoints));
    this.checkpoints = checkpoints.toSorted(
      (a, b) => (a.step ?? Infinity) - (b.step ?? Infinity) || (a.path < b.path ? -1 : 1),
    );
    const rowFiles = byPath(this.evidence.flatMap((each) => each.rowFiles));
    this.rowFiles = rowFiles.toSorted((a, b) => (a.step ?? 0) - (b.step ?? 0));
    this.curves = once(() => this.#toCurves());
    const same = before && this.#hasSettingsOf(before) ? before : null;
    this.parameters = same?.parameters ?? once(() => this.#joinMaps(({ parameters }) => parameters));
    this.settings = same?.settings ?? once(() => this.#toSettings());
  }

  /** Labels of its parts, oldest first: folders or event files. One for a run that was never resumed. */
  get parts(): readonly string[] {
    return this.#leading.map(({ curveSource, key, folder }) => curveSource?.file ?? (key.includes('/') ? key : folder));
  }

  get progress(): Progress {
    const newest = this.#newest().flatMap(({ progress }) => progress ?? []);
    const steps = [...this.curves().values()].map(({ lastStep }) => lastStep);
    const step = highest([...newest.map((each) => each.step), ...steps]);
    const totalEpochs = newest.find((each) => each.totalEpochs !== null)?.totalEpochs ?? null;
    return {
      step,
      totalSteps:
        newest.find(({ totalSteps }) => totalSteps !== null)?.totalSteps ?? this.#toTotalSteps(step, totalEpochs),
      epoch: highest(newest.map(({ epoch }) => epoch)),
      totalEpochs,
    };
  }

  /** From the steps of an epoch, which are whole; null: the epochs are not known. */
  #toTotalSteps(step: number | null, totalEpochs: number | null): number | null {
    const epoch = this.curves().get('epoch');
    const planned = totalEpochs ?? this.parameters().get('num_train_epochs')?.value;
    if (!epoch || step === null || !(epoch.lastValue > 0) || typeof planned !== 'number' || !(planned > 0)) return null;
    const ofEpoch = Math.round(epoch.lastStep / epoch.lastValue);
    // Half an epoch is said in float32 too.
    const total = Math.ceil(ofEpoch * planned - 1e-3);
    return ofEpoch > 0 ? Math.max(total, step) : null;
  }

  /**
   * Seconds of training: the sum of its sessions, each as the trainer measured it, else from its first sign to its last. null: a
   * session has neither.
   */
  get seconds(): number | null {
    const sessions = this.#leading.map((session, part) => {
      if (session.seconds !== null) return session.seconds;
      const [measured] = this.evidence
        .filter((evidence) => this.#partOf.get(evidence) === part)
        .flatMap(({ format, summary }) => {
          const fact = summary.get('train_runtime');
          return fact && Number.isFinite(fact.value) ? [{ fact, rank: toSourceRank(format, fact.source) }] : [];
        })
        .toSorted((a, b) => a.rank - b.rank);
      if (measured) return measured.fact.value;
      const isOnly = this.#leading.length === 1;
      const start = isOnly ? this.startedAt : toStart(session);
      const end = (isOnly ? this.endedAt : session.endedAt) ?? this.#lastTimeOf(isOnly ? this.evidence : [session]);
      return start === null || end === null || end < start ? null : (end - start) / 1000;
    });
    return sessions.reduce<number | null>((sum, each) => (sum === null || each === null ? null : sum + each), 0);
  }

  #lastTimeOf(evidence: readonly RunEvidence[]): number | null {
    const times = evidence.map(({ curves }) => curves.get('loss')?.lastTime ?? null);
    return highest(times.map((time) => (time === null || Number.isNaN(time) ? null : time)));
  }

  get bestStep(): JoinedFact<number> | null {
    return this.fact(({ bestStep }) => bestStep);
  }

  get tags(): readonly string[] {
    return [...new Set(this.evidence.flatMap(({ tags }) => tags))];
  }

  get problems(): readonly string[] {
    return [
      ...new Set([...this.evidence.flatMap(({ problems }) => problems), ...this.formatRuns.flatMap(toSessionProblems)]),
    ];
  }

  get summary(): ReadonlyMap<string, JoinedFact<number>> {
    return this.#joinMaps(({ summary }) => summary);
  }

  get environment(): ReadonlyMap<string, JoinedFact<string>> {
    return this.#joinMaps(({ environment }) => environment);
  }

  get method(): JoinedFact<string> | null {
    return this.fact(({ method }) => method, toMethodRank);
  }

  /** The best source of a fact; null: nobody says. */
  fact<Value>(
    read: (evidence: RunEvidence) => Fact<Value> | null | undefined,
    toRank = toSourceRank,
  ): JoinedFact<Value> | null {
    const found = this.evidence.flatMap((evidence) => {
      const fact = read(evidence);
      if (!fact) return [];
      const rank = toRank(evidence.format, fact.source);
      return [{ ...fact, format: evidence.format, rank, part: this.#partOf.get(evidence) ?? 0 }];
    });
    found.sort((a, b) => b.part - a.part || a.rank - b.rank);
    const [best, ...rest] = found.map(({ value, source, format }) => ({ value, source, format }));
    if (!best) return null;
    const others: (typeof rest)[number][] = [];
    for (const other of rest) {
      const isNew = ![best, ...others].some(({ value }) => isEqual(value, other.value));
      if (isNew && others.length < MAX_OTHERS) others.push(other);
    }
    return { ...best, others };
  }

  #hasSettingsOf(other: JoinedRun): boolean {
    return (
      other.evidence.length === this.evidence.length &&
      this.evidence.every((each, at) => {
        const old = other.evidence[at];
        return (
          old?.parameters === each.parameters &&
          old.format === each.format &&
          isEqual(old.baseModel, each.baseModel) &&
          old.isAdapter?.value === each.isAdapter?.value &&
          this.#partOf.get(each) === other.#partOf.get(old)
        );
      })
    );
  }

  #newest(): readonly RunEvidence[] {
    const last = this.#leading.length - 1;
    return this.evidence.filter((evidence) => (this.#partOf.get(evidence) ?? last) >= last);
  }

  /** A piece of evidence belongs to the last part that had begun when it ended. */
  #toParts(): ReadonlyMap<RunEvidence, number> {
    const starts = this.#leading.map(toStart);
    const toPart = (evidence: RunEvidence): number => {
      const own = this.#leading.indexOf(evidence);
      if (own !== -1) return own;
      // What is about a folder is about its present state. A tracker's run may have ended with an earlier part.
      const end = isTracker(evidence.format) || isEvents(evidence.format) ? toEnd(evidence) : null;
      if (end === null) return starts.length - 1;
      const part = starts.findLastIndex((start) => start !== null && start <= end);
      return part === -1 ? starts.length - 1 : part;
    };
    return new Map(this.evidence.map((evidence) => [evidence, toPart(evidence)]));
  }

  #joinMaps<Value>(
    read: (evidence: RunEvidence) => ReadonlyMap<string, Fact<Value>>,
  ): ReadonlyMap<string, JoinedFact<Value>> {
    const names = new Set(this.evidence.flatMap((evidence) => [...read(evidence).keys()]));
    const joined = new Map<string, JoinedFact<Value>>();
    for (const name of names) {
      const fact = this.fact((evidence) => read(evidence).get(name));
      if (fact) joined.set(name, fact);
    }
    return joined;
  }

  #toSettings(): ReadonlyMap<SettingName, JoinedSetting> {
    const parameters = this.parameters();
    const found = new Map<SettingName, JoinedSetting>();
    const isFull = this.fact(({ isAdapter }) => isAdapter)?.value === false;
    for (const [name, setting] of toSettings((raw) => parameters.get(raw)?.value)) {
      // Some trainers write the settings of an adapter also where they train none.
      if (isFull && isOfAdapter(name)) continue;
      const fact = parameters.get(setting.from[0] ?? '');
      if (fact) found.set(name, { ...setting, fact });
    }
    const base = this.fact(({ baseModel }) => baseModel);
    if (base) found.set('base_model', { value: base.value, from: ['base_model'], note: null, fact: base });
    return found;
  }

  #toCurves(): ReadonlyMap<string, JoinedCurve> {
    const names = new Set(this.evidence.flatMap(({ curves }) => [...curves.keys()]));
    const joined = new Map<string, JoinedCurve>();
    for (const name of [...names].toSorted()) {
      const curve = joinCurve(name, this.formatRuns);
      if (curve) joined.set(name, curve);
    }
    return joined;
  }
}

export type { JoinedCurve };
