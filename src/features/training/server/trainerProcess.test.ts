import { existsSync, readFileSync } from 'node:fs';
import { constants, getPriority, tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { openTrainerProcess } from './trainerProcess.ts';

it('has a low priority, and so has its session where that counts', async () => {
  const trainer = openTrainerProcess({
    command: [process.execPath, '-e', 'setInterval(() => undefined, 1000)'],
    jobFile: 'job.json',
    folder: tmpdir(),
    onLine: () => undefined,
  });
  try {
    const pid = trainer.pid ?? 0;
    expect(getPriority(pid)).toBe(constants.priority.PRIORITY_LOW);
    const session = `/proc/${pid}/autogroup`;
    if (existsSync(session)) await expect.poll(() => readFileSync(session, 'utf8')).toMatch(/ nice 10\n$|^$/);
  } finally {
    trainer.kill();
    await trainer.ended;
  }
});
