// The dialog that starts runs, while what it offers is computed, fails, and comes.
import { QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, test, vi } from 'vitest';
import { toQueryClient } from '#app/web/queryClient.ts';
import { StartTraining } from '#features/training/web/StartTraining.tsx';
import { expect } from './expect.ts';
import { Locator } from './locate.ts';

const toNode = (type: string, id: string, children: readonly object[]) => ({
  id,
  type,
  label: id,
  name: id,
  children,
  metadata: type === 'snapshot' ? { training_count: 200 } : {},
});
const PROJECT = toNode('project', 'p', [toNode('dataset', 'Tickets', [toNode('snapshot', 's', [])])]);
const RUN = { base_model_id: 'a', lora: true, n_epochs: 3, batch_size: 8, learning_rate_multiplier: 0.006 };
const toRecord = (status: string, more: object = {}) => ({
  snapshot_id: 's',
  status,
  recommended_models: [],
  recommended_experiments: [],
  ...more,
});
const COMPLETED = toRecord('completed', { recommended_experiments: [{ ...RUN, recommended: true }] });

const page = new Locator(() => [document.documentElement]);
const dialog = page.getByRole('dialog', { name: 'Start training' });
const runs = dialog.getByRole('list', { name: 'Runs to start' }).getByRole('listitem');
let root: Root | null = null;
let recommendation: () => Response = () => Response.json(COMPLETED);
let job: () => Response = () => new Response(null, { status: 404 });
let posted: string[] = [];
let launchers: object[] = [];

const broken = () => Response.json({ error: { message: 'The disk is full.' } }, { status: 400 });

beforeEach(() => {
  history.replaceState(null, '', '/?project=p');
  posted = [];
  launchers = [];
  const answers: readonly (readonly [RegExp, () => Response])[] = [
    [/\/api\/session$/, () => Response.json({ mode: 'local' })],
    [/\/projects\/p$/, () => Response.json({ project: PROJECT })],
    [/\/recommendations\//, () => recommendation()],
    [/\/finetuning\/j$/, () => job()],
    [/\/studio\/launchers$/, () => Response.json({ launchers })],
    [/\/studio\/training$/, () => Response.json({ trainer: null, has_workers: true, running: [], waiting: [] })],
  ];
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit = {}) => {
    if (method === 'POST') posted.push(path);
    const answer = answers.find(([pattern]) => pattern.test(path));
    return answer ? answer[1]() : Response.json({ error: { message: `No ${path}` } }, { status: 404 });
  });
});

function closeDialog(): void {
  root?.unmount();
  root = null;
  document.body.replaceChildren();
}

afterEach(() => {
  closeDialog();
  vi.unstubAllGlobals();
});

function openDialog(jobId: string | null = null, client = toQueryClient()): void {
  root = createRoot(document.body.appendChild(document.createElement('div')));
  const element = createElement(StartTraining, {
    snapshotId: 's',
    jobId,
    onClose: () => undefined,
    onStarted: () => undefined,
  });
  root.render(createElement(QueryClientProvider, { client }, element));
}

test('while the runs are computed it waits and says so, and shows them when they come', async () => {
  recommendation = () => Response.json(toRecord('processing'));
  openDialog();
  await expect(dialog.getByText(/^The service is computing which runs/)).toBeVisible();
  await expect(dialog.getByText(/No run is recommended/)).toHaveCount(0);
  recommendation = () => Response.json(COMPLETED);
  await expect(dialog.getByText(/^Recommended runs are ticked/)).toBeVisible();
  await expect(runs).toHaveCount(1);
  await expect(dialog.getByText(/^The service is computing/)).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Start 1 run' })).toBeVisible();
});

test('an answer from before is not taken while the service may have a newer one', async () => {
  const client = toQueryClient();
  recommendation = () => Response.json(COMPLETED);
  openDialog(null, client);
  await expect(dialog.getByRole('button', { name: 'Start 1 run' })).toBeVisible();
  closeDialog();
  await client.invalidateQueries({ queryKey: ['recommendation'], refetchType: 'none' });
  recommendation = () => Response.json(toRecord('processing'));
  openDialog(null, client);
  await expect(dialog.getByText(/^The service is computing which runs/)).toBeVisible();
  await expect(runs).toHaveCount(0);
  recommendation = () =>
    Response.json(
      toRecord('completed', { recommended_experiments: [RUN, { ...RUN, n_epochs: 5, recommended: true }] }),
    );
  await expect(dialog.getByRole('button', { name: 'Start 1 run' })).toBeVisible();
  await expect(runs).toHaveCount(2);
});

test('a person need not wait: what comes later stands below their runs, and is not ticked', async () => {
  recommendation = () => Response.json(toRecord('processing'));
  openDialog();
  await dialog.getByRole('button', { name: 'Choose runs without waiting' }).click();
  await expect(dialog.getByRole('button', { name: 'Add run' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Add run' }).click();
  const name = dialog.getByRole('textbox', { name: 'Name of the job' });
  await name.fill('Mine');
  recommendation = () => Response.json(COMPLETED);
  await expect(dialog.getByText(/^The recommended runs are below yours/)).toBeVisible();
  await expect(runs).toHaveCount(2);
  await expect(dialog.getByRole('button', { name: 'Start 1 run' })).toBeVisible();
  await expect(name).toHaveValue('Mine');
});

test('a recommendation that is not answered says why, and comes with a retry', async () => {
  recommendation = broken;
  openDialog();
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText('The recommendation could not be loaded');
  await expect(notice).toContainText('The disk is full.');
  await expect(dialog.getByText(/No run is recommended/)).toHaveCount(0);
  recommendation = () => Response.json(COMPLETED);
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText(/^Recommended runs are ticked/)).toBeVisible();
  await expect(notice).toHaveCount(0);
});

test('a recommendation that failed is asked for again', async () => {
  recommendation = () => Response.json(toRecord('failed', { error: 'The rows have no answers.' }));
  openDialog();
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText('The rows have no answers.');
  // The request itself is refused first.
  recommendation = broken;
  await notice.getByRole('button', { name: 'Ask again' }).click();
  await expect(notice).toContainText('The request for a recommendation failed');
  recommendation = () => Response.json(COMPLETED);
  await notice.getByRole('button', { name: 'Ask again' }).click();
  await expect(dialog.getByText(/^Recommended runs are ticked/)).toBeVisible();
  expect(posted).toHaveLength(2);
});

test('a job whose runs are not there says so, and its runs come with a retry', async () => {
  job = broken;
  openDialog('j');
  const notice = dialog.getByRole('alert');
  await expect(notice).toContainText('The runs of the job could not be loaded');
  job = () =>
    Response.json({
      id: 'j',
      name: 'Round 1',
      status: 'completed',
      experiments: [{ id: 'e', status: 'failed', ...RUN }],
    });
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText(/^The runs of Round 1 once more\./)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Start 1 run' })).toBeVisible();
});

test('runs again begin with the place, the objective and the early stop that the job had', async () => {
  launchers = ['cpu', 'gpu'].map((name) => ({ name, kind: 'slurm', about: '', most_at_once: 2, open: 0 }));
  const rates = [0.001, 0.002, 0.003, 0.004];
  const experiments = rates.map((learning_rate_multiplier, at) =>
    Object.assign({ id: `e${at}`, status: 'failed', chosen_settings: { objective: 'kto' } }, RUN, {
      learning_rate_multiplier,
    }),
  );
  const again = { id: 'j', name: 'Round 1', status: 'completed', experiments };
  job = () => Response.json({ ...again, launcher: 'gpu' });
  openDialog('j');
  await expect(dialog.getByRole('combobox', { name: 'Train at' })).toHaveValue('gpu');
  await expect(dialog.getByRole('combobox', { name: 'Objective of run 4' })).toHaveValue('kto');
  closeDialog();
  job = () => Response.json({ ...again, launcher: 'moon', halving: { eta: 3 } });
  openDialog('j');
  await expect(dialog.getByText(/trained at moon, which this studio no longer knows/)).toBeVisible();
  await expect(dialog.getByRole('combobox', { name: 'Stop poor runs early' })).toHaveValue('3');
});
