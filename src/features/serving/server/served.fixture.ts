// For tests: a folder with a run whose adapter is saved, and what serves it.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { writePeftFolder } from '#engine/gguf/sampleAdapter.fixture.ts';
import type { ModelFile } from '#engine/engine.ts';
import { samplePath } from '#engine/sampleModel.fixture.ts';
import type { FoundCheckpoint } from './foundCheckpoint.ts';
import { openServing, type Serving, type ServingOptions } from './serving.ts';

export const BASE: ModelFile = {
  id: 'support-base',
  aliases: [],
  path: samplePath('support-base.Q8_0.gguf'),
  adapter: null,
  created: 1,
  owned_by: 'sample',
};
export const RUN = '00000000-0000-4000-8000-000000000001';
export const REQUEST = { checkpoint: 'run', way: 'llama', base_model_id: 'support-base' } as const;

export interface ServedFolder {
  /** The root of runs. `run` below it has the adapter. */
  readonly root: string;
  /** A new data folder for each test. */
  readonly data: string;
  /** What was reported in this test. */
  readonly lines: readonly string[];
  open(changes?: Partial<ServingOptions>): Promise<Serving>;
  checkpoint(about?: Partial<FoundCheckpoint>): FoundCheckpoint;
}

/** Made for the tests of a file, and removed after them. */
export function useServedFolder(): ServedFolder {
  let folder: string;
  let root: string;
  let data: string;
  let lines: string[];

  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'serving-')));
    root = join(folder, 'runs');
    await mkdir(join(root, 'run', 'checkpoint-5'), { recursive: true });
    writePeftFolder(join(root, 'run'));
    await writeFile(join(root, 'run', 'checkpoint-5', 'adapter_config.json'), '{"peft_type": "LORA"');
    await writeFile(join(folder, 'outside'), 'x');
    await symlink(join(folder, 'outside'), join(root, 'run', 'checkpoint-5', 'adapter_model.safetensors'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  beforeEach(async () => {
    data = await mkdtemp(join(folder, 'data-'));
    lines = [];
  });

  const open = (changes: Partial<ServingOptions> = {}): Promise<Serving> =>
    openServing({
      dataDir: data,
      listBases: async () => [{ ...BASE, id: 'other', path: '/other.gguf' }, BASE],
      listModels: async () => ['support-base', 'Tickets'],
      engine: null,
      now: () => 5_000,
      report: (line) => lines.push(line),
      ...changes,
    });

  const checkpoint = (about: Partial<FoundCheckpoint> = {}): FoundCheckpoint => ({
    runId: RUN,
    runLabel: 'Tickets',
    root,
    path: 'run',
    kind: 'adapter',
    step: null,
    isComplete: true,
    baseModel: 'me/support-base',
    rank: 8,
    isMlx: false,
    modelConfig: {},
    modelId: null,
    ...about,
  });
  return {
    get root() {
      return root;
    },
    get data() {
      return data;
    },
    get lines() {
      return lines;
    },
    open,
    checkpoint,
  };
}
