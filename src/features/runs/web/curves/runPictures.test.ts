import { expect, it } from 'vitest';
import { toCurve } from '#features/runs/web/curves/curveMath/lines.fixture.ts';
import { toRunPictures } from './runPictures.ts';

it('draws every metric once, the usual ones first, validation values in the plot of training', () => {
  const pictures = toRunPictures(
    [
      toCurve([1, 2], { name: 'zebra' }),
      toCurve([2, 1.5, 1], { name: 'loss', steps: [10, 20, 30] }),
      toCurve([1.8, 1.2], { name: 'eval/loss', steps: [20, 30] }),
    ],
    'a',
  );
  expect(pictures.map(({ title }) => title)).toEqual(['loss and eval/loss', 'zebra']);
  expect(pictures[0]?.words).toMatch(/^loss: from 2 at step 10 to 1 at step 30\. eval\/loss: from 1\.8/);
  expect(pictures[0]?.svg.match(/<path [^>]*fill="none"/g)).toHaveLength(2);
  expect(pictures[0]?.svg).toContain('>step</text>');
});

it('draws a value that stands alone, and marks those that are not finite', () => {
  const [alone] = toRunPictures([toCurve([0.5])], 'a');
  expect(alone?.svg).toMatch(/<path d="M[\d. ]+h0" [^>]*stroke-linecap="round"/);
  const [broken] = toRunPictures([toCurve([1, Number.NaN, 0.5, Infinity, 0.8])], 'a');
  expect(broken?.svg).toContain('2 values not finite, marked at the top.');
  // A cross and an arrow, in the colour of the run.
  expect(
    broken?.svg.match(/<path d="M[\d.]+ (3l6 6m0 -6l-6 6|9l3\.5 -6l3\.5 6)" stroke="var\(--series-1\)"/g),
  ).toHaveLength(2);
});

it('takes its colours from the page around it, so that they follow the theme', () => {
  const [picture] = toRunPictures([toCurve([1, 2])], 'a');
  expect(picture?.svg).toContain('stroke="var(--series-1)"');
  expect(picture?.svg).not.toMatch(/#[0-9a-f]{3,6}\b/);
});

it('says what is not finite, and has no picture of a run without points', () => {
  expect(toRunPictures([toCurve([1, Number.NaN, 0.5, 0.8])], 'a')[0]?.words).toMatch(
    /lowest 0\.5 at step 2; 1 value not finite\./,
  );
  expect(toRunPictures([toCurve([Number.NaN])], 'a')[0]?.words).toContain('no finite value');
  expect(toRunPictures([], 'a')).toEqual([]);
});

it('writes a metric’s name as text, whatever it holds', () => {
  expect(toRunPictures([toCurve([1, 2], { name: '<script>x' })], 'a')[0]?.svg).not.toContain('<script');
});
