// Joins what several formats say about one run: by home (`runHome.ts`), by a tracker's id, by values and times
// (`strand.ts`), and as a last resort by equal losses alone. Of 1,000 runs one changes at a time: what did not change is
// not joined again.
import type { RunEvidence } from './evidence.ts';
import { toGroups } from '#features/experiments/shared/grouping.ts';
import { JoinedRun } from './joinedRun.ts';
import { toRunHomes, type RunHome } from './runHome.ts';
import { isEvents, isTracker } from './sourceRank.ts';
import { compareValues, overlapsInTime, toSignature, toStrands, type Strand } from './strand.ts';

/** The strands of one run: at most one of each format. */
interface Cluster {
  /** Only grows while its home is clustered. */
  readonly strands: Strand[];
  /** false: only trackers speak of it, and none names a folder. */
  hasHome: boolean;
  folder: string;
}

const has = ({ strands }: Cluster, format: string): boolean => strands.some((strand) => strand.format === format);

/** Contradicting values: a few may differ, where a resumed run repeated steps. */
const contradicts = ({ same, different }: { same: number; different: number }): boolean => different > same * 0.1;

/** How well a strand fits to a run; 0: nothing speaks for it; below: something speaks against it. */
function toFit(strand: Strand, cluster: Cluster): number {
  let fit = 0;
  for (const other of cluster.strands) {
    const compared = compareValues(strand, other);
    if (compared.same + compared.different > 0 && contradicts(compared)) return -1;
    if (compared.same > 0) fit = Math.max(fit, 1000 + compared.same);
    else if (overlapsInTime(strand, other)) fit = Math.max(fit, 500);
  }
  return fit;
}

const order = (format: string): number => (isEvents(format) ? 0 : isTracker(format) ? 1 : 2);

interface Found {
  readonly evidence: RunEvidence;
  readonly home: RunHome;
}

const ownFolderOf = ({ sessions }: Strand): string => sessions[0]?.folder ?? '';

/** The runs at one home. The format that tells the most runs apart goes first, and the others are fitted to it. */
function clusterHome(found: readonly Found[]): Cluster[] {
  const byFormat = toGroups(found, ({ evidence }) => evidence.format);
  const strands = [...byFormat.values()]
    .map((group) => toStrands(group.map(({ evidence }) => evidence)))
    .toSorted((a, b) => b.length - a.length || order(a[0]?.format ?? '') - order(b[0]?.format ?? ''));
  const sureOf = new Map(found.map(({ evidence, home }) => [evidence, home.isSure]));
  const folder = found[0]?.home.folder ?? '';
  const clusters: Cluster[] = [];
  for (const group of strands) {
    // Newest first: what nothing tells apart belongs to the newest run.
    for (const [place, strand] of group.toReversed().entries()) {
      const isSure = strand.sessions.every((session) => sureOf.get(session) !== false);
      let best: { cluster: Cluster; fit: number } | null = null;
      for (const [index, cluster] of clusters.entries()) {
        if (has(cluster, strand.format)) continue;
        const fit = toFit(strand, cluster) || (isSure && place === 0 && index === 0 ? 1 : 0);
        if (fit > (best?.fit ?? 0)) best = { cluster, fit };
      }
      if (best) best.cluster.strands.push(strand);
      // What only may belong to a home has its own folder until something joins it.
      else clusters.push({ strands: [strand], folder: isSure ? folder : ownFolderOf(strand), hasHome: isSure });
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
  const clusters = given.map((cluster) => ({ ...cluster, strands: [...cluster.strands] }));
  const homeless = clusters.filter(({ hasHome }) => !hasHome);
  const holders = new Map<string, Set<Cluster>>();
  for (const cluster of clusters)
    for (const strand of cluster.strands)
      for (const sign of toSignature(strand)) {
        const known = holders.get(sign);
        if (known) known.add(cluster);
        else holders.set(sign, new Set([cluster]));
      }
  const joined = new Set<Cluster>();
  for (const cluster of homeless) {
    const counts = new Map<Cluster, number>();
    for (const sign of new Set(cluster.strands.flatMap(toSignature)))
      for (const holder of holders.get(sign) ?? []) counts.set(holder, (counts.get(holder) ?? 0) + 1);
    const isFitting = (other: Cluster): boolean =>
      other !== cluster &&
      !joined.has(other) &&
      !cluster.strands.some(({ format }) => has(other, format)) &&
      cluster.strands.every((strand) => toFit(strand, other) >= 1000);
    const fitting = [...counts].filter(([other, count]) => count >= ENOUGH && isFitting(other)).map(([other]) => other);
    const timely = fitting.filter((other) =>
      cluster.strands.some((a) => other.strands.some((b) => overlapsInTime(a, b))),
    );
    const [target, second] = timely.length > 0 ? timely : fitting;
    if (!target || second) continue;
    target.strands.push(...cluster.strands);
    joined.add(cluster);
  }
  return clusters.filter((cluster) => !joined.has(cluster));
}

const toEvidenceOf = ({ strands }: Cluster): readonly RunEvidence[] => strands.flatMap(({ sessions }) => sessions);

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
        : new JoinedRun(cluster.strands, cluster.folder, last);
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
