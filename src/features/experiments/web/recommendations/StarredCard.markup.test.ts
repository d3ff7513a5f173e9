// The top of the Recommendations tab: the answer comes first, and says where to train.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { jobQuery, rowsOfferQuery, sessionQuery } from '#ui/client/queries.ts';
import { readJob } from '#core/contract/jobReader.ts';
import { readRecommendation } from '#core/contract/recommendationReader.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import * as packing from '#features/experiments/shared/packing.ts';
import * as alreadyRun from '#features/experiments/shared/alreadyRun.ts';
import { RecordLists } from './RecordLists.tsx';
import { RUNS_CODE } from './useKnownRuns.ts';
import { PACKING_CODE } from './usePacking.ts';

beforeAll(() => void vi.stubGlobal('window', { location: { search: '', pathname: '/', origin: 'http://studio' } }));
afterAll(() => void vi.unstubAllGlobals());

const OWNER = { who: null, rights: 'own' } as const;
const LOCAL: SessionInfo = { ...OWNER, mode: 'local', remote: null, learning_rate_is_absolute: true };
const REMOTE: SessionInfo = { ...OWNER, mode: 'gateway', remote: 'https://s.example', learning_rate_is_absolute: null };

const node = (id: string, type: string, children: readonly ReturnType<typeof leaf>[]) => ({
  ...leaf(id, type),
  children: [...children],
});
const leaf = (id: string, type: string) => ({
  id,
  type,
  label: id,
  children: [] as never[],
  metadata: { training_count: 2200, validation_count: 200 },
});
const advice = { n_epochs: 3, batch_size: 8, learning_rate_multiplier: 2e-3 };
const proposal = (base_model_id: string, more: object = {}) => ({
  base_model_id,
  lora: true,
  recommended: false,
  reason_for_recommendation: `Why ${base_model_id}.`,
  ...advice,
  ...more,
});

/** The text and the HTML of a record with these proposals. */
function show(session: SessionInfo, ...recommended_experiments: readonly object[]): { text: string; html: string } {
  const record = readRecommendation({
    snapshot_id: 's',
    status: 'completed',
    recommended_models: [],
    recommended_experiments,
  });
  const job = readJob({
    id: 'j',
    status: 'completed',
    experiments: [{ id: 'e', base_model_id: 'support-base', lora: true, status: 'succeeded', steps: 473, ...advice }],
  });
  if (!record.ok || !job.ok) throw new Error('not read');
  const client = new QueryClient();
  client.setQueryData(jobQuery('j').queryKey, job.value);
  client.setQueryData(sessionQuery().queryKey, session);
  client.setQueryData(PACKING_CODE, packing);
  client.setQueryData(RUNS_CODE, alreadyRun);
  client.setQueryData(rowsOfferQuery('s').queryKey, true);
  const job_node = { ...node('j', 'finetuning-job', [leaf('e', 'experiment'), leaf('f', 'experiment')]) };
  const snapshot = { ...leaf('s', 'snapshot'), children: [job_node] };
  const lists = createElement(RecordLists, { snapshot, record: record.value, served: new Set<string>(), session });
  const html = renderToStaticMarkup(createElement(QueryClientProvider, { client }, lists));
  const text = html
    .replaceAll('<wbr/>', '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  return { text, html };
}

const STARRED = [
  proposal('support-base', { recommended: true }),
  proposal('qwen2.5-0.5b', { recommended: true, learning_rate_multiplier: 2e-4 }),
];

it('what to train comes first: here, and on a GPU elsewhere, with its settings in one line and its export', () => {
  const { text, html } = show(LOCAL, proposal('smollm-135m'), ...STARRED);
  expect(text).toMatch(
    /^ ?Train next Start training… support-base recommended here Copy config as .*?LoRA · 3 epochs · batch 8 packed sequences, about 14 rows · learning rate 2e-3 Already run: e , succeeded Why support-base\. qwen2\.5-0\.5b recommended on a GPU elsewhere Copy config as .*?LoRA · 3 epochs · batch 8 · learning rate 2e-4/,
  );
  expect(text.indexOf('Train next')).toBeLessThan(text.indexOf('Candidates 3'));
  expect(html.match(/aria-label="Config of [^"]+"/g)).toHaveLength(2);
  expect(text).not.toContain('multiplier');
});

it('a remote studio trains what it recommends, and its multiplier keeps its name', () => {
  const { text } = show(REMOTE, ...STARRED);
  expect(text).toMatch(/qwen2\.5-0\.5b recommended (?!on)/);
  expect(text).not.toMatch(/recommended here|on a GPU elsewhere/);
  expect(text).toContain('learning rate multiplier 2e-4');
});

it('the parallel plot of the candidates is folded until somebody asks for it', () => {
  const many = show(LOCAL, ...STARRED, proposal('a'), proposal('b')).html;
  expect(many).toMatch(/aria-expanded="false"[^>]*>Parallel plot/);
});

it('the recommended are compared beside the runs of the snapshot', () => {
  expect(show(LOCAL, ...STARRED).text).toContain(
    'Recommended: 2 runs. Tick any of the 2 candidates to compare them. Compare 2 recommended settings with 2 runs',
  );
  expect(show(LOCAL, proposal('a')).text).not.toMatch(/Compare \d+ recommended/);
  expect(show(LOCAL, proposal('a')).text).not.toContain('Train next');
});
