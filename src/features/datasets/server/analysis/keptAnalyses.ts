// The analyses that are known: those that wait or run, and results, as long as there is room for them.
import type { RowsOf } from '#features/datasets/shared/contract/rows.ts';
import type { Figures } from './analyseRows.ts';

/** What nobody has asked for in this time is dropped before its turn comes. */
const FORGET_MS = 60_000;
/** Bytes of a result without its lists, roughly. */
const RESULT_BYTES = 64 * 1024;

export class Analysis {
  /** It is `running` while it waits for its turn, too. */
  state: 'running' | 'done' | 'failed' = 'running';
  isBegun = false;
  /** When somebody last asked for it, on the clock of `KeptAnalyses`. */
  askedAt = 0;
  /** Whether somebody has heard of its end. */
  isTold = false;
  /** Callers among whose turns its own is: the first of them counts. */
  readonly callers = new Set<string>();
  progress = 0;
  error: string | null = null;
  /** Aborted when it waits no more. */
  readonly waiting = new AbortController();
  stop: () => void = () => undefined;

  constructor(
    readonly owner: RowsOf,
    readonly model: string | null,
    /** Of the rows: another one whenever they change. Tags change nothing. */
    readonly key: string,
    /** Until it is done, those of before the last change. null: there are none yet. */
    public figures: Figures | null,
  ) {}

  drop(): void {
    if (this.state === 'running') this.state = 'failed';
    this.waiting.abort();
    this.stop();
  }
}

const toName = ({ kind, id }: RowsOf, model: string | null): string => `${kind} ${id} ${model ?? ''}`;

/** What a result takes in memory, roughly. */
function toBytes({ figures }: Analysis): number {
  const lists = [...(figures?.result.rows.values() ?? []), ...(figures?.result.others.values() ?? [])];
  return RESULT_BYTES + (figures?.tokens?.bytes ?? 0) + lists.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

export class KeptAnalyses {
  /** The one that was asked for last is the last. */
  private readonly known = new Map<string, Analysis>();

  constructor(
    /** Bytes of all results. */
    private readonly maxKept: number,
    private readonly now: () => number,
  ) {}

  all(): readonly Analysis[] {
    return [...this.known.values()];
  }

  get(owner: RowsOf, model: string | null): Analysis | undefined {
    return this.known.get(toName(owner, model));
  }

  /** Somebody asks for it now. It takes the place of the one of the same rows and model. */
  put(analysis: Analysis): void {
    const name = toName(analysis.owner, analysis.model);
    analysis.askedAt = this.now();
    this.known.delete(name);
    this.known.set(name, analysis);
  }

  isForgotten({ askedAt }: Analysis): boolean {
    return this.now() - askedAt > FORGET_MS;
  }

  remove(analysis: Analysis): void {
    const { owner, model } = analysis;
    if (this.get(owner, model) === analysis) this.known.delete(toName(owner, model));
  }

  /** The newest analysis of these rows, of whichever model. */
  findLast(owner: RowsOf, isWanted: (analysis: Analysis) => boolean = () => true): Analysis | undefined {
    return this.all().findLast(
      (each) => each.owner.kind === owner.kind && each.owner.id === owner.id && isWanted(each),
    );
  }

  /** The newest one that is done, if it is of the rows that are there now. */
  findDone(owner: RowsOf): Analysis | undefined {
    const now = this.findLast(owner)?.key;
    return this.findLast(owner, ({ state, key }) => state === 'done' && key === now);
  }

  /** Drops the results that were asked for longest ago, once there are too many and each has been told to somebody. */
  forgetResults(): void {
    let bytes = this.all().reduce((sum, each) => sum + toBytes(each), 0);
    for (const analysis of this.all()) {
      if (bytes <= this.maxKept) return;
      if (analysis.state === 'running' || !(analysis.isTold || this.isForgotten(analysis))) continue;
      this.remove(analysis);
      bytes -= toBytes(analysis);
    }
  }
}
