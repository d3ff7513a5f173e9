import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { openMachineUsage, readCards, readMemory } from './machineUsage.ts';

const folder = mkdtempSync(join(tmpdir(), 'usage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function makeTool(name: string, script: string): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
const TWO = makeTool(
  'two',
  'test "$2" = --format=csv,noheader,nounits && printf "35, 2048, 24576\\n45, 1024, 24576\\n"',
);

it('cards are read together, and a tool that is missing, hangs, fails or says something else is none', async () => {
  expect(await readCards(TWO)).toEqual({ 'system/gpu_percent': 40, 'system/gpu_memory_gib': 3 });
  expect(await readCards(join(folder, 'none'))).toBe('none');
  expect(await readCards(makeTool('hang', 'exec sleep 60'), 100)).toBeNull();
  expect(await readCards(makeTool('fail', 'echo "35, 2048, 24576"; exit 9'))).toBeNull();
  expect(await readCards(makeTool('na', 'echo "[N/A], [N/A], [N/A]"'))).toBeNull();
});

it('cards that do not answer once are looked at again', async () => {
  const late = makeTool('late', `if mkdir "${folder}/asked"; then exit 9; fi; exec "${TWO}" "$@"`);
  const usage = openMachineUsage(process.pid, { firstMs: 1, everyMs: 1, program: late });
  onTestFinished(() => usage.close());
  await vi.waitFor(() => expect(usage.addTo('{"type":"progress"}')).toContain('system/gpu_percent'), 5_000);
});

it('cards that never answer are not asked for ever', async () => {
  const asked = join(folder, 'looks');
  const never = makeTool('never', `echo look >> "${asked}"; exit 9`);
  const usage = openMachineUsage(process.pid, { firstMs: 1, everyMs: 1, program: never });
  onTestFinished(() => usage.close());
  const count = (): number => readFileSync(asked, 'utf8').split('\n').length - 1;
  await vi.waitFor(() => expect(count()).toBe(5), 5_000);
  await setTimeout(150);
  expect(count()).toBe(5);
});

it.runIf(process.platform === 'linux')('the memory of a trainer is that of all that it has started', async () => {
  const child = spawn('sh', ['-c', 'sleep 60 & exec sleep 60'], { stdio: 'ignore', detached: true });
  onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
  await vi.waitFor(async () => expect(await readMemory(process.pid)).toBeGreaterThan(await readMemory(child.pid!)));
  const [own = 0, both = 0] = [await readMemory(child.pid!), await readMemory(process.pid)];
  expect(own).toBeGreaterThan(100_000);
  expect(both).toBeGreaterThan(own);
  expect(await readMemory(2 ** 22 + 1)).toBe(0);
});

it('a step says what was seen last, beside its own curves; other lines stay as they are', async () => {
  const usage = openMachineUsage(process.pid, { firstMs: 1, everyMs: 60_000, program: TWO });
  onTestFinished(() => usage.close());
  const step = JSON.stringify({ type: 'progress', step: 1, loss: 2, metrics: { kl: 1 } });
  await vi.waitFor(() =>
    expect(JSON.parse(usage.addTo(step))).toEqual({
      type: 'progress',
      step: 1,
      loss: 2,
      metrics: {
        kl: 1,
        'system/gpu_percent': 40,
        'system/gpu_memory_gib': 3,
        'system/memory_gib': expect.any(Number) as number,
      },
    }),
  );
  for (const line of [
    'progress',
    '{"type":"progress","step":1,"loss":NaN}',
    '{"type":"log","text":"progress"}',
    '{"progress',
  ])
    expect(usage.addTo(line)).toBe(line);
});
