// Where the outputs of a run are, for evidence that was found elsewhere: event files in a folder below, a tracker's
// database beside, an output folder as the machine that trained wrote it. Pure; only folders of the root are found.
import type { RunEvidence } from './evidence.ts';
import { toPathParts } from './paths.ts';
import { isEvents, isTracker, toTrackerId } from './sourceRank.ts';

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
export function toRunHomes(evidence: readonly RunEvidence[], rootPath: string): readonly RunHome[] {
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
