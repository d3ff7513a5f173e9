import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chooseMode,
  DEFAULT_LAYOUT,
  fitWidth,
  markUsed,
  onlyPanel,
  PANELS,
  parseLayout,
  reduceSizes,
  resetLayout,
  showPanel,
  shownPanels,
  togglePanel,
  toPercentages,
  type Layout,
} from './layout.ts';

const sum = (sizes: Record<string, number>) => Object.values(sizes).reduce((total, size) => total + size, 0);

describe('parseLayout', () => {
  it('reads back what was kept', () => {
    const kept = {
      sizes: { tree: 30, workspace: 40, playground: 30 },
      visible: ['tree', 'playground'] as const,
      isOwn: true,
      mode: 'try' as const,
      other: { sizes: { tree: 10, workspace: 80, playground: 10 }, visible: ['workspace'] as const, isOwn: true },
      front: 'tree' as const,
      isTable: false,
      isBesideTables: true,
    };
    expect(parseLayout(JSON.stringify(kept))).toEqual(kept);
  });

  it('keeps what a person chose in a version that did not mark it', () => {
    const sizes = { tree: 30, workspace: 40, playground: 30 };
    expect(parseLayout(JSON.stringify({ sizes, visible: ['workspace', 'playground'], front: 'tree' }))).toEqual({
      ...DEFAULT_LAYOUT,
      sizes,
      visible: ['workspace', 'playground'],
      isOwn: true,
      front: 'tree',
    });
    const usual = { sizes: { tree: 20, workspace: 47, playground: 33 }, visible: PANELS, front: 'workspace' };
    expect(parseLayout(JSON.stringify(usual))).toEqual(DEFAULT_LAYOUT);
    expect(parseLayout(JSON.stringify({ ...usual, visible: ['tree'] }))).toMatchObject({
      visible: ['tree'],
      isOwn: true,
    });
  });

  it('keeps no widths that nobody chose', () => {
    const usual = { ...DEFAULT_LAYOUT, sizes: { tree: 1, workspace: 2, playground: 3 } };
    expect(parseLayout(JSON.stringify(usual))).toEqual(DEFAULT_LAYOUT);
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
    '{"mode":"both","isOwn":"yes"}',
    '{"isOwn":true,"visible":["nothing"]}',
  ])('takes the usual layout for %s', (text) => {
    expect({ ...parseLayout(text), isOwn: false }).toEqual(DEFAULT_LAYOUT);
  });

  it('gives damaged widths their defaults', () => {
    const text = '{"isOwn":true,"sizes":{"tree":"wide","workspace":-4,"playground":1e9}}';
    expect(parseLayout(text).sizes).toEqual(DEFAULT_LAYOUT.sizes);
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

describe('beside a table', () => {
  const table = { ...DEFAULT_LAYOUT, isTable: true };
  const shownElsewhere = (layout: Layout) => shownPanels({ ...layout, isTable: false });

  it('the playground leaves its room to the workspace', () => {
    expect(shownPanels(table)).toEqual(['tree', 'workspace']);
    expect(toPercentages(table)).toEqual({ tree: 20, workspace: 80, playground: 0 });
    expect(shownElsewhere(table)).toEqual(PANELS);
    expect(shownPanels(chooseMode(table, 'try', 1440))).toEqual(['tree', 'playground']);
  });

  it('the playground that a person opened stays, and is remembered', () => {
    const opened = showPanel(table, 'playground');
    expect(shownPanels(opened)).toEqual(PANELS);
    expect(shownPanels({ ...parseLayout(JSON.stringify(opened)), isTable: true })).toEqual(PANELS);
    const closed = togglePanel(opened, 'playground');
    expect(shownPanels(closed)).toEqual(['tree', 'workspace']);
    expect(shownElsewhere(closed)).toEqual(PANELS);
  });

  it('other changes leave the playground where it is elsewhere', () => {
    const dragged = reduceSizes(table, { tree: 30, workspace: 70, playground: 0 });
    expect([shownPanels(dragged), shownElsewhere(dragged)]).toEqual([['tree', 'workspace'], PANELS]);
    expect(shownElsewhere(onlyPanel(table, 'workspace'))).toEqual(['workspace']);
    expect(shownPanels(fitWidth(table, 1440))).toEqual(['tree', 'workspace']);
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
    expect(toPercentages(togglePanel(dragged, 'playground'))).toEqual({ tree: 30, workspace: 44, playground: 26 });
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

  it('leave out a panel where the window has no room for it, unless somebody chose what to show', () => {
    expect(fitWidth(DEFAULT_LAYOUT, 1440)).toBe(DEFAULT_LAYOUT);
    const small = fitWidth(DEFAULT_LAYOUT, 1024);
    expect(small.visible).toEqual(['tree', 'workspace']);
    expect(fitWidth(small, 1440)).toEqual(DEFAULT_LAYOUT);
    const own = showPanel(small, 'playground');
    expect(fitWidth(own, 1024)).toBe(own);
    expect(resetLayout(own, 1024)).toEqual({ ...small, front: 'playground' });
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

describe('modes', () => {
  it('give the room to the workspace or to the playground', () => {
    expect(toPercentages(DEFAULT_LAYOUT).workspace).toBeGreaterThan(50);
    const trying = chooseMode(DEFAULT_LAYOUT, 'try', 1440);
    expect(trying).toMatchObject({ mode: 'try', visible: ['tree', 'playground'], front: 'playground' });
    expect(toPercentages(chooseMode(DEFAULT_LAYOUT, 'try', 1024)).tree).toBeGreaterThan(toPercentages(trying).tree);
    expect(chooseMode(trying, 'decide', 1440)).toEqual(DEFAULT_LAYOUT);
  });

  it('keep widths and panels apart', () => {
    const dragged = reduceSizes(DEFAULT_LAYOUT, { tree: 10, workspace: 60, playground: 30 });
    const trying = togglePanel(chooseMode(dragged, 'try', 1440), 'tree');
    expect(trying.visible).toEqual(['playground']);
    const back = chooseMode(trying, 'decide', 1440);
    expect(toPercentages(back)).toEqual({ tree: 10, workspace: 60, playground: 30 });
    expect(chooseMode(back, 'try', 1440)).toEqual(trying);
  });

  it('bring their panel to the front when chosen again', () => {
    const used = markUsed(DEFAULT_LAYOUT, 'tree');
    expect(chooseMode(used, 'decide', 400)).toEqual(DEFAULT_LAYOUT);
    expect(chooseMode(DEFAULT_LAYOUT, 'decide', 400)).toBe(DEFAULT_LAYOUT);
  });
});
