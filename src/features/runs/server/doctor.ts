// `npm start -- doctor --runs DIR`: what is found in a folder, and what is not understood and why, in words.
import { stat } from 'node:fs/promises';
import type { RunRoot } from '#features/runs/shared/runs.ts';
import { toStateWord } from '#core/contract/statuses.ts';
import type { ExperimentNode, ProjectNode } from '#core/contract/tree.ts';
import { openRootReader } from '#features/runs/server/disk/rootReader.ts';
import { ALL_FORMATS } from '#features/runs/server/formats/allFormats.ts';
import { findProcessIn, ownProcesses } from './liveness.ts';
import { toRootId } from './runIdentity.ts';
import { openRunsCore } from './runsCore.ts';

export interface Diagnosis {
  readonly lines: readonly string[];
  /** 0: runs were found and all was understood. 1: no runs. 2: a folder can't be read. 3: runs, and problems. */
  readonly exitCode: number;
}

const MAX_RUNS = 200;
const plural = (count: number, word: string): string =>
  `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;
/** Names come from files: they may hold what moves a terminal's cursor. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, '�');

const toRuns = (project: ProjectNode | null): readonly ExperimentNode[] =>
  (project?.children ?? []).flatMap(({ children }) =>
    children.flatMap((snapshot) => snapshot.children.flatMap((job) => job.children)),
  );

/** `count`: how many there are, if `entries` are only the first. */
function toList(head: string, entries: readonly string[], count = entries.length): readonly string[] {
  if (entries.length === 0) return [];
  const more = count - Math.min(entries.length, MAX_RUNS);
  return [
    '',
    head,
    ...entries.slice(0, MAX_RUNS).map((entry) => `  ${plain(entry)}`),
    ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
  ];
}

/** `failed. The log ends with an error: ...`; a reason that begins with the word says it once. */
const toStatusWords = (word: string, reason: string): string =>
  reason.toLowerCase().startsWith(word) ? `${word}${reason.slice(word.length)}` : `${word}. ${reason}`;

/** Folders, and links that are not followed. */
const toNotUnderstood = ({ not_understood_count: count }: RunRoot): string =>
  count === 0 ? '' : `; ${count.toLocaleString('en')} not understood, with the reasons below`;

/** The report of one root. `runs`: the word for the state of each, and its reason. */
export function toReport(
  root: RunRoot,
  runs: readonly { label: string; word: string; reason: string }[],
): readonly string[] {
  return [
    `${plain(root.path)}: ${plural(root.runs, 'run')} in ${plural(root.folders, 'folder')} with ${plural(root.files, 'file')}${toNotUnderstood(root)}`,
    // Of a folder that is read once, only that it is away is news.
    ...(root.state === 'missing' && root.state_reason !== undefined ? [root.state_reason] : []),
    ...toList(
      'Formats:',
      root.formats.map(({ label, runs: count }) => `${label}: ${plural(count, 'run')}`),
    ),
    ...toList(
      'Runs:',
      runs.map(({ label, word, reason }) => `${label}: ${toStatusWords(word, reason)}`),
      root.runs,
    ),
    ...toList(
      'Not understood:',
      root.not_understood.map(({ folder, reason }) => `${folder}: ${reason}`),
      root.not_understood_count,
    ),
    ...toList(
      'Problems:',
      root.problems.map(({ file, problem }) => (problem.startsWith(file) ? problem : `${file}: ${problem}`)),
    ),
  ];
}

/** Reads the folders once. Nothing is written, and no service is started. */
export async function examine(folders: readonly string[]): Promise<Diagnosis> {
  const lines: string[] = [];
  let exitCode = 0;
  for (const folder of folders) {
    if (lines.length > 0) lines.push('');
    const found = await stat(folder).catch(() => null);
    if (!found?.isDirectory()) {
      lines.push(
        `${plain(folder)}: ${found ? 'it is a file, not a folder' : 'there is no such folder'}. Check the path.`,
      );
      exitCode = Math.max(exitCode, 2);
      continue;
    }
    const core = openRunsCore({
      openReader: (path, onChange) => openRootReader(path, { formats: ALL_FORMATS, onChange, isWatched: false }),
      findProcess: findProcessIn(ownProcesses),
    });
    const id = toRootId(folder);
    await core.setRoots([{ id, path: folder, isFromFlag: true, grouping: { by: 'folder' }, measure: null }]);
    await core.look();
    const [root] = await core.listRoots();
    const nodes = toRuns((await core.findProject(id, null))?.project ?? null);
    const runs: { label: string; word: string; reason: string }[] = [];
    for (const { id: runId, label, status, metadata } of nodes.slice(0, MAX_RUNS + 1)) {
      const reason = (await core.findRun(runId))?.status_reason ?? '';
      runs.push({ label, word: toStateWord(status, metadata.status_cause), reason });
    }
    await core.close();
    if (!root) continue;
    lines.push(...toReport(root, runs));
    if (root.runs === 0) exitCode = exitCode || 1;
    else if (root.problems.length > 0) exitCode = exitCode || 3;
  }
  return { lines, exitCode };
}
