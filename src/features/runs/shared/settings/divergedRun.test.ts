import { expect, it } from 'vitest';
import { hasDiverged } from './divergedRun.ts';

const falling = Array.from({ length: 20 }, (_, at) => 4 / (at + 1));

it.each([
  ['The trainer was ended by the signal SIGKILL, often because memory ran out. Its last line: step 20', falling],
  ['No space is left on the disk. Free some.', falling],
  ['The worker gpu-1 was not heard of for 15 s.', falling],
  ['CUDA out of memory. Tried to allocate 2.00 GiB', []],
  // Infinite is not a loss here, and too few steps say nothing.
  ['The trainer waited an infinite time, in /srv/info.', [2, 2.4, 2.6]],
  [null, []],
])('%s says nothing of the settings', (reason, losses) => expect(hasDiverged(losses, reason)).toBe(false));

it.each([
  ['The run diverged: from step 30 on its loss was not a finite number.', []],
  ['loss is not finite at step 27', []],
  ['ValueError: loss is nan', falling],
  ['It ended with the exit code 1.', [...falling, null]],
  [null, [...falling, Number.NaN]],
  ['It ended with the exit code 1.', falling.toReversed()],
])('%s is a fault of the settings', (reason, losses) => expect(hasDiverged(losses, reason)).toBe(true));
