import { describe, expect, it } from 'vitest';
import { DEFAULT_LAYOUT, onlyPanel } from '#app/web/layout/layout.ts';
import { TEST_TREE } from '#features/projects/web/treeIndex/tree.fixture.ts';
import { treeIndex } from '#features/projects/web/treeIndex/treeIndex.ts';
import { toModelEntries, toModelNames } from './foundEntries.ts';
import { toActionEntries, toEntryText } from './paletteEntry.ts';

const page = {
  theme: { choice: 'system', isDark: false },
  layout: DEFAULT_LAYOUT,
  projects: [
    { id: 'p1', name: 'Support desk', created_at: '' },
    { id: 'p2', name: 'Orders', created_at: '' },
  ],
  projectId: 'p1',
  isFiltered: false,
  isNarrow: false,
} as const;
const toModel = (id: string) => ({ id, created: 0, object: 'model' as const, owned_by: '' });
const labels = (state: Parameters<typeof toActionEntries>[0]) => toActionEntries(state).map(({ label }) => label);

describe('toActionEntries', () => {
  it('offers what changes something, and only that', () => {
    expect(labels(page)).toContain('Go to project Orders');
    expect(labels(page)).not.toContain('Go to project Support desk');
    expect(labels(page)).toContain('Use dark theme');
    expect(labels({ ...page, theme: { choice: 'dark', isDark: true } })).toEqual(
      expect.arrayContaining(['Use light theme', 'Use the theme of the system']),
    );
    expect(labels(page)).not.toContain('Clear filter');
    expect(labels({ ...page, isFiltered: true })).toContain('Clear filter');
  });

  it('knows every command of the page', () => {
    expect(labels(page)).toEqual(
      expect.arrayContaining([
        'Show Recommendations',
        'Show Runs',
        'Show Compare',
        'Show Detail',
        'Export recommendations',
        'Export runs',
        'Export comparison',
        'New session',
        'Sessions',
        'Show prompt grid',
        'Show code',
        'Share this session',
        'Show activity',
        'Keyboard shortcuts',
        'New project',
        'Dataset from a file',
        'New snapshot',
        'Compare snapshots',
        'Recently deleted',
        'Sign out',
      ]),
    );
    expect(labels({ ...page, projectId: null })).not.toContain('Show activity');
  });

  it('never hides the last panel', () => {
    expect(labels(page)).toContain('Hide tree panel');
    const panels = labels({ ...page, layout: onlyPanel(DEFAULT_LAYOUT, 'tree') }).filter((label) =>
      label.endsWith(' panel'),
    );
    expect(panels).toEqual(['Show workspace panel', 'Show playground panel']);
    const narrow = labels({ ...page, isNarrow: true }).filter((label) => label.endsWith(' panel'));
    expect(narrow).toEqual(['Show tree panel', 'Show playground panel']);
  });

  it('has no key twice', () => {
    const twins = { ...page, projects: [...page.projects, { id: 'p3', name: 'Orders', created_at: '' }] };
    const keys = [...toActionEntries(twins), ...toModelEntries([toModel('m'), toModel('m')], new Map())].map(
      ({ key }) => key,
    );
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('toModelEntries', () => {
  it('names a model by its run and dataset, and still finds it by its id', () => {
    const [tuned, other] = toModelEntries(
      [toModel('ft-qwen-e1'), toModel('Qwen3-0.6B'), toModel('ft-qwen-e1')],
      toModelNames(treeIndex(TEST_TREE)),
    );
    expect(tuned && toEntryText(tuned)).toBe('experiment e1 · ticket triage\nft-qwen-e1');
    expect(other && toEntryText(other)).toBe('qwen3-0.6b\nopen in playground');
  });
});
