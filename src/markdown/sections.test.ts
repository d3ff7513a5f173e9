import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SECTION_PAGES, toEstimate, toSections, type Page } from './sections';

const toPage = (index: number): Page => [{ kind: 'rule', key: index * 100 }, { kind: 'rule', key: index * 100 + 50 }];
const toPages = (count: number): Page[] => Array.from({ length: count }, (_, index) => toPage(index));

describe('toSections', () => {
  it('holds every page once, in order, and has room in the last section', () => {
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

  it('keeps what has not changed while pages are added', () => {
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

  it('takes nothing over from another text', () => {
    const before = toSections([], toPages(20));
    const other = toPages(20);
    const after = toSections(before, other);
    expect(after.every((section, index) => section !== before[index])).toBe(true);
    expect(after.flatMap((section) => section.pages).every((page, index) => page === other[index])).toBe(true);
  });
});

it('estimates more height for more text and more blocks', () => {
  const [section] = toSections([], toPages(SECTION_PAGES));
  if (!section) throw new Error('There is a section.');
  expect(toEstimate(section, 2000)).toBeGreaterThan(toEstimate(section, 1000));
  expect(toEstimate({ index: 0, pages: [] }, 500)).toBe(0);
});
