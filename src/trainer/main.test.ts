import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { EXIT_RESUMABLE, type TrainerLine } from '#trainer/protocol/trainerProtocol.ts';
import { readModel } from '#trainer/files/readModel.ts';
import { ofType, readLines, writeJob, writeTinyBase } from './tinyJob.fixture.ts';
import { trainerCommand } from './trainerCommand.ts';

const root = mkdtempSync(join(tmpdir(), 'nano-main-'));
const base = join(root, 'base.gguf');
writeTinyBase(base);
afterAll(() => rmSync(root, { recursive: true }));

interface Ended {
  readonly code: number | null;
  readonly lines: readonly TrainerLine[];
  readonly errors: string;
}

/** Starts the trainer as the service does. `until`: gets SIGTERM when its output has this text. */
function train(path: string, until?: string): Promise<Ended> {
  const { command, args } = trainerCommand(2);
  const child = spawn(command, [...args, path], { stdio: ['ignore', 'pipe', 'pipe'], cwd: root });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => {
    output += data.toString();
    // Once: while Node takes itself down, another one would be the end by a signal.
    if (until !== undefined && !child.killed && output.includes(until)) child.kill('SIGTERM');
  });
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: readLines(output), errors }));
  });
}

describe('the trainer as a process', () => {
  it('ends with 75 on SIGTERM after a checkpoint, and goes on from it to a result', async () => {
    const folder = join(root, 'run');
    writeJob(folder, base, { n_epochs: 15, checkpoint_every: 1000 });
    const path = join(folder, 'job.json');
    const first = await train(path, '"type":"progress"');
    expect(first.errors).toBe('');
    expect(first.code).toBe(EXIT_RESUMABLE);
    const saved = ofType(first.lines, 'checkpoint').at(-1)!;
    expect(saved.step).toBe(ofType(first.lines, 'progress').length);
    writeJob(folder, base, { n_epochs: 15, checkpoint_every: 1000, resume: true });
    const second = await train(path);
    expect(second.code).toBe(0);
    expect(ofType(second.lines, 'progress')[0]?.step).toBe(saved.step + 1);
    const [result] = ofType(second.lines, 'result');
    const file = result !== undefined && 'file' in result.model ? result.model.file : '';
    expect(readModel(file).header.values.get('general.name')).toBe('ft-tiny-0a1b2c3d');
    expect([...first.lines, ...second.lines].filter(({ problem }) => problem !== undefined)).toEqual([]);
  });

  it('says what is wrong, and ends with 1', async () => {
    const ended = await train(join(root, 'nothing.json'));
    expect(ended.code).toBe(1);
    const [failure] = ofType(ended.lines, 'failure');
    expect(failure?.reason).toContain("The job can't be read");
    expect(failure?.what_to_do).toContain('job.json');
  });
});
