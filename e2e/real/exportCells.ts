// Writes the configs of all formats for the runs of a folder, and for recommendations: `OUT/<run>/<format>.<extension>`.
// Arguments: the folder of runs, the folder to write to.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJob } from '#shared/contract/jobReader.ts';
import type { ExperimentNode } from '#shared/contract/tree.ts';
import { toTestCandidate } from '#shared/training/candidate.fixture.ts';
import type { Candidate } from '#shared/training/candidates.ts';
import { EXPORT_FORMATS, RUN_FORMATS } from '#shared/training/exportFormats.ts';
import { toTestInput } from '#shared/training/exportFormats.fixture.ts';
import type { ExportFormat, ExportInput } from '#shared/training/exportInput.ts';
import { toRunCandidate } from '#shared/training/runCandidates.ts';
import { openRootReader } from '#server/runs/disk/rootReader.ts';
import { ALL_FORMATS } from '#server/runs/formats/allFormats.ts';
import { findProcessIn, ownProcesses } from '#server/runs/liveness.ts';
import { toRootId } from '#server/runs/runIdentity.ts';
import { openRunsCore } from '#server/runs/runsCore.ts';

const [folder = '', out = ''] = process.argv.slice(2);

function write(name: string, formats: readonly ExportFormat[], input: ExportInput): void {
  mkdirSync(join(out, name), { recursive: true });
  for (const { id, kind, fileName, findProblem, toText } of formats) {
    if (kind !== 'config') continue;
    const problem = findProblem(input);
    const file = problem === null ? `${id}.${fileName.split('.').at(-1) ?? ''}` : `${id}.problem`;
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
const rowFiles = new Map([['s', { training: 'chat.training.jsonl', validation: 'chat.validation.jsonl' }]]);
for (const base_model_id of ['qwen3-0.6b', 'llama3.2-1b']) {
  for (const training_type of ['full', 'lora']) {
    const candidate = toTestCandidate('c', { base_model_id, training_type, snapshot_id: 's', n_epochs: 1 });
    write(`recommended-${base_model_id}-${training_type}`, EXPORT_FORMATS, toTestInput([candidate], { rowFiles }));
  }
}
