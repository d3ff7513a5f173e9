import { expect, it } from 'vitest';
import { toCsvParts } from './curvesFile.ts';
import { lineOf } from './lines.fixture.ts';

it('writes each point on a line of its own, and guards names that a spreadsheet would run', () => {
  const text = [...toCsvParts([lineOf([0.5, Number.NaN], 'r1')], new Map([['r1', '=HYPERLINK("x"), a']]))].join('');
  expect(text.split('\n')).toEqual([
    'run,run_id,metric,step,value,time',
    `"'=HYPERLINK(""x""), a",r1,loss,0,0.5,`,
    `"'=HYPERLINK(""x""), a",r1,loss,1,NaN,`,
    '',
  ]);
});
