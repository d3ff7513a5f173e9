// Takes the README's screenshots from a running studio: `npm run screens`.
import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_ARGS, ensureChromium } from './chromium';
import { startStudio } from './startStudio';

const FOLDER = join(import.meta.dirname, 'screens');

async function compareModels(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('treeitem', { name: /Experiment 2.*full/ }).click();
  await page.getByRole('button', { name: 'Compare with base model' }).first().click();
  await page.getByRole('textbox', { name: 'System prompt' }).first().fill('Classify the ticket.');
  await page.getByRole('textbox', { name: 'Message' }).fill('I was charged twice for the Nimbus keyboard. Please act right now. I am really frustrated.');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  for (const name of ['Pane 1', 'Pane 2']) await page.getByRole('region', { name }).getByText(/TTFT/).first().waitFor();
  await page.getByRole('treeitem', { name: /Snapshot/ }).first().click();
  await page.getByRole('region', { name: 'Recommendations' }).getByText('completed', { exact: true }).first().waitFor();
}

const studio = await startStudio();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: CHROMIUM_ARGS });
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ viewport: { width: 1720, height: 960 }, colorScheme });
  await compareModels(page, studio.link);
  await page.screenshot({ path: join(FOLDER, `${colorScheme}.png`) });
  await page.close();
}
await browser.close();
await studio.stop();
