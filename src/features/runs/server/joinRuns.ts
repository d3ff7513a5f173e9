// Joins what several formats say about one run: by its home, where its outputs are; by a tracker's id; by values and times; and
// as a last resort by equal losses alone. Of 1,000 runs one changes at a time: what did not change is not joined again.
import { isEvents, isTracker, toTrackerId, type RunEvidence } from './evidence.ts';
import { toPathParts } from './paths.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { JoinedRun } from './joinedRun.ts';
import { compareValues, overlapsInTime, toSignature, toFormatRuns, type FormatRun } from './formatRun.ts';

// Where the outputs of a run are, for evidence that was found elsewhere: event files in a folder below, a tracker's
// database beside, an output folder as the machine that trained wrote it. Pure; only folders of the root are found.

export interface RunHome {
  /** Evidence of one run has the same home. A path below the root, or a name of its own for what has no folder. */
  readonly key: string;
  /** The folder, path below the root. */
  readonly folder: string;
  /** false: nearness or a part of a path suggests it, so more has to speak for it. */
  readonly isSure: boolean;
}

/** Where trackers keep the runs of many folders. */
export const LOG_FOLDER = /^(?:runs|logs?|tb|tb_logs|tensorboard|lightning_logs|wandb|mlruns|trackio|swanlog|events)$/i;
/** `Aug22_10-07-04_myhost`: how HF's Trainer names the folder of its event files. */
const HF_STAMP = /^[A-Z][a-z]{2}\d{2}_\d{2}-\d{2}-\d{2}/;

const isOutput = ({ format, checkpoints }: RunEvidence): boolean =>
  checkpoints.length > 0 || (!isTracker(format) && !isEvents(format));

/** Folders by their last parts: the way from the last part on leads to all folders that end so. */
interface EndNode {
  readonly before: Map<string, EndNode>;
  /** Below here are this folder, with so many parts below the root, and `count` - 1 others. */
  readonly folder: string;
  readonly depth: number;
  count: number;
}

function toEndTree(folders: readonly string[], rootParts: readonly string[]): EndNode {
  const top: EndNode = { before: new Map(), folder: '', depth: 0, count: 0 };
  for (const folder of folders) {
    const inner = toPathParts(folder);
    let node = top;
    for (const part of [...rootParts, ...inner].toReversed()) {
      const next = node.before.get(part) ?? { before: new Map(), folder, depth: inner.length, count: 0 };
      node.before.set(part, next);
      next.count += 1;
      node = next;
    }
  }
  return top;
}

/** The folder that an output folder as written names: the one with most last parts in common. null: none, or several. */
function findWritten(written: string, ends: EndNode): { folder: string; isSure: boolean } | null {
  const parts = toPathParts(written);
  if (parts.includes('..')) return null;
  let node = ends;
  let common = 0;
  for (const part of parts.toReversed()) {
    const next = node.before.get(part);
    if (!next) break;
    node = next;
    common += 1;
  }
  if (node.count !== 1) return null;
  const isWhole = common >= node.depth || common === parts.length;
  return { folder: node.folder, isSure: isWhole || common > 1 };
}

/** The nearest folder with outputs that holds this one. */
function findAround(folder: string, outputs: ReadonlySet<string>): { folder: string; isSure: boolean } | null {
  if (outputs.has(folder)) return { folder, isSure: true };
  const parts = toPathParts(folder);
  for (let end = parts.length - 1; end >= 0; end -= 1) {
    const around = parts.slice(0, end).join('/');
    // The root itself holds everything: being in it says nothing.
    if (outputs.has(around)) return { folder: around, isSure: LOG_FOLDER.test(parts[end] ?? '') };
  }
  return null;
}

/** Unsloth writes GGUF files into `<outputs>_gguf`, beside the outputs. */
function findSibling(folder: string, outputs: ReadonlySet<string>): string | null {
  const sibling = folder.replace(/[_-]gguf$/i, '');
  return sibling !== folder && outputs.has(sibling) ? sibling : null;
}

/** Event files without outputs: the folder around `runs/<stamp>`, if HF named it. */
function toEventHome(folder: string): string {
  const parts = toPathParts(folder);
  const at = parts.findLastIndex((part) => LOG_FOLDER.test(part));
  return at > 0 && HF_STAMP.test(parts[at + 1] ?? '') ? parts.slice(0, at).join('/') : folder;
}

/** How HF's Trainer names the folder of a trial of a search, unless it was given names. */
const TRIAL = /(?:^|\/)run-[^/]+$/;

const toParent = (folder: string): string => toPathParts(folder).slice(0, -1).join('/');

/**
 * Folders whose event files may be of trials: HF writes those of all trials into `<output_dir>/runs`, and the outputs of
 * each into a folder of its own. Only their values show which belong together.
 */
function findSearches(outputs: ReadonlySet<string>): ReadonlySet<string> {
  const folders = [...outputs];
  const named = folders.filter((folder) => TRIAL.test(folder)).map(toParent);
  const without = folders.map(toParent).filter((folder) => folder !== '' && !outputs.has(folder));
  return new Set([...named, ...without]);
}

/** MLflow keeps the same runs in files or in a database. */
const toFamily = (format: string): string => format.split('-')[0] ?? format;

/** The id of the run that a tracker's run goes on from, directly or through others. */
function toFirstIds(evidence: readonly RunEvidence[]): ReadonlyMap<RunEvidence, string> {
  const continued = new Map<string, string>();
  for (const each of evidence) {
    const id = toTrackerId(each);
    if (id !== null && each.resumedFrom !== null && each.resumedFrom !== id) continued.set(id, each.resumedFrom);
  }
  return new Map(
    evidence.flatMap((each): [RunEvidence, string][] => {
      let id = toTrackerId(each);
      // Bounded: ids may name each other in a circle.
      for (let step = 0; id !== null && step < 100; step += 1) {
        const before = continued.get(id);
        if (before === undefined) break;
        id = before;
      }
      return id === null ? [] : [[each, id]];
    }),
  );
}

/** The home of each piece of evidence, in its order. `rootPath`: absolute, to compare with paths as written. */
function toRunHomes(evidence: readonly RunEvidence[], rootPath: string): readonly RunHome[] {
  const all = new Set(evidence.filter(isOutput).map(({ folder }) => folder));
  // A sibling with GGUF files is an output of the run beside it.
  const outputs = new Set([...all].filter((folder) => findSibling(folder, all) === null));
  let ends: EndNode | null = null;
  const firstIds = toFirstIds(evidence);
  const names = new Map<string, string>();
  const searches = findSearches(outputs);
  return evidence.map((each, index): RunHome => {
    const { folder, outputDir, format } = each;
    const at = (found: { folder: string; isSure: boolean }): RunHome => ({ ...found, key: found.folder });
    const sibling = findSibling(folder, outputs);
    if (sibling !== null) return at({ folder: sibling, isSure: true });
    if (isOutput(each) && !isTracker(format)) return at({ folder, isSure: true });
    if (isEvents(format) && searches.has(toEventHome(folder)))
      return { key: `\0events ${folder}`, folder: toEventHome(folder), isSure: false };
    const around = findAround(folder, outputs);
    // Event files are where the run wrote them. A tracker's database may hold runs of many folders.
    if (isEvents(format) && around?.isSure) return at(around);
    const written =
      outputDir && findWritten(outputDir.value, (ends ??= toEndTree([...outputs], toPathParts(rootPath))));
    if (written && (written.isSure || isTracker(format))) return at(written);
    if (around?.isSure) return at(around);
    if (isTracker(format)) {
      const key = `\0${toFamily(format)} ${firstIds.get(each) ?? index}`;
      // A W&B run may be renamed when it goes on. Elsewhere an id is counted anew in each database.
      const name = format === 'wandb' || each.resumedFrom !== null ? '' : (each.name?.value ?? '');
      const first = names.get(key) ?? name;
      names.set(key, first);
      return { key: name === first ? key : `${key} ${name}`, folder, isSure: false };
    }
    return around ? at(around) : at({ folder: toEventHome(folder), isSure: true });
  });
}

/** The formatRuns of one run: at most one of each format. */
interface Cluster {
  /** Only grows while its home is clustered. */
  readonly formatRuns: FormatRun[];
  /** false: only trackers speak of it, and none names a folder. */
  hasHome: boolean;
  folder: string;
}

const has = ({ formatRuns }: Cluster, format: string): boolean =>
  formatRuns.some((formatRun) => formatRun.format === format);

/** Contradicting values: a few may differ, where a resumed run repeated steps. */
const contradicts = ({ same, different }: { same: number; different: number }): boolean => different > same * 0.1;

/** How well a formatRun fits to a run; 0: nothing speaks for it; below: something speaks against it. */
function toFit(formatRun: FormatRun, cluster: Cluster): number {
  let fit = 0;
  for (const other of cluster.formatRuns) {
    const compared = compareValues(formatRun, other);
    if (compared.same + compared.different > 0 && contradicts(compared)) return -1;
    if (compared.same > 0) fit = Math.max(fit, 1000 + compared.same);
    else if (overlapsInTime(formatRun, other)) fit = Math.max(fit, 500);
  }
  return fit;
}

const order = (format: string): number => (isEvents(format) ? 0 : isTracker(format) ? 1 : 2);

interface Found {
  readonly evidence: RunEvidence;
  readonly home: RunHome;
}

const ownFolderOf = ({ sessions }: FormatRun): string => sessions[0]?.folder ?? '';

/** The runs at one home. The format that tells the most runs apart goes first, and the others are fitted to it. */
function clusterHome(found: readonly Found[]): Cluster[] {
  const byFormat = toGroups(found, ({ evidence }) => evidence.format);
  const formatRuns = [...byFormat.values()]
    .map((group) => toFormatRuns(group.map(({ evidence }) => evidence)))
    .toSorted((a, b) => b.length - a.length || order(a[0]?.format ?? '') - order(b[0]?.format ?? ''));
  const sureOf = new Map(found.map(({ evidence, home }) => [evidence, home.isSure]));
  const folder = found[0]?.home.folder ?? '';
  const clusters: Cluster[] = [];
  for (const group of formatRuns) {
    // Newest first: what nothing tells apart belongs to the newest run.
    for (const [place, formatRun] of group.toReversed().entries()) {
      const isSure = formatRun.sessions.every((session) => sureOf.get(session) !== false);
      let best: { cluster: Cluster; fit: number } | null = null;
      for (const [index, cluster] of clusters.entries()) {
        if (has(cluster, formatRun.format)) continue;
        const fit = toFit(formatRun, cluster) || (isSure && place === 0 && index === 0 ? 1 : 0);
        if (fit > (best?.fit ?? 0)) best = { cluster, fit };
      }
      if (best) best.cluster.formatRuns.push(formatRun);
      // What only may belong to a home has its own folder until something joins it.
      else
        clusters.push({ formatRuns: [formatRun], folder: isSure ? folder : ownFolderOf(formatRun), hasHome: isSure });
    }
  }
  return clusters;
}

/** Equal losses that make two formats speak of one run. */
const ENOUGH = 3;

/** Joins runs without a home to the one other run with the same losses, if there is exactly one. */
function joinByValues(given: readonly Cluster[]): readonly Cluster[] {
  if (given.every(({ hasHome }) => hasHome)) return given;
  // Those of a home are used again at the next change.
  const clusters = given.map((cluster) => ({ ...cluster, formatRuns: [...cluster.formatRuns] }));
  const homeless = clusters.filter(({ hasHome }) => !hasHome);
  const holders = new Map<string, Set<Cluster>>();
  for (const cluster of clusters)
    for (const formatRun of cluster.formatRuns)
      for (const sign of toSignature(formatRun)) {
        const known = holders.get(sign);
        if (known) known.add(cluster);
        else holders.set(sign, new Set([cluster]));
      }
  const joined = new Set<Cluster>();
  for (const cluster of homeless) {
    const counts = new Map<Cluster, number>();
    for (const sign of new Set(cluster.formatRuns.flatMap(toSignature)))
      for (const holder of holders.get(sign) ?? []) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    const isFitting = (other: Cluster): boolean =>
      other !== cluster &&
      !joined.has(other) &&
      !cluster.formatRuns.some(({ format }) => has(other, format)) &&
      cluster.formatRuns.every((formatRun) => toFit(formatRun, other) >= 1000);
    const fitting = [...counts].filter(([other, count]) => count >= ENOUGH && isFitting(other)).map(([other]) => other);
    const timely = fitting.filter((other) =>
      cluster.formatRuns.some((a) => other.formatRuns.some((b) => overlapsInTime(a, b))),
    );
    const [target, second] = timely.length > 0 ? timely : fitting;
    if (!target || second) continue;
    target.formatRuns.push(...cluster.formatRuns);
    joined.add(cluster);
  }
  return clusters.filter((cluster) => !joined.has(cluster));
}

const toEvidenceOf = ({ formatRuns }: Cluster): readonly RunEvidence[] =>
  formatRuns.flatMap(({ sessions }) => sessions);

const toPlace = (evidence: RunEvidence | undefined): string => `${evidence?.format} ${evidence?.key}`;

/** What the home of evidence follows from, and whether others are at home there. */
const hasSameHome = (a: RunEvidence | undefined, b: RunEvidence): boolean =>
  a === b ||
  (a !== undefined &&
    a.format === b.format &&
    a.key === b.key &&
    a.folder === b.folder &&
    a.outputDir?.value === b.outputDir?.value &&
    a.trackerId === b.trackerId &&
    a.name?.value === b.name?.value &&
    a.resumedFrom === b.resumedFrom &&
    a.checkpoints.length > 0 === b.checkpoints.length > 0);

interface Home {
  readonly found: readonly Found[];
  readonly clusters: readonly Cluster[];
}

/** Joins the runs of one root again and again: a run with the same evidence is the same object again. */
export class RunJoiner {
  #rootPath = '';
  #evidence: readonly RunEvidence[] = [];
  #homes: readonly RunHome[] = [];
  #byKey: ReadonlyMap<string, Home> = new Map();
  #runs: readonly JoinedRun[] = [];

  /** `rootPath`: absolute, to compare with paths as written. */
  join(evidence: readonly RunEvidence[], rootPath: string): readonly JoinedRun[] {
    const areHomesKept =
      rootPath === this.#rootPath &&
      evidence.length === this.#evidence.length &&
      evidence.every((each, at) => hasSameHome(this.#evidence[at], each));
    if (!areHomesKept) this.#homes = toRunHomes(evidence, rootPath);
    this.#rootPath = rootPath;
    this.#evidence = evidence;
    const found = evidence.flatMap((each, index): Found[] => {
      const home = this.#homes[index];
      return home ? [{ evidence: each, home }] : [];
    });
    const groups = toGroups(found, ({ home }) => home.key);
    this.#byKey = new Map([...groups].map(([key, group]) => [key, this.#toHome(key, group)]));
    const clusters = joinByValues([...this.#byKey.values()].flatMap((home) => home.clusters));
    const known = new Map(this.#runs.map((run) => [toPlace(run.evidence[0]), run]));
    return (this.#runs = clusters.map((cluster) => {
      const all = toEvidenceOf(cluster);
      const last = known.get(toPlace(all[0]));
      const isSame = last?.evidence.length === all.length && last.evidence.every((each, index) => each === all[index]);
      return last && isSame && last.folder === cluster.folder
        ? last
        : new JoinedRun(cluster.formatRuns, cluster.folder, last);
    }));
  }

  #toHome(key: string, found: readonly Found[]): Home {
    const known = this.#byKey.get(key);
    const isSame =
      known?.found.length === found.length &&
      known.found.every(({ evidence, home }, at) => evidence === found[at]?.evidence && home === found[at]?.home);
    return known && isSame ? known : { found, clusters: clusterHome(found) };
  }
}

/** The runs of a root, joined once. */
export const joinRuns = (evidence: readonly RunEvidence[], rootPath: string): readonly JoinedRun[] =>
  new RunJoiner().join(evidence, rootPath);
