import { expect, test } from 'vitest';
import { isOtherBuild } from './useUpdateNotice.ts';

const page = (script: string): string =>
  `<!doctype html><script type="module" crossorigin src="${script}"></script><div id="root"></div>`;

test('another script in the studio’s page is another build; the same, or a page that is not the studio’s, is not', () => {
  expect(isOtherBuild(page('/assets/index-b.js'), '/assets/index-a.js')).toBe(true);
  expect(isOtherBuild(page('/assets/index-a.js'), '/assets/index-a.js')).toBe(false);
  expect(isOtherBuild('<h1>502 Bad Gateway</h1>', '/assets/index-a.js')).toBe(false);
});
