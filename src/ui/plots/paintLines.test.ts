import { afterEach, expect, it, vi } from 'vitest';
import type { Lines } from './lines.ts';
import { toMarkCounts, type Mark } from './rowStyles.ts';
import { paintLines } from './paintLines.ts';

/** Writes down what a canvas is told to do: strokes with their lines, colour and opacity, and sheets that are laid. */
function openPaper(name: string, told: string[]) {
  let lines = 0;
  let dashes = '';
  const context = {
    strokeStyle: '',
    fillStyle: '',
    globalAlpha: 1,
    lineWidth: 1,
    globalCompositeOperation: '',
    canvas: { width: 10, height: 10, name },
    beginPath: () => (lines = 0),
    moveTo: () => (lines += 1),
    lineTo: () => undefined,
    setLineDash: (lengths: readonly number[]) => (dashes = lengths.length === 0 ? '' : ` dashed ${lengths.join(' ')}`),
    stroke: () => told.push(`${name}: ${lines} ${context.strokeStyle}${dashes}`),
    fillRect: () => told.push(`${name} becomes ${context.fillStyle}`),
    drawImage: (canvas: { readonly name: string }) => told.push(`${canvas.name} is laid`),
    getImageData: () => undefined,
    getTransform: () => null,
    setTransform: () => undefined,
    resetTransform: () => undefined,
    save: () => undefined,
    restore: () => undefined,
  };
  return context;
}

const toMarks = (count: number, more: (row: number) => Partial<Mark>): readonly Mark[] =>
  Array.from({ length: count }, (_, row) => ({ row, isFaded: false, series: null, tint: null, ...more(row) }));

function paint(marks: readonly Mark[], hasSheets = true): readonly string[] {
  const told: string[] = [];
  let sheets = 0;
  vi.stubGlobal('document', {
    createElement: () => {
      sheets += 1;
      const context = hasSheets ? openPaper(`sheet ${sheets}`, told) : null;
      return context === null
        ? { getContext: () => null }
        : Object.assign(context.canvas, { getContext: () => context });
    },
  });
  const lines = { xs: [0, 1], ys: marks.flatMap(() => [0, 1]) } as unknown as Lines;
  const steps = paintLines(
    openPaper('paper', told) as unknown as CanvasRenderingContext2D,
    (token) => token,
    lines,
    marks,
    toMarkCounts(marks),
  );
  while (!steps.next().done);
  return told;
}

const strokesOf = (told: readonly string[], name: string): number =>
  told.filter((line) => line.startsWith(`${name}: `)).reduce((sum, line) => sum + Number(line.split(' ').at(-2)), 0);

afterEach(() => vi.unstubAllGlobals());

it('draws few lines straight away, each once', () => {
  const told = paint(toMarks(30, () => ({})));
  expect(strokesOf(told, 'paper')).toBe(30);
  expect(told.join()).not.toContain('laid');
});

it('gathers many faint lines on a sheet, which is given its colour and laid once, before what stands above them', () => {
  const told = paint(toMarks(4_001, (row) => (row === 4_000 ? { series: 0 } : {})));
  expect(strokesOf(told, 'sheet 1')).toBe(4_000);
  expect(told.filter((line) => line.endsWith('is laid'))).toEqual(['sheet 1 is laid']);
  expect(told.slice(-3)).toEqual([
    expect.stringMatching(/^sheet 1 becomes --/),
    'sheet 1 is laid',
    expect.stringMatching(/^paper: 1 --/),
  ]);
});

it('lays one sheet for each colour, also the last', () => {
  const told = paint(toMarks(8_000, (row) => ({ isFaded: row < 4_000 })));
  expect(told.filter((line) => line.endsWith('is laid'))).toEqual(['sheet 1 is laid', 'sheet 2 is laid']);
  expect(strokesOf(told, 'sheet 1') + strokesOf(told, 'sheet 2')).toBe(8_000);
});

it('dashes the selected past the eight colours, then dots them', () => {
  expect(paint(toMarks(3, (row) => ({ series: row * 8 })))).toEqual([
    'paper: 1 --series-1',
    'paper: 1 --series-1 dashed 6 3',
    'paper: 1 --series-1 dashed 2 3',
  ]);
});

it('draws without sheets where the browser gives none', () => {
  const told = paint(
    toMarks(4_000, () => ({})),
    false,
  );
  expect(strokesOf(told, 'paper')).toBe(4_000);
});
