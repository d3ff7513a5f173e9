import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  DEFAULT_LAYOUT,
  fitPanes,
  markUsed,
  onlyPanel,
  PANELS,
  parseLayout,
  reduceSizes,
  showPanel,
  togglePanel,
  toPercentages,
} from './layout.ts';

const sum = (sizes: Record<string, number>) => Object.values(sizes).reduce((total, size) => total + size, 0);

describe('parseLayout', () => {
  it('reads back what was kept', () => {
    const kept = {
      sizes: { tree: 30, workspace: 40, playground: 30 },
      visible: ['tree', 'playground'] as const,
      front: 'tree' as const,
    };
    expect(parseLayout(JSON.stringify(kept))).toEqual(kept);
  });

  it.each([
    null,
    '',
    '{',
    '[]',
    '7',
    '"tree"',
    '{}',
    '{"sizes":null,"visible":[],"front":"x"}',
    '{"visible":["nothing"]}',
    '{"sizes":{"tree":"wide","workspace":-4,"playground":1e9}}',
  ])('takes the usual layout for %s', (text) => {
    expect(parseLayout(text)).toEqual(DEFAULT_LAYOUT);
  });

  it('makes a usable layout of any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (stored) => {
        const layout = parseLayout(JSON.stringify(stored));
        expect(layout.visible.length).toBeGreaterThan(0);
        expect(sum(toPercentages(layout))).toBeCloseTo(100);
      }),
    );
  });
});

describe('changes', () => {
  it('share the window among what is on show', () => {
    expect(toPercentages({ ...DEFAULT_LAYOUT, visible: ['playground'] })).toEqual({
      tree: 0,
      workspace: 0,
      playground: 100,
    });
    expect(sum(toPercentages(DEFAULT_LAYOUT))).toBeCloseTo(100);
  });

  it('give the room of a hidden panel to the workspace, not to the tree', () => {
    const without = toPercentages(togglePanel(DEFAULT_LAYOUT, 'playground'));
    expect(without).toEqual({
      tree: DEFAULT_LAYOUT.sizes.tree,
      workspace: 100 - DEFAULT_LAYOUT.sizes.tree,
      playground: 0,
    });
    expect(toPercentages(togglePanel(DEFAULT_LAYOUT, 'workspace')).tree).toBe(DEFAULT_LAYOUT.sizes.tree);
  });

  it('drag an edge beside a hidden panel without changing what that one comes back with', () => {
    const hidden = togglePanel(DEFAULT_LAYOUT, 'playground');
    const dragged = reduceSizes(hidden, { tree: 30, workspace: 70, playground: 0 });
    expect(toPercentages(dragged)).toEqual({ tree: 30, workspace: 70, playground: 0 });
    expect(toPercentages(togglePanel(dragged, 'playground'))).toEqual({ tree: 30, workspace: 37, playground: 33 });
  });

  it('never hide the last panel', () => {
    const one = onlyPanel(DEFAULT_LAYOUT, 'tree');
    expect(one.visible).toEqual(['tree']);
    expect(togglePanel(one, 'tree')).toBe(one);
    expect(togglePanel(one, 'playground').visible).toEqual(['tree', 'playground']);
  });

  it('give a panel its old width when it comes back', () => {
    const dragged = reduceSizes(DEFAULT_LAYOUT, { tree: 30, workspace: 30, playground: 40 });
    const back = togglePanel(togglePanel(dragged, 'tree'), 'tree');
    expect(toPercentages(back)).toEqual({ tree: 30, workspace: 30, playground: 40 });
  });

  it('hide a panel that is dragged shut, keeping its width', () => {
    const shut = reduceSizes(DEFAULT_LAYOUT, { tree: 0, workspace: 60, playground: 40 });
    expect(shut.visible).toEqual(['workspace', 'playground']);
    expect(shut.sizes.tree).toBe(DEFAULT_LAYOUT.sizes.tree);
    expect(reduceSizes(DEFAULT_LAYOUT, {})).toBe(DEFAULT_LAYOUT);
  });

  it('make room for several panes, and take it back, unless somebody has set the widths', () => {
    const roomy = fitPanes(DEFAULT_LAYOUT, 2);
    expect(roomy.sizes.playground).toBeGreaterThan(DEFAULT_LAYOUT.sizes.playground);
    expect(roomy.sizes.tree).toBe(DEFAULT_LAYOUT.sizes.tree);
    expect(sum(roomy.sizes)).toBe(100);
    expect(fitPanes(roomy, 8)).toBe(roomy);
    expect(fitPanes(roomy, 1)).toEqual(DEFAULT_LAYOUT);
    // Before the panes are known nothing moves.
    expect(fitPanes(roomy, 0)).toBe(roomy);
    expect(fitPanes(DEFAULT_LAYOUT, 1)).toBe(DEFAULT_LAYOUT);
    const dragged = reduceSizes(DEFAULT_LAYOUT, { tree: 20, workspace: 40, playground: 40 });
    expect(fitPanes(dragged, 3)).toBe(dragged);
    // A hidden panel comes back with the room it needs.
    expect(fitPanes(togglePanel(DEFAULT_LAYOUT, 'playground'), 2).sizes).toEqual(roomy.sizes);
  });

  it('bring a panel on show and to the front', () => {
    const layout = showPanel(onlyPanel(DEFAULT_LAYOUT, 'tree'), 'playground');
    expect(layout).toMatchObject({ visible: ['tree', 'playground'], front: 'playground' });
    expect(showPanel(DEFAULT_LAYOUT, 'tree').visible).toEqual(PANELS);
  });

  it('keep the panel that was used last for a narrow window', () => {
    const used = markUsed(DEFAULT_LAYOUT, 'playground');
    expect(used).toEqual({ ...DEFAULT_LAYOUT, front: 'playground' });
    expect(markUsed(used, 'playground')).toBe(used);
  });
});
