import { describe, expect, it } from 'vitest';
import { DEFAULT_LAYOUT, onlyPanel } from '#web/app/layout/layout.ts';
import { toActionEntries, toEntryText, toModelEntries } from './paletteEntry.ts';

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
    const keys = [
      ...toActionEntries(twins),
      ...toModelEntries([{ id: 'm', created: 0, object: 'model', owned_by: '' }]),
    ].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe('toEntryText', () => {
  it('puts the label on the first line, for the ranking', () => {
    const [open] = toModelEntries([{ id: 'Qwen3-0.6B', created: 0, object: 'model', owned_by: '' }]);
    expect(open && toEntryText(open)).toBe('qwen3-0.6b\nopen in playground');
  });
});
