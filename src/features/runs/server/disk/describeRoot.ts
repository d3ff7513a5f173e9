// The report about a root, for people: what is in it, and why a folder shows no run.
import { toClock } from '#service/files/place.ts';
import type { RootClaims } from './rootClaims.ts';
import type { FolderNode, FolderTree } from './folderTree.ts';
import type { OpenClaim } from './openClaim.ts';
import type { PathReason, RootReport, TopFolder } from './openedRoot.ts';
import { showPath } from './safeFile.ts';

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

function toTopFolders(tree: FolderTree, rootClaims: RootClaims): TopFolder[] {
  const claims = new Map<string, number>();
  for (const { folder, isEmpty } of rootClaims.all.values()) {
    if (isEmpty) continue;
    const top = topOf(folder.path);
    claims.set(top, (claims.get(top) ?? 0) + 1);
  }
  // A run in the root itself has its checkpoints in folders of the root.
  const isOfRun = (claims: ReadonlySet<OpenClaim>): boolean => [...claims].some(({ isEmpty }) => !isEmpty);
  const read = new Set(
    [...rootClaims.wanted].flatMap(([path, { claims: all }]) => (isOfRun(all) ? [topOf(path)] : [])),
  );
  return [...tree.top.folders.values()].slice(0, MAX_TOP_FOLDERS).map((folder) => {
    const { path } = folder;
    const files = folder.walk().reduce((sum, node) => sum + node.files.size, 0);
    const own = claims.get(path) ?? 0;
    return { path, files, claims: own, reason: own > 0 || read.has(path) ? null : findReason(folder) };
  });
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
  const counts = new Map<string, number>();
  for (const open of rootClaims.all.values()) {
    counts.set(open.reader.format, (counts.get(open.reader.format) ?? 0) + 1);
  }
  return {
    root: tree.root.folder,
    ...about,
    folders: folders - 1,
    files,
    formats: rootClaims.formats.map(({ format, label }) => ({ format, label, claims: counts.get(format) ?? 0 })),
    topFolders: toTopFolders(tree, rootClaims),
    skipped: skipped.slice(0, MAX_LISTED),
    problems: problems.slice(0, MAX_LISTED),
  };
}

/** `wasThere`: something of it was read before. */
export const toSilentReason = (since: number, wasThere: boolean): string =>
  `Its disk or network mount has not answered since ${toClock(since)}. Check the mount, or remove the folder. ` +
  (wasThere ? 'What was read before is shown, and it is read on when it answers.' : 'Its runs are shown when it does.');
