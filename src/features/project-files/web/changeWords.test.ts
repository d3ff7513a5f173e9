import { expect, it } from 'vitest';
import { IMPORT_CHANGES } from '#features/project-files/shared/transfer.ts';
import { toChangeWords } from './changeWords.ts';

it('has a title for each kind of change, for one and for many', () => {
  const titles = IMPORT_CHANGES.map((kind) => [1, 1200].map((count) => toChangeWords(kind).title(count)));
  expect(titles).toEqual([
    ['Another name for the project', 'Another name for the project'],
    ['Another name for 1 model', 'Another name for 1,200 models'],
    ['1 alias left out', '1,200 aliases left out'],
    ['1 run ended', '1,200 runs ended'],
    ['1 job ended', '1,200 jobs ended'],
    ['1 recommendation ended', '1,200 recommendations ended'],
    ['1 date in the future', '1,200 dates in the future'],
    ['1 own function left out', '1,200 own functions left out'],
  ]);
});
