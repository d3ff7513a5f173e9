// Writes the configs of all formats for the runs of a folder, for recommendations and for experiments of the studio's own:
// under the names that they are saved as in `OUT/<source>`, or as `.problem`, which has the reason that there is none.
// Arguments: the folder of runs, the folder to write to.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJob } from '#core/contract/jobReader.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import type { ChosenSettings } from '#core/contract/trainingSettings.ts';
import type { ExperimentNode } from '#core/contract/tree.ts';
import { toTestCandidate } from '#features/experiments/shared/candidate.fixture.ts';
import type { Candidate } from '#features/experiments/shared/candidates.ts';
import { EXPORT_FORMATS, RUN_FORMATS } from '#features/experiments/shared/exports/exportFormats.ts';
import { toTestInput } from '#features/experiments/shared/exports/exportFormats.fixture.ts';
import type { ExportFormat, ExportInput } from '#features/experiments/shared/exports/exportInput.ts';
import { toRunCandidate } from '#features/experiments/shared/runCandidates.ts';
import { openRootReader } from '#features/runs/server/disk/rootReader.ts';
import { ALL_FORMATS } from '#features/runs/server/formats/allFormats.ts';
import { findProcessIn, ownProcesses } from '#features/runs/server/liveness.ts';
import { toRootId } from '#features/runs/server/runIdentity.ts';
import { openRunsCore } from '#features/runs/server/runsCore.ts';

const [folder = '', out = ''] = process.argv.slice(2);

const NOT_OFFERED = 'the menu has it for runs of folders alone';

function write(name: string, formats: readonly ExportFormat[], input: ExportInput): void {
  mkdirSync(join(out, name), { recursive: true });
  for (const { id, kind, fileName, findProblem, toText } of RUN_FORMATS) {
    if (kind !== 'config') continue;
    const problem = formats.some((format) => format.id === id) ? findProblem(input) : NOT_OFFERED;
    const file = problem === null ? fileName : `${fileName}.problem`;
    writeFileSync(join(out, name, file), problem ?? toText(input));
  }
}

async function readRuns(): Promise<ReadonlyMap<string, Candidate>> {
  const core = openRunsCore({
    openReader: (path, onChange) => openRootReader(path, { formats: ALL_FORMATS, onChange, isWatched: false }),
    findProcess: findProcessIn(ownProcesses),
  });
  const id = toRootId(folder);
  await core.setRoots([{ id, path: folder, isFromFlag: true, grouping: { by: 'folder' }, measure: null }], {
    folder: null,
    used: [],
  });
  await core.look();
  const project = (await core.findProject(id, null))?.project;
  const found = new Map<string, Candidate>();
  const jobs = (project?.children ?? []).flatMap(({ children }) => children.flatMap((snapshot) => snapshot.children));
  for (const job of jobs) {
    const read = readJob(await core.findJob(job.id));
    if (!read.ok) throw new Error(read.reason);
    for (const node of job.children as readonly ExperimentNode[]) {
      const facts = read.value.experiments.find((each) => each.id === node.id) ?? null;
      const place = { node: node as never, job: null, snapshot: null, dataset: null };
      found.set(node.label, toRunCandidate(node.id, place, facts));
    }
  }
  await core.close();
  return found;
}

for (const [label, run] of await readRuns()) write(label, RUN_FORMATS, toTestInput([run], { isOfFolder: true }));
/** The files of rows that an objective learns, each as those of a snapshot. */
const rowFiles = new Map(
  ['chat', 'dpo', 'kto'].map((id) => [id, { training: `${id}.training.jsonl`, validation: `${id}.validation.jsonl` }]),
);
const validation = new Map(['dpo', 'kto'].map((id) => [id, 24]));
/** What a service proposes beside the method. */
const CHOSEN: Readonly<Record<string, ChosenSettings>> = {
  dpo: { objective: 'dpo', beta: 0.2, lora_dropout: 0.1 },
  kto: { objective: 'kto', beta: 0.2, undesirable_weight: 1.5 },
};
/** An experiment of the studio's own, as its job sends it. */
function toOwn(snapshot_id: string, fields: object): Candidate {
  const read = readJob({ id: 'j', experiments: [{ id: 'e', ...fields }] });
  if (!read.ok) throw new Error(read.reason);
  const toNode = (id: string, type: string): TreeNode => ({ id, type, label: id, children: [], metadata: {} });
  const [node, snapshot] = [toNode('e', 'experiment'), toNode(snapshot_id, 'snapshot')];
  return toRunCandidate('e', { node, job: null, snapshot, dataset: null }, read.value.experiments[0] ?? null);
}

const rest = { n_epochs: 1, batch_size: 8, learning_rate_multiplier: 2e-4 };
for (const base_model_id of ['qwen3-0.6b', 'llama3.2-1b']) {
  for (const what of ['full', 'lora', 'dpo', 'kto', 'grpo']) {
    const training_type = what === 'full' ? 'full' : 'lora';
    const method = what === training_type ? 'sft' : what;
    const snapshot_id = rowFiles.has(what) ? what : 'chat';
    const chosen = CHOSEN[what] ?? {};
    const extras = [{ name: 'method', kind: 'text', value: method }] as const;
    const recommended = toTestCandidate('c', { ...rest, base_model_id, training_type, snapshot_id, extras, chosen });
    const own = toOwn(snapshot_id, { ...rest, base_model_id, training_type, status: 'completed', steps: 4, method });
    write(`recommended-${base_model_id}-${what}`, EXPORT_FORMATS, toTestInput([recommended], { rowFiles, validation }));
    // Their configs come of the same facts: one base is enough.
    if (base_model_id === 'qwen3-0.6b')
      write(`own-${base_model_id}-${what}`, EXPORT_FORMATS, toTestInput([own], { rowFiles, validation }));
  }
}
