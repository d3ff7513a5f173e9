import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Run, RunCheckpoint, RunFact } from '#features/runs/shared/runs.ts';
import { toRun as toPlainRun } from './run.fixture.ts';
import { toDocumentName, toRunDocument, type RunDocumentInput } from './runHtmlFile.ts';

const source = { format: 'hf-trainer', file: 'a/trainer_state.json', place: null };
const fact = (name: string, value: RunFact['value']): RunFact => ({ name, value, source });

const CHECKPOINT: RunCheckpoint = {
  path: 'a/sft-7/checkpoint-5',
  step: 5,
  kind: 'adapter',
  bytes: 35e6,
  is_complete: false,
  saved_at: null,
  measures: { 'eval/loss': 1.23456 },
  model_id: null,
};

const toRun = (more: Partial<Run> = {}): Run =>
  toPlainRun({
    id: 'r1',
    label: 'sft-7',
    folder: 'a/sft-7',
    status: 'stopped',
    status_reason: 'No sign for 3 h.',
    facts: [{ ...fact('base_model', 'Qwen/Qwen3-0.6B'), others: [{ value: '/srv/qwen', source }] }],
    parameters: [fact('seed', 7)],
    checkpoints: [CHECKPOINT],
    ...more,
  });

const write = (run: Run, more: Partial<RunDocumentInput> = {}): string =>
  toRunDocument({
    run,
    rootPath: '/data/out/',
    pictures: [],
    leftOut: 0,
    note: null,
    savedAt: 1_800_000_000_000,
    ...more,
  });

const NOTE = { name: null, tags: [], is_starred: false, is_archived: false, text: '' };

/** What a reader sees: the text without tags, with spaces in one form. */
const toText = (html: string): string =>
  html
    .replace(/<style>.*<\/style>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('a run as a file', () => {
  it('has its state, facts with their sources, settings and saved weights', () => {
    const text = toText(write(toRun()));
    for (const part of [
      'stopped · No sign for 3 h.',
      '/data/out/a/sft-7',
      'base_model Qwen/Qwen3-0.6B but /srv/qwen from a/trainer_state.json a/trainer_state.json',
      'seed 7 a/trainer_state.json',
      '5 a/sft-7/checkpoint-5 adapter not complete 35 MB eval/loss 1.235 unknown',
    ])
      expect(text).toContain(part);
  });

  it('has the name, tags and text that a person gave it', () => {
    const note = { ...NOTE, name: 'Baseline', tags: ['keep'], is_starred: true, text: 'Best of **five**.' };
    const html = write(toRun(), { note });
    expect(html).toContain('<h1>Baseline</h1>');
    expect(toText(html)).toContain('Notes starred · tags: keep · renamed from sft-7 Best of **five**.');
    expect(write(toRun(), { note: NOTE })).not.toContain('Notes');
  });

  it('holds pictures with words, and says what has none', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
    const html = write(toRun(), { pictures: [{ title: 'loss', svg, words: 'loss: from 2 to 1.' }], leftOut: 3 });
    expect(html).toContain('<figure><svg role="img" aria-label="loss" xmlns');
    expect(toText(html)).toContain('loss: from 2 to 1.');
    expect(toText(html)).toContain('3 more metrics are in the studio.');
  });

  it('loads nothing and runs nothing, whatever the files of the run hold', () => {
    const evil = '"><script src=https://x.example/a.js></script><img src=x onerror=alert(1)>';
    const html = write(
      toRun({
        label: evil,
        folder: evil,
        status_reason: evil,
        problems: [evil],
        parts: [evil, 'b'],
        facts: [fact(evil, evil)],
        parameters: [{ ...fact('x', evil), source: { ...source, file: evil } }],
        environment: [fact('x', evil)],
        checkpoints: [{ ...CHECKPOINT, path: evil, measures: { [evil]: 1 } }],
      }),
      {
        note: { ...NOTE, name: evil, text: evil, tags: [evil] },
        pictures: [{ title: evil, svg: '<svg ></svg>', words: evil }],
        rootPath: evil,
      },
    );
    expect(html).not.toMatch(/<script|<img|<link|<iframe|url\(|@import/i);
    // Without the values of attributes, which are quoted.
    expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\s(?:src|href|on\w+)=[^>]*>/i);
    expect(html).toContain("default-src 'none'");
  });

  it('has both themes', () => {
    expect(write(toRun())).toMatch(/color-scheme:light dark.*prefers-color-scheme:dark.*--ink:#e9eaeb/s);
  });
});

it.each([
  ['sft 7 / ü', 'sft-7-ü.html'],
  ['../..', 'run.html'],
])('names the file of %s', (label, name) => expect(toDocumentName(label)).toBe(name));

it('has the colours of the page, in both themes', () => {
  const [, light = '', dark = ''] = write(toRun()).match(/dark;(.*?)\}.*?\{:root\{(.*?)\}/s) ?? [];
  const [lightPage = '', darkPage = ''] = readFileSync('src/app/web/styles.css', 'utf8').split('.dark {');
  for (const [copy, page] of [
    [light, lightPage],
    [dark, darkPage],
  ] as const)
    for (const color of copy.replace('--paper', '--canvas').split(';'))
      expect(page).toContain(`${color.replace(':', ': ')};`);
});
