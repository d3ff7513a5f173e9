import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Colours by name, of the light theme and of the dark one. */
const toColors = (path: string): readonly (readonly [name: string, color: string])[][] => {
  const [light = '', dark = ''] = readFileSync(path, 'utf8').split('.dark {');
  return [light, dark].map((part) =>
    [...part.matchAll(/^\s*(--[\w-]+): (#\w+);/gm)].map(([, name = '', color = '']) => [name, color] as const),
  );
};

it.each(['public/reference.css', 'public/notice.css'])('%s has the colours of the dashboard', (path) => {
  const dashboard = toColors('src/app/web/styles.css').map((theme) => new Map(theme));
  for (const [at, theme] of toColors(path).entries()) {
    const shared = theme.filter(([name]) => dashboard[at]!.has(name));
    expect(shared.length).toBeGreaterThan(5);
    for (const [name, color] of shared) expect(`${name}: ${color}`).toBe(`${name}: ${dashboard[at]!.get(name)}`);
  }
});
