// The report about a root, for people: what is in it, and why a folder shows no run.
import { toClock } from '#service/files/mountCalls.ts';
import type { RootClaims } from './rootClaims.ts';
import type { FolderNode, FolderTree } from './folderTree.ts';
import { showPath, type PathReason } from './safeFile.ts';

/**
 * `scanning`: the first listing goes on, and what was found so far can be used. `watching`: the file system reports
 * changes. `polling`: files are looked at in turns (network mounts, or too many folders to watch). `missing`: the
 * folder is away, such as an unmounted disk, or its mount hangs; the last values stay.
 */
export type RootState = 'scanning' | 'watching' | 'polling' | 'missing';

export interface RootReport {
  readonly state: RootState;
  /** One sentence about the state: why it polls, or since when the folder is away. */
  readonly stateReason: string;
  readonly folders: number;
  readonly files: number;
  /** Direct subfolders of the root that show no run, and why. */
  readonly unknown: readonly PathReason[];
  /** What is left out on purpose: waste, links that leave the root, folders beyond a bound. */
  readonly skipped: readonly PathReason[];
  /** What could not be listed or recognised. What could not be read is in the claims. */
  readonly problems: readonly PathReason[];
}

/** The most entries of a list: a report is read by people. */
const MAX_LISTED = 500;
const MAX_TOP_FOLDERS = 5000;

const WEIGHTS = /\.(safetensors|gguf|bin|pt|pth|ckpt|npz)$/i;

const ADAPTER = /^adapter_model\.(?:safetensors|bin)$/;

const topOf = (path: string): string => path.split('/', 1)[0] ?? '';

/** Why no format found anything in a folder. */
function findReason(folder: FolderNode): string {
  const nodes = folder.walk();
  const problem = nodes.find((node) => node.problem !== null)?.problem;
  if (problem) return problem;
  if (nodes.some(({ listed }) => listed === null)) return 'It is not listed yet.';
  const names = nodes.flatMap(({ files }) => [...files.keys()]);
  const skipped = nodes.flatMap((node) => node.skipped)[0];
  if (names.length === 0 && skipped)
    return `It holds nothing that is looked at. ${showPath(skipped.path)}: ${skipped.reason}`;
  const [first] = names;
  if (first === undefined) return 'It is empty.';
  const adapter = names.find((name) => ADAPTER.test(name));
  if (adapter !== undefined)
    return `It holds an adapter (${showPath(adapter)}), and no file that tells how it was trained, such as trainer_state.json.`;
  const weights = names.filter((name) => WEIGHTS.test(name));
  const count = names.length.toLocaleString('en');
  if (weights.length === names.length)
    return `It holds only weights (${showPath(first)}): no file tells how they were trained.`;
  const other = names.find((name) => !WEIGHTS.test(name)) ?? first;
  return names.length === 1
    ? `Its only file, ${showPath(other)}, is none that a trainer or tracker writes.`
    : `None of its ${count} files is one that a known trainer or tracker writes, such as ${showPath(other)}.`;
}

function toUnknown(tree: FolderTree, { all, wanted }: RootClaims): readonly PathReason[] {
  const claimed = [...all.values()].flatMap(({ folder, isEmpty }) => (isEmpty ? [] : [topOf(folder.path)]));
  // A run in the root itself has its checkpoints in folders of the root.
  const read = [...wanted].flatMap(([path, { claims }]) =>
    [...claims].some(({ isEmpty }) => !isEmpty) ? [topOf(path)] : [],
  );
  const known = new Set([...claimed, ...read]);
  return [...tree.top.folders.values()]
    .slice(0, MAX_TOP_FOLDERS)
    .filter(({ path }) => !known.has(path))
    .map((folder) => ({ path: folder.path, reason: findReason(folder) }));
}

export function describeRoot(
  tree: FolderTree,
  rootClaims: RootClaims,
  about: Pick<RootReport, 'state' | 'stateReason'>,
): RootReport {
  const skipped: PathReason[] = [];
  const problems: PathReason[] = [...rootClaims.faults];
  let folders = 0;
  let files = 0;
  for (const node of tree.top.walk()) {
    folders += 1;
    files += node.files.size;
    skipped.push(...node.skipped);
    if (node.problem !== null) problems.push({ path: node.path, reason: node.problem });
  }
  return {
    ...about,
    folders: folders - 1,
    files,
    unknown: toUnknown(tree, rootClaims),
    skipped: skipped.slice(0, MAX_LISTED),
    problems: problems.slice(0, MAX_LISTED),
  };
}

/** `wasThere`: something of it was read before. */
export const toSilentReason = (since: number, wasThere: boolean): string =>
  `Its disk or network mount has not answered since ${toClock(since)}. Check the mount, or remove the folder. ` +
  (wasThere ? 'What was read before is shown, and it is read on when it answers.' : 'Its runs are shown when it does.');
