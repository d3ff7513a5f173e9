// Runs that other trainers left in a folder: live curves, a run's page, the dialog of folders. The folder is real.
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { samplePath } from '../src/engine/sampleModel.fixture.ts';
import { readSampleGguf, toPeftMatrices, writeSafetensors } from '../src/engine/gguf/sampleAdapter.fixture.ts';
import { logRows, trainerState } from '../src/features/runs/server/formats/hfTrainer.fixture.ts';
import { hfEventFile, scalar, trainRows } from '../src/features/runs/server/formats/tfevents.fixture.ts';
import { expect, goTo, signIn, test as base, watchPage } from './fixtures.ts';
import { makeFolder, startStudio, type StartedStudio } from './startStudio.ts';
import { downloadedBy, expectAccessible, expectAccessibleInBothThemes, say, toPane } from './steps.ts';

interface RunsStudio {
  readonly studio: StartedStudio;
  readonly folder: string;
  /** The event file of a run that trains. */
  readonly live: string;
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The sample's adapter as PEFT saves it. */
function writeAdapter(folder: string): void {
  const adapter = readSampleGguf('support-triage-1.lora.F16.gguf');
  const alpha = Number(adapter.header.values.get('adapter.lora.alpha'));
  const config = {
    peft_type: 'LORA',
    r: 8,
    lora_alpha: alpha,
    bias: 'none',
    base_model_name_or_path: 'me/support-base',
  };
  write(join(folder, 'adapter_config.json'), JSON.stringify(config));
  write(join(folder, 'adapter_model.safetensors'), writeSafetensors(toPeftMatrices(adapter)));
}

let runs: RunsStudio;

const test = base.extend<{ runsPage: Page }>({
  async runsPage({ page }, use) {
    await signIn(page, runs.studio);
    const watch = watchPage(page, runs.studio.origin);
    await use(page);
    expect(watch.faults).toEqual([]);
  },
});

// Not a fixture of the worker: tests with one more of those run in a worker of their own, after all others.
test.beforeAll(async () => {
  const folder = makeFolder('runs');
  for (const name of ['sft-a', 'sft-b']) {
    write(join(folder, name, 'checkpoint-100', 'trainer_state.json'), trainerState(100));
    write(join(folder, name, 'trainer_state.json'), trainerState(100, { log_history: logRows(100) }));
  }
  writeAdapter(join(folder, 'sft-b', 'checkpoint-100'));
  const live = join(folder, 'live', 'runs', 'now', `events.out.tfevents.${Math.floor(Date.now() / 1000)}.gpu01.4711.0`);
  write(live, hfEventFile(Date.now() / 1000 - 60, trainRows(5)));
  const studio = await startStudio({
    args: ['--runs', folder, '--no-sample', '--model', `support-base=${samplePath('support-base.Q8_0.gguf')}`],
  });
  runs = { studio, folder, live };
});
test.afterAll(async () => {
  await runs.studio.stop();
  rmSync(runs.folder, { recursive: true, force: true });
});

const tab = (page: Page, name: RegExp) => page.getByRole('tab', { name }).click();

test('runs of a folder: curves, a page, folders, and weights to chat with', async ({ runsPage: page }) => {
  await test.step('curves of a folder: live, zoomed by keys, as a table and as a file, without a fault that axe finds', async () => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${runs.studio.origin}/`);
    await tab(page, /^Curves/);
    const plot = page.getByRole('figure', { name: 'loss and eval/loss' });
    await expect(plot).toBeVisible();
    await plot.getByRole('button', { name: /^Show the values of loss/ }).click();
    // Its folder says nothing; its output folder names it.
    const row = plot.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'sft', exact: true }) });
    await expect(row.getByRole('cell').nth(4)).toHaveText('5');
    appendFileSync(runs.live, scalar(Date.now() / 1000, 60, 'train/loss', 0.123));
    await expect(row.getByRole('cell').nth(4)).toHaveText('6');
    await expect(row).toContainText('0.123');

    const area = plot.getByRole('slider', { name: 'Position in loss' });
    await area.focus();
    await page.keyboard.press('ArrowRight');
    await expect(area).toHaveAttribute('aria-valuetext', /^step 10: .*sft-a 1\.99/);
    await page.keyboard.press('+');
    await expect(page.getByRole('button', { name: /^step .* to step .* ×$/ })).toBeVisible();
    await page.keyboard.press('0');
    await expect(page.getByRole('button', { name: /^step .* to step .* ×$/ })).toHaveCount(0);
    await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Workspace', exact: true }));

    await page.getByRole('button', { name: 'Download curves' }).click();
    const csv = await downloadedBy(page, () => page.getByRole('menuitem', { name: /^CSV/ }).click());
    expect(csv).toMatch(/^run,run_id,metric,step,value,time\n/);
    expect(csv).toContain(',grad_norm,60,NaN,');
  });
  await test.step('a run’s page: its state and why, what it was trained with, and what differs from another run', async () => {
    await goTo(page, '?');
    await page.getByRole('button', { name: 'Expand all' }).click();
    await page.getByRole('treeitem', { name: /sft-a/ }).click();
    const state = page.getByRole('region', { name: 'State' });
    await expect(state.getByText('step 100 of 100', { exact: true })).toBeVisible();
    await expect(state).toContainText(join(runs.folder, 'sft-a'));
    await expect(page.getByRole('region', { name: 'Saved weights' })).toBeVisible();
    await expect(page.getByRole('figure', { name: 'loss and eval/loss' })).toBeVisible();
    await expectAccessibleInBothThemes(page.getByRole('region', { name: 'Workspace', exact: true }));

    await page.getByRole('combobox', { name: 'Changes since' }).selectOption({ label: 'sft-b' });
    await page.getByRole('button', { name: 'Download config of this run as' }).click();
    const config = await downloadedBy(page, () => page.getByRole('menuitem', { name: /^Unsloth/ }).click());
    expect(config).toContain('FastLanguageModel.from_pretrained(');
    expect(config).toMatch(/# changed: only .*sft-b.* has r 8, lora_alpha 16/);
    const html = await downloadedBy(page, () => page.getByRole('button', { name: 'Save page' }).click());
    const offline = await page.context().newPage();
    await offline.setContent(html);
    await expect(offline.getByRole('heading', { name: 'sft-a', level: 1 })).toBeVisible();
    await expect(offline.getByRole('img', { name: 'loss and eval/loss' })).toBeVisible();
    await expect(offline.getByRole('table').first()).toContainText('output_dir');
    for (const colorScheme of ['light', 'dark'] as const) {
      await offline.emulateMedia({ colorScheme });
      await expectAccessible(offline);
    }
    await offline.close();
  });
  await test.step('run folders: what was found, a path that is none, and a folder from a flag that stays', async () => {
    await goTo(page, '?');
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'Run folders…' });
    const dialog = page.getByRole('dialog', { name: 'Run folders' });
    await expect(dialog).toContainText(/3 runs in/);
    await expect(dialog.getByRole('button', { name: `Remove ${runs.folder}` })).toHaveAttribute(
      'aria-disabled',
      'true',
    );
    await dialog.getByRole('textbox', { name: 'Folder on the studio’s machine' }).fill(join(runs.folder, 'gone'));
    await dialog.getByRole('button', { name: 'Add folder' }).click();
    await expect(dialog.getByRole('alert')).toContainText('gone');
    await expectAccessible(dialog);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });
  await test.step('saved weights: converted on the base of a fitting name, opened beside it, asked, and no longer served', async () => {
    await goTo(page, '?');
    await page.getByRole('button', { name: 'Expand all' }).click();
    await page.getByRole('treeitem', { name: /sft-b/ }).click();
    await page.getByRole('button', { name: 'Try step 100…' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Chat with these weights' });
    const way = dialog.getByRole('region', { name: 'llama.cpp in this studio' });
    await expect(way.getByRole('combobox', { name: 'Base model' })).toHaveValue('support-base');
    await expect(way).toContainText('Its name matches the base model of the run, me/support-base.');
    await expect(dialog.getByRole('button', { name: 'Copy the command for vLLM' })).toBeVisible();
    await expectAccessible(dialog);
    const link = way.getByRole('link', { name: 'Download as GGUF: adapter for support-base' });
    expect(await downloadedBy(page, () => link.click())).toMatch(/^GGUF/);

    await way.getByRole('button', { name: 'Convert and chat' }).click();
    await expect(dialog).toBeHidden({ timeout: 30_000 });
    const panes = [toPane(page, 1), toPane(page, 2)];
    await expect(panes[0]!.getByRole('combobox', { name: /^Model/ })).toHaveValue(/sft-b/);
    await expect(panes[1]!.getByRole('combobox', { name: /^Model/ })).toHaveValue('support-base');
    await say(page, 'I was charged twice.', panes);
    await expect(panes[0]!.getByRole('article').last()).toContainText(/[a-z]/);

    await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Decide' }).click();
    await page.getByRole('button', { name: 'Stop serving step 100' }).click();
    await expect(page.getByRole('button', { name: 'Try step 100…' })).toBeFocused();
    await expect(page.getByRole('button', { name: 'Stop serving step 100' })).toHaveCount(0);

    await page.getByRole('button', { name: 'Chat with this run…' }).click();
    const chat = page.getByRole('dialog', { name: 'Chat with this run' });
    await expect(chat.getByRole('button', { name: 'Convert and chat' })).toBeVisible();
    await expectAccessible(chat);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('button', { name: 'Stop serving step 100' })).toBeVisible();
    await page.getByRole('button', { name: 'Compare with base model' }).click();
    await expect(panes[1]!.getByRole('combobox', { name: /^Model/ })).toHaveValue('support-base');
  });
});
