import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NO_VALUE, toColoring, toColoringText, toColorOptions } from './coloring.ts';
import { isHollow, toColorToken, toLineWidth, toMarks } from './rowStyles.ts';
import { toDescribedAxes } from './plotSummary.ts';
import { categoryAxis, numberAxis } from '#ui/plots/scales/axes.fixture.ts';

describe('colours by value', () => {
  it('numbers take the steps from the smallest to the largest, a missing one the neutral colour', () => {
    const { tokens, legend, missing } = toColoring(numberAxis('number', 'loss', 0, 1, 2, null, 1.99));
    expect(tokens).toEqual(['--scale-1', '--scale-4', '--scale-7', NO_VALUE, '--scale-7']);
    expect(legend).toMatchObject({ kind: 'steps', labels: ['0', '1', '2'] });
    expect(missing).toBe(1);
  });

  it('follow the scale of the axis', () => {
    const rates = numberAxis('rate', 'learning_rate', 1e-5, 1e-4, 1e-3);
    expect(rates.scale).toBe('log');
    expect(toColoring(rates).tokens).toEqual(['--scale-1', '--scale-4', '--scale-7']);
    expect(toColoring(rates).legend).toMatchObject({ labels: ['1e-5', '1e-4', '1e-3'] });
    expect(toColoring(numberAxis('count', 'n', 1, 2)).legend).toMatchObject({ labels: ['1', '2'] });
    expect(toColoring({ ...rates, scale: 'linear' }).tokens).toEqual(['--scale-1', '--scale-1', '--scale-7']);
  });

  it('one value for all is one step', () => {
    const { tokens, legend } = toColoring(numberAxis('number', 'loss', 3, 3));
    expect(tokens).toEqual(['--scale-4', '--scale-4']);
    expect(legend).toMatchObject({ tokens: ['--scale-4'], labels: ['3'] });
  });

  it('words have a colour each; of too many the most frequent ones', () => {
    expect(toColoring(categoryAxis('type', 'lora', 'full', null, 'lora')).tokens).toEqual([
      '--category-2',
      '--category-1',
      NO_VALUE,
      '--category-2',
    ]);
    const many = toColoring(categoryAxis('model', ...Array.from({ length: 10 }, (_, at) => `m${at}`), 'm8', 'm9'));
    expect(new Set(many.tokens).size).toBe(8);
    expect(many.tokens.slice(8, 10)).toEqual(['--category-6', '--category-7']);
    expect(many.legend.kind === 'words' && many.legend.entries.at(-1)).toEqual({
      token: '--neutral',
      text: '3 others',
    });
  });

  it('are told in words, beside the axes', () => {
    const loss = numberAxis('number', 'loss', 0.5, 2, null);
    expect(toColoringText(toColoring(loss))).toBe(
      'coloured by loss: 7 steps from 0.5 to 2, linear; 1 not given, in grey',
    );
    expect(toColoringText(toColoring(categoryAxis('type', 'lora', 'full')))).toBe('coloured by type: full, lora');
    expect(toDescribedAxes([loss], toColoring(numberAxis('count', 'n', 1, 2, 3))).map(({ id }) => id)).toEqual([
      'n',
      'loss',
    ]);
    expect(toDescribedAxes([loss], toColoring(loss))).toEqual([loss]);
  });

  it('leave the selected thicker, what is outside pale, and what has no value broken', () => {
    const rows = [0, null, null].map((series, at) => ({ key: `${at}`, label: '', series }));
    const marks = toMarks(rows, [true, true, false], ['--scale-1', NO_VALUE, '--scale-2']);
    expect(marks.map(({ row }) => row)).toEqual([2, 1, 0]);
    expect(marks.map(toColorToken)).toEqual(['--line-strong', NO_VALUE, '--scale-1']);
    expect(marks.map(isHollow)).toEqual([false, true, false]);
    expect(toMarks(rows.slice(1), [true, true], ['--scale-1', NO_VALUE]).map(({ row }) => row)).toEqual([1, 0]);
    expect(toLineWidth(marks[2]!)).toBeGreaterThan(toLineWidth(marks[1]!));
  });
});

type Rgb = readonly [number, number, number];

/** Linear light of each token, light and dark. */
function readTokens(): readonly ReadonlyMap<string, Rgb>[] {
  const css = readFileSync(new URL('plotColors.css', import.meta.url), 'utf8').split('@media');
  return css.map(
    (part) =>
      new Map(
        [...part.matchAll(/(--(?:scale|category)-\d): #(\w{2})(\w{2})(\w{2});/g)].map(([, name = '', ...hex]) => [
          name,
          hex.map((two) => toLinear(parseInt(two, 16) / 255)) as unknown as Rgb,
        ]),
      ),
  );
}
const toLinear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
const toLuminance = ([r, g, b]: Rgb): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

/**
 * Colours as seen with full protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes 2009), and by all
 * others.
 */
const SEEN = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
];
const see = (m: readonly number[], color: Rgb): Rgb =>
  [0, 3, 6].map((at) =>
    Math.min(1, Math.max(0, (m[at] ?? 0) * color[0] + (m[at + 1] ?? 0) * color[1] + (m[at + 2] ?? 0) * color[2])),
  ) as unknown as Rgb;

function toLab([r, g, b]: Rgb): readonly number[] {
  const [l, m, s] = [
    0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b,
    0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
    0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b,
  ].map(Math.cbrt) as [number, number, number];
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
const toDistance = (a: Rgb, b: Rgb): number => Math.hypot(...toLab(a).map((value, at) => value - (toLab(b)[at] ?? 0)));

describe.each([
  ['light', 0, '#ffffff', -1],
  ['dark', 1, '#191a1c', 1],
] as const)('the colours, %s', (_theme, at, surface, direction) => {
  const tokens = readTokens()[at]!;
  const under = toLuminance(
    [1, 3, 5].map((from) => toLinear(parseInt(surface.slice(from, from + 2), 16) / 255)) as unknown as Rgb,
  );
  const listOf = (name: string): readonly Rgb[] =>
    Array.from({ length: 7 }, (_, index) => tokens.get(`--${name}-${index + 1}`)!);

  it('stand out from the surface', () => {
    for (const color of [...listOf('scale'), ...listOf('category')]) {
      const [low, high] = [toLuminance(color), under].sort((a, b) => a - b) as [number, number];
      expect((high + 0.05) / (low + 0.05)).toBeGreaterThan(2.95);
    }
  });

  it('rise step by step in lightness, for every eye', () => {
    for (const matrix of SEEN) {
      const lights = listOf('scale').map((color) => direction * (toLab(see(matrix, color))[0] ?? 0));
      for (const [index, light] of lights.entries())
        if (index > 0) expect(light - (lights[index - 1] ?? 0)).toBeGreaterThan(0.02);
    }
  });

  it('keep words isolated, for every eye', () => {
    for (const [eye, matrix] of SEEN.entries()) {
      const least = eye === 0 ? 0.18 : 0.11;
      const seen = listOf('category').map((color) => see(matrix, color));
      for (const [index, color] of seen.entries())
        for (const other of seen.slice(0, index)) expect(toDistance(color, other)).toBeGreaterThan(least);
    }
  });
});

it.each(['hasOwnProperty', '__proto__', 'gone'])(
  'a choice that is no column (%s) is said not to be here, and one without values by its name',
  (by) => {
    const loss = { id: 'last_loss', label: 'loss' };
    const usual = [
      { value: '', label: 'Candidate' },
      { value: 'last_loss', label: 'loss' },
    ];
    expect(toColorOptions('Candidate', [loss], [loss], null)).toEqual(usual);
    expect(toColorOptions('Candidate', [loss], [loss], 'last_loss')).toEqual(usual);
    expect(toColorOptions('Candidate', [loss], [loss], by)).toEqual([
      ...usual,
      { value: by, label: `${by} (not here)` },
    ]);
    expect(toColorOptions('Candidate', [], [loss], 'last_loss')).toEqual([
      usual[0],
      { value: 'last_loss', label: 'loss (not here)' },
    ]);
  },
);
