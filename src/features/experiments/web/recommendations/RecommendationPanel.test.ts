import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { modelsQuery, recommendationQuery, sessionQuery } from '#ui/client/queries.ts';
import type { TreeNode } from '#core/contract/projectReader.ts';
import { readRecommendation } from '#core/contract/recommendationReader.ts';
import { RecommendationPanel } from './RecommendationPanel.tsx';
import { SnapshotRecommendation } from './SnapshotRecommendation.tsx';
import { loadBrush } from './useBrushed.ts';

const node = (more: Partial<TreeNode>): TreeNode => ({
  id: 'snap',
  type: 'snapshot',
  label: 'Snapshot 1',
  children: [],
  metadata: {},
  ...more,
});
const project = node({
  id: 'p',
  type: 'project',
  children: [node({ id: 'd', type: 'dataset', label: 'Tickets', children: [node({})] })],
});
const given = { n_epochs: 3, batch_size: 8, learning_rate_multiplier: 2e-5 };

let search = '';
beforeAll(
  () =>
    void vi.stubGlobal('window', {
      location: {
        get search() {
          return search;
        },
        pathname: '/',
      },
    }),
);
afterAll(() => void vi.unstubAllGlobals());

/** The panel's HTML for an answer's body; `undefined`: no answer yet. */
function render(
  body: object | undefined,
  snapshot: TreeNode | null = node({}),
  selected = project,
  isAbsolute = false,
): string {
  const client = new QueryClient();
  if (body) {
    const read = readRecommendation(body);
    if (!read.ok) throw new Error(read.reason);
    client.setQueryData(recommendationQuery('snap').queryKey, read.value);
  }
  client.setQueryData(modelsQuery().queryKey, [{ id: 'served', created: 0, object: 'model', owned_by: 'studio' }]);
  client.setQueryData(sessionQuery().queryKey, {
    mode: 'local',
    remote: null,
    learning_rate_is_absolute: isAbsolute,
    who: null,
    rights: 'own',
  });
  const panel = createElement(RecommendationPanel, {
    snapshot,
    node: selected,
    renderSnapshot: (shown) => createElement(SnapshotRecommendation, { key: shown.id, snapshot: shown }),
  });
  return renderToStaticMarkup(createElement(QueryClientProvider, { client }, panel));
}

const toText = (html: string) =>
  html
    .replaceAll('<wbr/>', '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
const show = (...args: Parameters<typeof render>) => toText(render(...args));

const model = (base_model_id: string, more: object = {}) => ({
  base_model_id,
  recommended: false,
  full_hyperparameters: given,
  lora_hyperparameters: null,
  reason_for_recommendation: 'Because. And more.',
  ...more,
});
const completed = (recommended_models: object[] | null, recommended_experiments: object[] | null = []) => ({
  snapshot_id: 'snap',
  status: 'completed',
  recommended_models,
  recommended_experiments,
});

it('is a region named "Recommendations" in every state', () => {
  for (const html of [render(undefined), render(completed([])), render(undefined, null)]) {
    expect(html).toMatch(/^<section aria-label="Recommendations"/);
  }
});

describe('states', () => {
  it('no snapshot: says what to select, and offers the snapshots', () => {
    const dataset = (label: string, ...ids: string[]) =>
      node({ id: label, type: 'dataset', label, children: ids.map((id) => node({ id, label: id })) });
    const several = dataset('Tickets', 'one', 'two');
    expect(show(undefined, null, several)).toMatch(/Select a snapshot.*Tickets has 2\..*Tickets › one.*Tickets › two/);
    expect(show(undefined, null, node({ type: 'project', children: [several, dataset('Orders', 'three')] }))).toContain(
      'Orders › three',
    );
    expect(show(undefined, null, dataset('Tickets'))).toContain('Tickets has no snapshot yet');
    expect(show(undefined, null, node({ type: 'project' }))).toContain('This project has no snapshot yet');
  });

  it('the only snapshot below the selected node: is used, and named', () => {
    const [dataset] = project.children;
    for (const selected of [dataset, project]) {
      const text = show(completed([model('small')]), null, selected);
      expect(text).toMatch(/For Tickets › Snapshot 1 ?, the only snapshot of /);
      expect(text).toContain('small');
      expect(text).not.toContain('Select a snapshot');
    }
    expect(show(completed([]), node({}))).not.toContain('only snapshot');
  });

  it('loading: announced once', () => {
    expect(render(undefined)).toContain('<output class="sr-only">Loading recommendations.</output>');
  });

  it('processing: null lists are no error; says what happens and how often it asked', () => {
    const text = show({ ...completed(null, null), status: 'processing' });
    expect(text).toContain('running');
    expect(text).toContain('Computing recommendations for Snapshot 1');
    expect(text).toContain('Asked 1 time');
  });

  it('failed: says what to do', () => {
    const text = show({ ...completed([]), status: 'failed' }, node({ metadata: { training_count: 0 } }));
    expect(text).toContain('no training rows');
    expect(show({ ...completed([]), status: 'failed', error: 'The rows are all the same.' })).toContain(
      'The rows are all the same.',
    );
  });

  it('completed with empty lists: says so', () => {
    expect(show(completed([]))).toContain('recommends nothing');
    expect(show(completed([model('a')]))).toContain('proposed no run');
    expect(show(completed([], [{ base_model_id: 'a', ...given, lora: true }]))).toContain('named no base model');
  });

  it('an unknown status: shown as it is, with the given lists', () => {
    const text = show({ ...completed([model('a')]), status: 'awaiting_quota' });
    expect(text).toContain('“awaiting_quota”');
    expect(text).toContain('Base models 1');
  });
});

describe('lists', () => {
  it('show every base model, the recommended one first with the word', () => {
    const text = show(completed(['a', 'b', 'c'].map((id) => model(`base-${id}`, { recommended: id === 'b' }))));
    const table = text.slice(text.indexOf('Base models 3'));
    expect(table.indexOf('base-b recommended')).toBeGreaterThan(0);
    expect(table.indexOf('base-b')).toBeLessThan(table.indexOf('base-a'));
    expect(table.indexOf('base-a')).toBeLessThan(table.indexOf('base-c'));
  });

  it('show a tiny rate in scientific notation, with the hint', () => {
    const text = show(completed([model('a')]));
    expect(text).toContain('2e-5');
    expect(text).toContain('looks like an absolute learning rate');
    expect(
      show(completed([model('a', { full_hyperparameters: { ...given, learning_rate_multiplier: 0.1 } })])),
    ).not.toContain('absolute');
  });

  it('say which values and training types the service did not give', () => {
    const text = show(
      completed([model('a'), model('b', { full_hyperparameters: { n_epochs: null, batch_size: '8' } })]),
    );
    expect(text.match(/no LoRA for this model/g)).toHaveLength(2);
    // Three values of b's full training.
    expect(text.match(/not given/g)).toHaveLength(3);
  });

  it('have a hint on small rates only if nobody says what they mean', () => {
    const html = render(completed([model('a')]), node({}), project, true);
    expect(html).toContain('2e-5');
    expect(html).not.toContain('looks like an absolute');
  });

  it('show fields that SPEC does not have, of the model, of its trainings, of an experiment and of the record', () => {
    const text = show({
      ...completed(
        [model('a', { family: 'Aster', full_hyperparameters: { ...given, warmup: { ratio: 0.1 } } })],
        [{ base_model_id: 'a', ...given, lora: true, seeds: [1, 2] }],
      ),
      engine: 'v2',
    });
    for (const words of ['family Aster', 'full: warmup.ratio 0.1', 'seeds[0] 1', 'seeds[1] 2', 'engine v2'])
      expect(text).toContain(words);
  });

  it('are filtered by the brush in the address, and say so', async () => {
    await loadBrush();
    search = '?brush=base_model_id%3Db';
    const text = show(completed([model('a'), model('b')]));
    search = '';
    expect(text).toContain('1 shown, 1 outside');
    expect(text.slice(text.indexOf('Base models 2'))).not.toContain('Compare a');
    expect(text).toContain('Compare b');
  });

  it('offer to copy and download the candidates inside the brush, and say how many', async () => {
    await loadBrush();
    const proposals = ['a', 'a', 'b'].map((base_model_id, index) =>
      Object.assign({ base_model_id, recommended: index === 0, lora: true }, given, { n_epochs: index + 1 }),
    );
    const menus = (brush: string): readonly string[] => {
      search = brush;
      const html = render(completed([], proposals));
      search = '';
      return [...html.matchAll(/aria-label="(Download (?!config)[^"]* as)"/g)].map(([, label]) => label!);
    };
    expect(menus('')).toEqual(['Download recommended as', 'Download all as']);
    expect(menus('?brush=base_model_id%3Da')).toEqual([
      'Download the 1 recommended shown as',
      'Download the 2 shown as',
    ]);
    expect(menus('?brush=base_model_id%3Db')).toEqual(['Download the 1 shown as']);
    expect(menus('?brush=base_model_id%3Dnone')).toEqual([]);
  });

  it('check the compared candidates, in their colours', () => {
    search = '?compare=x:other,r:snap:m:b:full';
    const before = render(completed([model('a')]));
    search = '?compare=x:other,r:snap:m:a:full';
    const html = render(completed([model('a')]));
    search = '';
    expect(before).not.toContain('accent-series-2');
    expect(html).toContain('accent-series-2');
    expect(toText(html)).toContain('2 compared · 1 from this snapshot');
  });

  it('name the training of each experiment, also one that SPEC does not have', () => {
    const types = [{ lora: false }, { lora: true }, { training_type: 'qlora' }, { training_type: 'dora' }, {}];
    const text = show(
      completed(
        [],
        types.map((type) => Object.assign({ base_model_id: 'a' }, given, type)),
      ),
    );
    for (const kind of ['full · #1', 'LoRA · #2', 'QLoRA · #3', 'dora · #4', 'training not given · #5'])
      expect(text).toContain(kind);
  });

  it('offer only served models to the playground', () => {
    const html = render(completed([model('served'), model('elsewhere')]));
    expect(html).toContain('Open served in the playground');
    expect(html).not.toContain('Open elsewhere in the playground');
  });
});

it('shows a service’s text as text: markup is inert, a link leads to its own address', () => {
  const reason = '<img src=x onerror=alert(1)> javascript:alert(1) see https://a.example/b';
  const html = render(completed([model('<script>alert(1)</script>', { reason_for_recommendation: reason })]));
  expect(html).not.toMatch(/<script|<img/);
  expect(html).not.toMatch(/href="javascript/);
  expect(html).toContain('href="https://a.example/b"');
});

it('shows 20 models with reasons of 10,000 characters and duplicate ids', () => {
  const models = Array.from({ length: 20 }, (_, index) =>
    model(index % 2 ? 'same' : 'x'.repeat(60), { reason_for_recommendation: 'y'.repeat(10_000) }),
  );
  const html = render(completed(models));
  expect(html.match(/Compare (same|x{60})[^<]*/g)).toHaveLength(20);
  expect(new Set(html.match(/Compare (same|x{60})[^<]*/g)).size).toBe(20);
  expect(html.length).toBeLessThan(150_000);
});
