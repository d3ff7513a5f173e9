import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countNear, SECTION_PAGES, toEstimate, toSections, type Page } from './sections.ts';

const toPage = (index: number): Page => [
  { kind: 'rule', key: index * 100 },
  { kind: 'rule', key: index * 100 + 50 },
];
const toPages = (count: number): Page[] => Array.from({ length: count }, (_, index) => toPage(index));

describe('toSections', () => {
  it('hold every page once, in order, and the last section has room for more', () => {
    fc.assert(
      fc.property(fc.nat({ max: 60 }), (count) => {
        const pages = toPages(count);
        const sections = toSections([], pages);
        expect(sections.flatMap((section) => section.pages)).toEqual(pages);
        expect(sections.map((section) => section.index)).toEqual(sections.map((_, index) => index));
        expect(sections.at(-1)?.pages.length).toBeLessThan(SECTION_PAGES);
      }),
    );
  });

  it('keep unchanged sections while pages are added', () => {
    const pages = toPages(3 * SECTION_PAGES + 2);
    let sections = toSections([], []);
    for (let count = 1; count <= pages.length; count += 1) {
      const next = toSections(sections, pages.slice(0, count));
      const full = Math.floor((count - 1) / SECTION_PAGES);
      for (let index = 0; index < full; index += 1) expect(next[index]).toBe(sections[index]);
      sections = next;
    }
    expect(toSections(sections, [...pages])).toEqual(sections);
    expect(toSections(sections, [...pages]).every((section, index) => section === sections[index])).toBe(true);
  });

  it('reuse nothing from another text', () => {
    const before = toSections([], toPages(5 * SECTION_PAGES - 1));
    const other = toPages(5 * SECTION_PAGES - 1);
    const after = toSections(before, other);
    expect(after.every((section, index) => section !== before[index])).toBe(true);
    expect(after.flatMap((section) => section.pages).every((page, index) => page === other[index])).toBe(true);
  });
});

describe('countNear', () => {
  const toLong = (characters: number, count: number): readonly Page[] =>
    Array.from({ length: count }, (_, index): Page => [{ kind: 'rule', key: index * characters }]);

  it('counts no earlier section if the last one fills a view', () => {
    expect(countNear(toSections([], toLong(20_000, 2 * SECTION_PAGES - 1)), 20_000 * (2 * SECTION_PAGES - 1))).toBe(0);
  });

  it('counts the one before while the last one is empty, and as many as fill a view if blocks are short', () => {
    expect(countNear(toSections([], toLong(20_000, 2 * SECTION_PAGES)), 20_000 * 2 * SECTION_PAGES)).toBe(1);
    const short = toLong(200, 20 * SECTION_PAGES);
    const near = countNear(toSections([], short), 200 * short.length);
    expect(near).toBeGreaterThan(3);
    expect(near).toBeLessThan(12);
  });

  it('counts all sections of an answer that fills no view', () => {
    expect(countNear(toSections([], []), 0)).toBe(0);
    expect(countNear(toSections([], toLong(10, 3 * SECTION_PAGES)), 10)).toBe(3);
  });
});

it('estimates more height for more text and more blocks', () => {
  const [section] = toSections([], toPages(SECTION_PAGES));
  if (!section) throw new Error('There is a section.');
  expect(toEstimate(section, 2000)).toBeGreaterThan(toEstimate(section, 1000));
  expect(toEstimate({ index: 0, pages: [] }, 500)).toBe(0);
});
