// Groups the pages of a growing answer into sections: what is taken out of the document while it is far from view. A
// section that is full keeps its identity.
import type { BlockNode } from './markdownNodes.ts';

export type Page = readonly BlockNode[];

export interface Section {
  readonly index: number;
  readonly pages: readonly Page[];
}

/**
 * Pages in a section, about 450 tokens of prose: hardly more than a view, so that little of what flies past is put into
 * the document.
 */
export const SECTION_PAGES = 2;

/**
 * The sections of `pages`, keeping those of `before` that have not changed. The last one always has room for what still
 * grows: it may be empty.
 */
export function toSections(before: readonly Section[], pages: readonly Page[]): readonly Section[] {
  return Array.from({ length: Math.floor(pages.length / SECTION_PAGES) + 1 }, (_, index) => {
    const from = index * SECTION_PAGES;
    const count = Math.min(SECTION_PAGES, pages.length - from);
    const old = before[index];
    // Pages never change: where the first and the last are the same, so are those between.
    const isSame =
      old?.pages.length === count &&
      (count === 0 || (old.pages[0] === pages[from] && old.pages[count - 1] === pages[from + count - 1]));
    return isSame ? old : { index, pages: pages.slice(from, from + count) };
  });
}

/** Pixels per character and per block in a column of usual width, as measured on answers of prose, lists and code. */
const CHARACTER_PX = 0.29;
const BLOCK_PX = 10;

/** The usual height of a conversation's view, in pixels. */
const VIEW_PX = 900;

/** How many sections before the last one fill a view together with it. `end`: how long the answer is so far. */
export function countNear(sections: readonly Section[], end: number): number {
  const last = sections.length - 1;
  const isEnough = ({ pages }: Section): boolean => (end - (pages[0]?.[0]?.key ?? end)) * CHARACTER_PX >= VIEW_PX;
  return last - Math.max(0, sections.findLastIndex(isEnough));
}

/** About how high a section is that has never been laid out. `end`: where the answer goes on after it. */
export function toEstimate(section: Section, end: number): number {
  const start = section.pages[0]?.[0]?.key ?? end;
  const blocks = section.pages.reduce((sum, page) => sum + page.length, 0);
  return Math.round((end - start) * CHARACTER_PX + blocks * BLOCK_PX);
}
