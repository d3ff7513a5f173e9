import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { TrainerEvent } from '#trainer/protocol/trainerProtocol.ts';
import { measureExport } from './measureExport.ts';
import { runJob } from './runJob.ts';
import { ofType, writeJob, writeTinyBase } from './tinyJob.fixture.ts';

const root = mkdtempSync(join(tmpdir(), 'nano-export-'));
const base = join(root, 'base.gguf');
writeTinyBase(base);
afterAll(() => rmSync(root, { recursive: true }));

it('the files of a run answer as its trainer; a file of other weights is refused', async () => {
  const events: TrainerEvent[] = [];
  const change = { training_type: 'lora', lora: { rank: 4, alpha: 8 }, learning_rate: 3e-2, n_epochs: 10 } as const;
  await runJob(writeJob(join(root, 'lora'), base, change), {
    emit: (event) => events.push(event),
    isStopped: () => false,
    measureExport: (asked, heldOut, files) =>
      measureExport(asked, heldOut, [...files, { format: 'base', path: base, adapter: null, isServed: false }]),
  });
  const [result] = ofType(events, 'result');
  const { parity, measures } = result!;
  expect(parity?.prompts).toBe(8);
  expect(parity?.exact_match).toBe(measures?.['exact_match']);
  expect(parity?.exact_match).toBeGreaterThan(0.5);
  const [adapter, merged, small, untrained] = parity!.formats;
  for (const same of [adapter, merged])
    expect(same).toMatchObject({ equal: 1, lost: 0, is_refused: false, first_difference: null });
  expect([adapter?.is_served, merged?.is_served]).toEqual([true, false]);
  expect(small).toMatchObject({ format: 'merged Q8_0' });
  expect(untrained).toMatchObject({ equal: 0, exact_match: 0, is_refused: true });
  expect(untrained?.first_difference?.prompt).toMatch(/^Say /);
});
