// The runs of one root as they are now: joined when files changed, their statuses looked at again as time goes by. Work
// is done when somebody asks, and at most twice a second.
import { createHash } from 'node:crypto';
import type { Run, RunRoot } from '#features/runs/shared/runs.ts';
import type { Job } from '#core/contract/job.ts';
import type { ProjectNode } from '#core/contract/tree.ts';
import { toClock } from '#service/files/mountCalls.ts';
import type { RootReader } from '#features/runs/server/disk/rootReader.ts';
import type { RunEvidence } from './evidence.ts';
import type { JoinedRun } from './joinedRun.ts';
import { RunJoiner } from './joinRuns.ts';
import { lastPart } from './paths.ts';
import { toRun } from './runDetail.ts';
import { openRunIds, type KeptId, type RunIdsMemory } from './runIdentity.ts';
import { toJob, toJobPlaces, toProjectNode, type JobPlace, type ModelIds } from './runFolderTree.ts';
import { ModelPaths, toRunModels, type RunModel } from './runModels.ts';
import { toRecords, type RunRecord } from './runRecords.ts';
import { toRunStatus, type RunStatus, type StatusContext } from './runStatus.ts';
import type { FoundModel, OpenRoot } from './runsMessages.ts';

const JOIN_EVERY_MS = 500;
/** Of a large root, joining takes longer: most of the time stays for questions. */
const REST_FACTOR = 9;
const STATUS_EVERY_MS = 5_000;
/** Most entries of a list about what was not understood. */
const MAX_LISTED = 200;

export interface RootProject {
  readonly version: string;
  readonly project: ProjectNode;
}

const isSameStatus = (a: RunStatus | undefined, b: RunStatus): boolean =>
  a?.status === b.status && a.reason === b.reason;

/** The name of a root: that of its folder. */
export const toRootName = (path: string): string => lastPart(path) || path;

export interface RootContext {
  readonly now: () => number;
  readonly findProcess: StatusContext['findProcess'];
  readonly memory?: RunIdsMemory;
  /** Keeps the ids that were given, and says why if it can't. */
  readonly keepIds?: (kept: readonly KeptId[]) => string | null;
}

export class RootRuns {
  readonly #ids: ReturnType<typeof openRunIds>;
  readonly #joiner = new RunJoiner();
  readonly #modelPaths: ModelPaths;
  #root: OpenRoot;
  #isChanged = true;
  #joinedAt = -Infinity;
  /** How long joining leaves the time to questions. */
  #restMs = 0;
  #statusAt = -Infinity;
  #statusOf = new WeakMap<JoinedRun, { readonly status: RunStatus; readonly isRead: boolean }>();
  #runs: readonly JoinedRun[] = [];
  /** Evidence from files that were not read to their ends yet. */
  #unread: ReadonlySet<RunEvidence> = new Set();
  #statuses: readonly RunStatus[] = [];
  #records: readonly RunRecord[] = [];
  #places: readonly JobPlace[] = [];
  #models: readonly RunModel[] = [];
  #modelIds: ModelIds = new Map();
  #project: RootProject | null = null;
  #wasScanning = true;
  #scannedAt: number | null = null;
  /** All claims that the runs were joined of had been read to their ends once. */
  #wasAllRead = true;
  /** All that was there at the start has been read. */
  #isSettled = false;
  #kept: readonly KeptId[];
  /** Why ids of runs are not kept. */
  #keepProblem: string | null = null;

  constructor(
    root: OpenRoot,
    readonly reader: RootReader,
    readonly context: RootContext,
  ) {
    this.#root = root;
    this.#ids = openRunIds(root.id, context.memory);
    this.#kept = this.#ids.kept();
    this.#modelPaths = new ModelPaths(reader);
  }

  get root(): OpenRoot {
    return this.#root;
  }

  /** Files have changed. */
  mark(): void {
    this.#isChanged = true;
  }

  /** Joins at the next question, however short ago the last time was. */
  hurry(): void {
    this.#isChanged = true;
    this.#joinedAt = -Infinity;
  }

  group(root: OpenRoot): void {
    this.#root = root;
    this.#arrange();
  }

  project(): RootProject {
    this.#refresh();
    if (this.#project) return this.#project;
    const { id, path } = this.#root;
    const project = toProjectNode(
      { id, name: toRootName(path), isScanning: this.#wasScanning },
      this.#records,
      this.#modelIds,
    );
    const version = createHash('sha1').update(JSON.stringify(project)).digest('base64url');
    return (this.#project = { version, project });
  }

  job(id: string): Job | null {
    this.#refresh();
    const place = this.#places.find((each) => each.id === id);
    if (!place) return null;
    const { measure } = this.#root;
    const job = toJob(place, this.#modelIds);
    return measure === null ? job : { ...job, main_measure: measure };
  }

  run(id: string): Run | null {
    const records = this.records();
    const find = (wanted: string | null) => records.find((each) => each.id === wanted);
    // Links of an older version may have another id of it.
    const record = find(id) ?? find(this.#ids.findOther(id));
    if (!record) return null;
    const run = toRun(this.#root.id, record, this.#modelIds);
    const { silentSince } = this.reader;
    if (silentSince === null) return run;
    const old =
      `The disk or network mount of ${this.#root.path} has not answered since ${toClock(silentSince)}: this is what was ` +
      'read before. Check the mount; the run is read on when it answers.';
    return { ...run, problems: [old, ...run.problems] };
  }

  hasSnapshot(id: string): boolean {
    this.#refresh();
    return this.#places.some(({ snapshotId }) => snapshotId === id);
  }

  async models(): Promise<readonly FoundModel[]> {
    this.#refresh();
    const models = this.#models;
    const paths = await this.#modelPaths.find(models);
    return models.flatMap(({ id, path, created }) => {
      const real = paths.get(path);
      return real === undefined ? [] : [{ id, path: real, created }];
    });
  }

  records(): readonly RunRecord[] {
    this.#refresh();
    return this.#records;
  }

  report(): RunRoot {
    this.#refresh();
    const { id, path, isFromFlag, grouping, measure } = this.#root;
    const { state, stateReason, folders, files, unknown, problems, skipped } = this.reader.report();
    const claims = this.reader.claims();
    const labels = new Map(claims.map(({ format, label }) => [format, label]));
    const formats = [...new Set(this.#records.flatMap(({ run }) => run.formats))].toSorted();
    const notUnderstood = [...unknown, ...skipped].map(({ path: folder, reason }) => ({ folder, reason }));
    const own = claims.flatMap(({ folder, problems: texts }) => texts.map((problem) => ({ file: folder, problem })));
    const kept = this.#keepProblem === null ? [] : [{ file: path, problem: this.#keepProblem }];
    const found = this.#records.flatMap(({ run }) => run.problems.map((problem) => ({ file: run.folder, problem })));
    return {
      id,
      path,
      state,
      state_reason: stateReason,
      from_flag: isFromFlag,
      folders,
      files,
      runs: this.#records.length,
      formats: formats.map((format) => ({
        format,
        label: labels.get(format) ?? format,
        runs: this.#records.filter(({ run }) => run.formats.includes(format)).length,
      })),
      not_understood: notUnderstood.slice(0, MAX_LISTED),
      not_understood_count: notUnderstood.length,
      problems: [
        ...kept,
        ...problems.map(({ path: file, reason }) => ({ file, problem: reason })),
        ...own,
        ...found,
      ].slice(0, MAX_LISTED),
      scanned_at: this.#scannedAt,
      grouping,
      ...(measure === null ? {} : { main_measure: measure }),
    };
  }

  #refresh(): void {
    // Of a root that hangs, nobody knows what goes on: its runs are as they were.
    const now = this.reader.silentSince ?? this.context.now();
    const began = performance.now();
    const isScanning = this.reader.state() === 'scanning';
    if (!isScanning) this.#scannedAt ??= now;
    // When all is read, the first answer that says so has all runs.
    const isRead = this.#wasScanning && !isScanning;
    const isDue = this.#isChanged && (isRead || this.#isTimeToJoin(now));
    if (isDue) {
      this.#isChanged = false;
      this.#joinedAt = now;
      const claims = this.reader.claims();
      this.#runs = this.#joiner.join(
        claims.flatMap(({ evidence }) => evidence),
        this.reader.folder,
      );
      this.#unread = new Set(claims.flatMap(({ evidence, wasRead }) => (wasRead ? [] : evidence)));
      this.#wasAllRead = claims.every(({ wasRead }) => wasRead);
      this.#isSettled ||= !isScanning && claims.length > 0 && this.#wasAllRead;
    }
    const isTimeForAll = Math.abs(now - this.#statusAt) >= STATUS_EVERY_MS;
    if (isDue || isTimeForAll || isScanning !== this.#wasScanning) {
      if (isTimeForAll) {
        this.#statusAt = now;
        this.#statusOf = new WeakMap();
      }
      this.#wasScanning = isScanning;
      const statuses = this.#runs.map((run) => this.#toStatus(run, now));
      const isSame = !isDue && statuses.every((status, at) => isSameStatus(this.#statuses[at], status));
      this.#statuses = statuses;
      if (isSame) this.#project = null;
      else this.#arrange();
      if (isDue) this.#restMs = REST_FACTOR * (performance.now() - began);
    }
  }

  /** Files that came in are shown as soon as they have been read to their ends: then nothing more is to come soon. */
  #isTimeToJoin(now: number): boolean {
    const passed = Math.abs(now - this.#joinedAt);
    if (passed < this.#restMs) return false;
    return passed >= JOIN_EVERY_MS || (!this.#wasAllRead && this.reader.claims().every(({ wasRead }) => wasRead));
  }

  /** Of a run that did not change: as it was a moment ago. */
  #toStatus(run: JoinedRun, now: number): RunStatus {
    const isRead = this.#isRead(run);
    const known = this.#statusOf.get(run);
    if (known?.isRead === isRead) return known.status;
    const status = toRunStatus(run, { now, findProcess: this.context.findProcess, isRead });
    this.#statusOf.set(run, { status, isRead });
    return status;
  }

  #isRead(run: JoinedRun): boolean {
    return !run.evidence.some((evidence) => this.#unread.has(evidence));
  }

  #keepIds(): void {
    const kept = this.#ids.kept();
    if (kept === this.#kept) return;
    this.#kept = kept;
    this.#keepProblem = this.context.keepIds?.(kept) ?? null;
  }

  /** Labels, jobs and models of the runs. One that was never seen is shown once all that may speak of it was read. */
  #arrange(): void {
    const { id, path, grouping } = this.#root;
    const ids = this.#ids.assign(this.#runs, (run) => this.#isSettled && this.#isRead(run));
    this.#keepIds();
    const given = { ids, statuses: this.#statuses };
    this.#records = toRecords(this.#runs, given, { name: toRootName(path), grouping });
    this.#places = toJobPlaces(id, this.#records);
    this.#models = toRunModels(this.#records);
    this.#modelIds = new Map(this.#models.map((model) => [model.path, model.id]));
    this.#project = null;
  }
}
