// Takes the README's screenshots from a running studio: `npm run screens`.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from './chromium.ts';
import { makeFolder, startStudio } from './startStudio.ts';
import { openBesideBase } from './steps.ts';
import { makeSweep } from './sweepFolder.ts';

const FOLDER = join(import.meta.dirname, 'screens');

async function openOverview(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page
    .getByRole('region', { name: /^Train next/ })
    .getByRole('button')
    .first()
    .waitFor();
  await page.getByRole('region', { name: 'Pane 1' }).waitFor();
}

async function compareRuns(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('treeitem').first().click();
  await page.getByRole('tab', { name: /^Runs/ }).click();
  await page.getByRole('checkbox', { name: /Compare all/ }).check();
  await page.getByRole('tab', { name: /Compare/ }).click();
  await page.getByRole('figure').first().waitFor();
}

async function sampleAnswers(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await openBesideBase(page);
  await page.getByRole('button', { name: 'Tree panel' }).click();
  await page
    .getByRole('textbox', { name: 'Message' })
    .fill('I was charged twice for the Nimbus keyboard. Please act right now.');
  await page.getByLabel('Samples per pane').fill('5');
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: /^Run/ }).click();
  for (const name of ['Pane 1', 'Pane 2']) {
    const pane = page.getByRole('region', { name });
    await pane.getByRole('group', { name: 'Samples' }).first().waitFor();
    await pane.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  }
}

async function showCurves(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('tab', { name: /^Curves/ }).click();
  await page.getByRole('figure').first().waitFor();
}

const folder = makeFolder('outputs');
makeSweep(folder);
const studio = await startStudio();
const runs = await startStudio({ args: ['--runs', folder, '--no-sample'] });
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
const SHOTS = [
  { file: 'light', colorScheme: 'light', prepare: openOverview },
  { file: 'dark', colorScheme: 'dark', prepare: openOverview },
  { file: 'compare', colorScheme: 'light', prepare: compareRuns },
  { file: 'panes', colorScheme: 'light', prepare: sampleAnswers },
  { file: 'curves', colorScheme: 'light', prepare: showCurves, isOfRuns: true },
] as const;
const wanted = process.argv.slice(2);
for (const { file, colorScheme, prepare, ...rest } of SHOTS) {
  if (wanted.length > 0 && !wanted.includes(file)) continue;
  const page = await browser.newPage({ viewport: { width: 1720, height: 960 }, colorScheme });
  await prepare(page, 'isOfRuns' in rest ? runs.link : studio.link);
  await page.screenshot({ path: join(FOLDER, `${file}.png`) });
  await page.close();
}
await browser.close();
await Promise.all([studio.stop(), runs.stop()]);
rmSync(folder, { recursive: true, force: true });
