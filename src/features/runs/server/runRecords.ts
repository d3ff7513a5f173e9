// The runs of a root as people know them: a short label of its own, the job and the dataset that each belongs to. Pure.
import type { RunGrouping } from '#features/runs/shared/runs.ts';
import { perRun, type JoinedRun } from './joinedRun.ts';
import { baseName, lastPart, toPathParts } from './paths.ts';
import type { RunStatus } from './runStatus.ts';
import { LOG_FOLDER } from './joinRuns.ts';
import { isTracker } from './evidence.ts';
import { toSettingName } from './settings.ts';

/** A place in the tree: the same key is the same node. */
interface TreePlace {
  readonly key: string;
  readonly label: string;
}

/**
 * The name of a base model for people: paths of the machine that trained say little.
 * `~/.cache/huggingface/hub/models--Qwen--Qwen3-0.6B/snapshots/abc` -> `Qwen/Qwen3-0.6B`; `/models/x` -> `x`.
 */
export function toModelName(written: string): string {
  const [, cached] = /models--([^/\\]+)/.exec(written) ?? [];
  if (cached !== undefined) return cached.replace('--', '/');
  const isPath = /^(?:[/\\~]|\.{1,2}[/\\]|[A-Za-z]:[/\\])/.test(written) || written.split(/[/\\]/).length > 2;
  if (!isPath) return written;
  return written.split(/[/\\]+/).findLast((part) => part !== '') ?? written;
}

export interface RunRecord {
  readonly id: string;
  readonly run: JoinedRun;
  readonly label: string;
  readonly status: RunStatus;
  readonly dataset: TreePlace;
  readonly job: TreePlace;
}

const MAX_LABEL = 80;
const shorten = (text: string): string => (text.length > MAX_LABEL ? `${text.slice(0, MAX_LABEL - 1)}…` : text);

/** Control characters and marks that turn a line around have no place in a label. */
const clean = (text: string): string => shorten(text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ').trim());

/** Says nothing about a run: trainers' default folders. */
const GENERIC =
  /^(?:outputs?|out|results?|model|models|model-out|trainer_output|tmp_trainer|adapters?|checkpoints?|lora|final|saves?)$/i;

/** The last part of the folder, with the one above it where the last says nothing. */
function toFolderLabel(folder: string, rootName: string, depth: number): string {
  const inner = toPathParts(folder);
  const isGeneric = GENERIC.test(inner.at(-1) ?? '');
  return inner.slice(-(depth + (isGeneric ? 1 : 0))).join('/') || rootName;
}

/** The last part of its folder that says something; empty: the root itself. */
const toOwnLabel = perRun((run) => clean(toFolderLabel(run.folder, '', 1)));

/** The folder that holds the folder of a run, and its name. */
const toAround = perRun((run): { readonly folder: string; readonly label: string } => {
  const around = toPathParts(run.folder).slice(0, -1);
  return { folder: around.join('/'), label: clean(around.slice(-2).join('/')) };
});

/** The name that a person gave; a path is what HF makes of the output folder. */
const toGivenName = perRun((run): string | null => {
  const name = run.fact((evidence) => evidence.name)?.value;
  if (name === undefined) return null;
  const cleaned = clean(/^\.{0,2}[/\\]/.test(name) ? lastPart(name) : name);
  return cleaned === '' || GENERIC.test(cleaned) ? null : cleaned;
});

/** Its folder is its tracker's, which holds the runs of others too. */
const isOnlyTracked = ({ formats }: JoinedRun): boolean => formats.every(isTracker);

/** The output folder of a run that only a tracker knows. */
const toOutputName = perRun((run): string | null => {
  const folder = isOnlyTracked(run) ? run.fact(({ outputDir }) => outputDir)?.value : undefined;
  const name = folder === undefined ? '' : clean(lastPart(folder));
  return name === '' || GENERIC.test(name) ? null : name;
});

/** Short labels, each of its own: the name or folder, with more of the path where several are alike. */
function toLabels(runs: readonly JoinedRun[], rootName: string): readonly string[] {
  const labels = runs.map((run) => toGivenName(run) ?? toOutputName(run) ?? (toOwnLabel(run) || clean(rootName)));
  // The runs of a sweep often share one name; then the folder says more.
  for (let depth = 1; depth <= 4; depth += 1) {
    const counts = countOf(labels);
    for (const [at, run] of runs.entries()) {
      const label = labels[at] ?? '';
      if ((counts.get(label) ?? 0) > 1 && !isOnlyTracked(run))
        labels[at] = clean(toFolderLabel(run.folder, rootName, depth)) || label;
    }
  }
  const seen = new Map<string, number>();
  return labels.map((label) => {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    return count === 1 ? label : `${label} #${count}`;
  });
}

function countOf(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

/** `data not recorded`: HF and TRL write nothing of it to disk. */
export const NO_DATA: TreePlace = { key: '', label: 'data not recorded' };
const NAMED = 3;

const toDataset = perRun((run): TreePlace => {
  const names = [...new Set(run.fact(({ datasets }) => datasets)?.value ?? [])].filter((name) => name.trim() !== '');
  if (names.length === 0) return NO_DATA;
  // A Hub name has one slash and is kept; of a path the last part says enough.
  const short = names.map((name) => (/^[\w.-]+\/[\w.-]+$/.test(name) ? name : lastPart(name)));
  const more = names.length > NAMED ? ` +${names.length - NAMED}` : '';
  return { key: JSON.stringify(names.toSorted()), label: clean(`${short.slice(0, NAMED).join(', ')}${more}`) };
});

const toGroup = perRun((run) => run.fact((evidence) => evidence.group)?.value);

/** The folder that a tracker was started in; '' is the root. */
const toTrackedFolder = perRun((run): string => {
  const parts = toPathParts(toAround(run).folder);
  const at = parts.findIndex((part) => LOG_FOLDER.test(part));
  return (at === -1 ? parts : parts.slice(0, at)).join('/');
});

/**
 * By the folder that holds the folder of the run: those of a sweep share it. A tracker's runs by its project or experiment,
 * since its folders are named by itself.
 */
function toFolderJob(run: JoinedRun, rootName: string): TreePlace {
  const around = toAround(run);
  const group = toGroup(run);
  const isHomeless = run.checkpoints.length === 0 && (around.folder === '' || isOnlyTracked(run));
  if (group !== undefined && isHomeless) {
    const home = toTrackedFolder(run);
    const label = home === '' ? group : `${lastPart(home)} / ${group}`;
    return { key: home === '' ? `group ${group}` : `group ${home} ${group}`, label: clean(label) || rootName };
  }
  return { key: around.folder, label: around.label || rootName };
}

function toParameterJob(run: JoinedRun, parameter: string): TreePlace {
  const name = toSettingName(parameter);
  const value = (name && run.settings().get(name)?.value) ?? run.parameters().get(parameter)?.value ?? null;
  if (value === null) return { key: 'none', label: clean(`${parameter} not recorded`) };
  return { key: `value ${value}`, label: clean(`${parameter} ${value}`) };
}

function toJob(run: JoinedRun, grouping: RunGrouping, rootName: string): TreePlace {
  switch (grouping.by) {
    case 'folder':
      return toFolderJob(run, rootName);
    case 'pattern': {
      const part = toPathPart(run.folder, grouping.pattern);
      return part === null
        ? { key: 'none', label: 'other folders' }
        : { key: `part ${part}`, label: clean(part) || rootName };
    }
    case 'parameter':
      return toParameterJob(run, grouping.parameter);
    default: {
      const missing: never = grouping;
      return missing;
    }
  }
}

/**
 * The data of runs that recorded none, where all other runs of their folder were trained on the same: HF writes it into the
 * model card, which a run that failed doesn't have. Runs at the top of the root share nothing but the root.
 */
function toSharedData(records: readonly RunRecord[]): readonly RunRecord[] {
  const known = new Map<string, TreePlace | null>();
  const folderOf = ({ run }: RunRecord): string => toAround(run).folder;
  for (const record of records) {
    if (record.dataset.key === NO_DATA.key) continue;
    const other = known.get(folderOf(record));
    known.set(folderOf(record), other === undefined || other?.key === record.dataset.key ? record.dataset : null);
  }
  return records.map((record) => {
    const folder = folderOf(record);
    const shared = folder === '' || record.dataset.key !== NO_DATA.key ? null : known.get(folder);
    return shared ? { ...record, dataset: shared } : record;
  });
}

/**
 * Records of the runs in the order of their starts, so that a new run changes the place of no other. `ids`, `statuses`: in the
 * order of the runs; a run without an id has no record yet.
 */
export function toRecords(
  runs: readonly JoinedRun[],
  given: { readonly ids: readonly (string | null)[]; readonly statuses: readonly RunStatus[] },
  root: { readonly name: string; readonly grouping: RunGrouping },
): readonly RunRecord[] {
  const order = [...runs.keys()]
    .filter((at) => given.ids[at] != null)
    .toSorted((a, b) => {
      const [first, second] = [runs[a], runs[b]];
      if (!first || !second) return 0;
      return (first.startedAt ?? Infinity) - (second.startedAt ?? Infinity) || (first.folder < second.folder ? -1 : 1);
    });
  const sorted = order.flatMap((at) => runs[at] ?? []);
  const labels = toLabels(sorted, root.name);
  const records = order.flatMap((at, place): RunRecord[] => {
    const run = runs[at];
    const status = given.statuses[at];
    const id = given.ids[at];
    if (!run || !status || id == null) return [];
    const dataset = toDataset(run);
    return [{ id, run, label: labels[place] ?? id, status, dataset, job: toJob(run, root.grouping, root.name) }];
  });
  return toSharedData(records);
}

// The part of a path that a pattern names: `sweep-*/{}/seed-*` gives the folder between. Linear in the path, whatever the
// pattern is: a person's pattern must not keep the thread busy.

type Piece = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'any' | 'part' };

function toPieces(pattern: string): Piece[] {
  return pattern
    .split(/(\*+|\{\})/)
    .filter((text) => text !== '')
    .map((text): Piece => {
      if (text === '{}') return { kind: 'part' };
      return text.startsWith('*') ? { kind: 'any' } : { kind: 'text', text };
    });
}

/**
 * The text at `{}`, without a slash; without `{}` the text that the pattern matches. `*` is any text. The pattern may
 * begin and end anywhere in the path. null: it does not match.
 */
export function toPathPart(path: string, pattern: string): string | null {
  const pieces = toPieces(pattern);
  const first = pieces[0];
  let at = first?.kind === 'text' ? path.indexOf(first.text) : 0;
  if (at === -1 || !first) return null;
  const start = at;
  let part: string | null = null;
  let isOpen = false;
  let isPart = false;
  /** A text stands right before the part. */
  let isAnchored = false;
  const finish = (end: number): boolean => {
    if (!isPart) return true;
    isPart = false;
    // A slash ends the part: what follows it is up to a `*`.
    const between = path.slice(at, end);
    const found = isAnchored ? between : baseName(between);
    if (found.includes('/') || found === '') return false;
    part ??= found;
    return true;
  };
  for (const piece of pieces) {
    if (piece.kind !== 'text') {
      isOpen = true;
      isPart ||= piece.kind === 'part';
      if (piece.kind === 'any') isAnchored = false;
      continue;
    }
    const next = isOpen ? path.indexOf(piece.text, isPart ? at + 1 : at) : path.startsWith(piece.text, at) ? at : -1;
    if (next === -1 || !finish(next)) return null;
    at = next + piece.text.length;
    isOpen = false;
    isAnchored = true;
  }
  if (isPart) {
    const slash = path.indexOf('/', at);
    if (!finish(slash === -1 ? path.length : slash)) return null;
  }
  return pattern.includes('{}') ? part : path.slice(start, isOpen ? path.length : at);
}
