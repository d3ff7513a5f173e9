import { expect, it } from 'vitest';
import { TracebackWatch } from './traceback.ts';

const watch = (log: string): TracebackWatch => {
  const found = new TracebackWatch();
  for (const line of log.split('\n')) found.take(line);
  return found;
};

const OUT_OF_MEMORY = `Traceback (most recent call last):
  File "/data/me/train.py", line 40, in <module>
    raise ValueError("x")
torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.`;

it('knows the last line of a traceback', () => {
  expect(watch(OUT_OF_MEMORY).error).toEqual({
    message: 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.',
    isInterrupt: false,
  });
});

it('takes the last of several errors', () => {
  const log = `${OUT_OF_MEMORY}\n\nDuring handling of the above exception, another exception occurred:\n
Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 'text'`;
  expect(watch(log).error?.message).toBe("KeyError: 'text'");
});

it('reads the box that rich draws and the lines of a rank', () => {
  const box = '╭───── Traceback (most recent call last) ─────╮\n│ a.py:1 in main │\n╰──────╯\nRuntimeError: no kernel';
  expect(watch(box).error?.message).toBe('RuntimeError: no kernel');
  const rank = '[rank0]: Traceback (most recent call last):\n[rank0]:   File "a.py"\n[rank0]: ValueError: bad shape';
  expect(watch(rank).error?.message).toBe('ValueError: bad shape');
});

it('tells a stop by Ctrl+C', () => {
  const log = 'Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyboardInterrupt';
  expect(watch(log).error).toEqual({ message: 'KeyboardInterrupt', isInterrupt: true });
});

it('needs the traceback and its last line', () => {
  expect(watch('ValueError: only mentioned').error).toBeNull();
  expect(watch(OUT_OF_MEMORY.split('\n').slice(0, 3).join('\n')).error).toBeNull();
});

it('forgets an error after which the training went on', () => {
  const found = watch(OUT_OF_MEMORY);
  found.clear();
  expect(found.error).toBeNull();
});
