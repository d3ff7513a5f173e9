// 200 curves of 10,000 points in one plot: zoom and pan, beside a canvas that draws all points in view.
import { fileURLToPath } from 'node:url';
import { chromium, type Browser } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from '../chromium.ts';
import { openPages, type PageServer } from './pageServer.ts';
import { amount } from './short.ts';

const ROUNDS = amount(3, 1);
const SLOW_MS = 33;
/** Zoom in, pan there and back, zoom out: a key in each frame. */
const KEYS: readonly (readonly [string, boolean])[] = [
  ...Array.from({ length: 4 }, () => ['+', false] as const),
  ...Array.from({ length: 20 }, () => ['ArrowRight', true] as const),
  ...Array.from({ length: 20 }, () => ['ArrowLeft', true] as const),
  ...Array.from({ length: 6 }, () => ['-', false] as const),
];

type Target = 'ours' | 'all';

interface Measured {
  /** From the key to the picture that shows it, in ms. */
  readonly pictures: readonly number[];
  /** Frames while a key is pressed in each. */
  readonly frames: readonly number[];
  /** Processor time of the page's main thread for each key, in ms: on a busy machine, frames say little. */
  readonly busy: number;
}

const PICTURES = 12;

async function measureRound(browser: Browser, server: PageServer, target: Target): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1100, height: 500 } });
  try {
    // tsx names functions through this helper, which a page does not have.
    await page.addInitScript({ content: 'globalThis.__name ??= (named) => named;' });
    await page.goto(`${server.url}/${target}`);
    await page.locator('canvas[data-theme]').waitFor({ state: 'attached' });
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    const readBusy = async (): Promise<number> => {
      const { metrics } = await cdp.send('Performance.getMetrics');
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
    };
    const before = await readBusy();
    const measured = await page.evaluate(async (keys) => {
      const area = document.querySelector<HTMLElement>('[role="slider"]');
      const canvas = document.querySelector('canvas');
      if (!area || !canvas) throw new Error('The page has no plot');
      area.focus();
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
      const press = ([key, shiftKey]: readonly [string, boolean]) =>
        area.dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }));
      const drawn = () =>
        new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => (observer.disconnect(), resolve()));
          observer.observe(canvas, { attributes: true, attributeFilter: ['data-theme'] });
        });
      const pictures: number[] = [];
      for (const key of keys.slice(0, 12)) {
        await frame();
        const shown = drawn();
        const started = performance.now();
        press(key);
        await shown;
        pictures.push(performance.now() - started);
      }
      press(['0', false]);
      await new Promise((resolve) => setTimeout(resolve, 500));
      const frames: number[] = [];
      let last = await frame();
      for (const key of keys) {
        press(key);
        const now = await frame();
        frames.push(now - last);
        last = now;
      }
      return { pictures, frames };
    }, KEYS);
    return { ...measured, busy: ((await readBusy()) - before) / (KEYS.length + PICTURES) };
  } finally {
    await page.close();
  }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

export async function measureCurves(): Promise<void> {
  const server = await openPages({ ours: 'curvesOurs.tsx', all: 'curvesAll.tsx' }, () => false);
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
  const figures = new Map<string, Record<Target, number[]>>();
  const add = (name: string, target: Target, value: number): void => {
    const known = figures.get(name) ?? { ours: [], all: [] };
    known[target].push(value);
    figures.set(name, known);
  };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const target of ['ours', 'all'] as const) {
        const { pictures, frames, busy } = await measureRound(browser, server, target);
        add('from a key to its whole picture', target, median(pictures));
        add('frame while a key is pressed in each', target, median(frames));
        add('main thread busy for a key', target, busy);
        add('worst frame', target, Math.max(...frames));
        add(`frames over ${SLOW_MS} ms of ${KEYS.length} (number)`, target, frames.filter((ms) => ms > SLOW_MS).length);
      }
    }
  } finally {
    await browser.close();
    await server.close();
  }
  process.stdout.write('200 curves of 10,000 points, medians of the rounds in ms\n');
  process.stdout.write(
    `  ${''.padEnd(44)}${['ours', 'all points', 'ratio'].map((cell) => cell.padStart(12)).join('')}\n`,
  );
  for (const [name, { ours, all }] of figures) {
    const [a, b] = [median(ours), median(all)];
    const ratio = name.includes('number)') ? '' : (a / b).toFixed(2);
    process.stdout.write(
      `  ${name.padEnd(44)}${[a.toFixed(1), b.toFixed(1), ratio].map((cell) => cell.padStart(12)).join('')}\n`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await measureCurves();
