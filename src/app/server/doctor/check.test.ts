import { expect, it } from 'vitest';
import { toDiagnosis } from './check.ts';

it('makes a line of each check, and ends with 1 if one is a problem', () => {
  const port = { name: 'Port', state: 'ok', text: 'It is free.' } as const;
  const disk = { name: 'Disk space', state: 'problem', text: 'It is full. Free \u001b[2Jspace.' } as const;
  expect(toDiagnosis('Head', [port])).toEqual({
    lines: ['Head', '', 'ok       Port  It is free.', '', 'No problem was found.'],
    exitCode: 0,
  });
  expect(toDiagnosis('Head', [port, disk, disk])).toEqual({
    lines: [
      'Head',
      '',
      'ok       Port        It is free.',
      'problem  Disk space  It is full. Free  [2Jspace.',
      'problem  Disk space  It is full. Free  [2Jspace.',
      '',
      '2 problems were found.',
    ],
    exitCode: 1,
  });
  expect(toDiagnosis('Head', [{ ...port, state: 'note' }]).exitCode).toBe(0);
  expect(toDiagnosis('Head', [disk]).lines.at(-1)).toBe('1 problem was found.');
});
