import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { toDatasetResults } from '#features/experiments/web/rows/datasetResults.ts';
import { toTestRow } from '#features/experiments/web/rows/rows.fixture.ts';
import { BestRuns } from './BestRuns.tsx';
import { toRightText } from './measureWords.ts';
import { NothingLeft } from './NothingLeft.tsx';

const best = toTestRow('Experiment 2', {
  answer_shape: 'json',
  model_id: 'ft-2',
  held_out: { exact_match: 0.995 },
  held_out_base: { exact_match: 0.02 },
  held_out_rows: 200,
  decoding: 'greedy',
});
const open = toTestRow('Experiment 1', { answer_shape: 'json', model_id: 'ft-1', held_out: { exact_match: 0.9 } });
const toText = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const toHtml = (rows: Parameters<typeof toDatasetResults>[0], isCheckPending = false): string =>
  renderToStaticMarkup(
    createElement(BestRuns, {
      results: toDatasetResults(rows),
      onTry: () => undefined,
      onCheck: null,
      isCheckPending,
      choice: null,
    }),
  );
const toBest = (rows: Parameters<typeof toDatasetResults>[0]): string => toText(toHtml(rows));

describe('BestRuns', () => {
  it('has value, interval and base', () => {
    const text = toBest([open, best]);
    expect(text).toContain('on 200 validation rows · greedy · 95 % interval');
    for (const part of ['Experiment 2', '99.5 %', 'exact match · 97.2–99.9', '2 %']) expect(text).toContain(part);
  });

  it('names an interval and a base model only where a share has them', () => {
    const loss = toTestRow('Experiment 3', {
      answer_shape: 'text',
      held_out: { validation_loss: 0.3 },
      held_out_rows: 200,
    });
    const html = toHtml([loss]);
    expect(toText(html)).toContain('0.3');
    expect(toText(html)).not.toMatch(/interval|vertical line/);
    expect(html).not.toContain('viewBox="0 0 100 8"');
  });

  it('says how far the best run is ahead of the second, and whether on the same rows', () => {
    expect(toBest([{ ...open, held_out_rows: 200 }, best])).toContain(
      'ahead of Experiment 1 by 9.5 points (95 %: 5.4 to 14.5), same 200 rows',
    );
    const rights = (right: number) => '1'.repeat(right).padEnd(200, '0');
    const paired = [
      { ...open, held_out_rows: 200, right_rows: rights(180) },
      { ...best, right_rows: rights(199) },
    ];
    expect(toBest(paired)).toContain('by 9.5 points (95 %: 5.6 to 14.4, p &lt; 0.001), same 200 rows');
    expect(toBest([open, best])).toContain('ahead of Experiment 1 by 9.5 points; no test: other rows');
    expect(toBest([best])).not.toContain('ahead');
  });

  it('keeps the room of a button that may come, which nobody sees or hears', () => {
    const measured = toTestRow('Experiment 2', { ...best, snapshot_id: 's' });
    const buttons = (isCheckPending: boolean): readonly string[] =>
      (toHtml([measured], isCheckPending).match(/<button.*?<\/button>/g) ?? []).filter((html) =>
        html.includes('Evaluate'),
      );
    expect(buttons(true)).toEqual([expect.stringMatching(/class="[^"]* invisible"/)]);
    expect(buttons(false)).toEqual([]);
  });

  it.each([
    ['No run was measured', toTestRow('a')],
    ['Exact match can’t judge free text', toTestRow('a', { answer_shape: 'text', held_out: { exact_match: 1 } })],
    ['The studio can’t judge runs by bleu', toTestRow('a', { held_out: { bleu: 1 } })],
    ['No run is done yet', toTestRow('a', { status: 'failed', answer_shape: 'json', held_out: { exact_match: 1 } })],
    ['Results are loading', toTestRow('a', { isPending: true })],
    ['The results are not loaded', toTestRow('a', { isUnread: true })],
  ])('says why there is none: %s', (words, row) => expect(toBest([row])).toContain(words));
});

describe('NothingLeft', () => {
  it('says how many rows are right', () => {
    const results = toDatasetResults([best]);
    expect(results.map(toRightText)).toEqual(['99.5 % (97.2–99.9) of 200 validation rows are right']);
    expect(toText(renderToStaticMarkup(createElement(NothingLeft, { results })))).toContain('add harder or newer rows');
  });
});
