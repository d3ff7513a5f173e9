import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type * as Theme from './theme.ts';

/** The parts of a browser that the theme needs. */
class Browser extends EventTarget {
  readonly kept = new Map<string, string>();
  isBroken = false;
  readonly system = Object.assign(new EventTarget(), { matches: false });
  readonly classes = new Set<string>();
  readonly localStorage = {
    getItem: (key: string): string | null => this.guard(() => this.kept.get(key) ?? null),
    setItem: (key: string, value: string): void => this.guard(() => void this.kept.set(key, value)),
    removeItem: (key: string): void => this.guard(() => void this.kept.delete(key)),
  };
  readonly document = {
    documentElement: {
      classList: {
        toggle: (name: string, isOn: boolean): void => void (isOn ? this.classes.add(name) : this.classes.delete(name)),
      },
    },
  };
  matchMedia = (): EventTarget => this.system;

  private guard<T>(act: () => T): T {
    if (this.isBroken) throw new DOMException('denied', 'SecurityError');
    return act();
  }

  setSystem(isDark: boolean): void {
    this.system.matches = isDark;
    this.system.dispatchEvent(new Event('change'));
  }

  /** What another tab did to the storage. */
  changeElsewhere(key: string | null): void {
    this.dispatchEvent(Object.assign(new Event('storage'), { key }));
  }
}

let browser: Browser;
let theme: typeof Theme;
let calls = 0;
let stop: () => void;

async function open(prepare: (browser: Browser) => void = () => undefined): Promise<void> {
  browser = new Browser();
  prepare(browser);
  vi.stubGlobal('window', browser);
  vi.stubGlobal('localStorage', browser.localStorage);
  vi.stubGlobal('document', browser.document);
  vi.resetModules();
  theme = await import('./theme.ts');
  calls = 0;
  stop = theme.subscribeTheme(() => (calls += 1));
}

beforeEach(() => open());

afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

it.each<[unknown, string]>([
  ['light', 'light'],
  ['dark', 'dark'],
  ['system', 'system'],
  [null, 'system'],
  ['', 'system'],
  ['Dark', 'system'],
  ['{"theme":"dark"}', 'system'],
  ['__proto__', 'system'],
  [5, 'system'],
])('reads %j as %s', (text, expected) => expect(theme.parseThemeChoice(text)).toBe(expected));

describe('choosing', () => {
  it('applies, keeps and tells at once', () => {
    theme.chooseTheme('dark');
    expect([...browser.classes]).toEqual(['dark']);
    expect(browser.kept.get('studio.theme')).toBe('dark');
    expect(theme.readTheme()).toEqual({ choice: 'dark', isDark: true });
    theme.chooseTheme('light');
    expect([browser.classes.size, theme.readTheme().isDark, calls]).toEqual([0, false, 2]);
  });

  it('forgets the choice with "system"', () => {
    theme.chooseTheme('dark');
    theme.chooseTheme('system');
    expect([browser.kept.size, browser.classes.size]).toEqual([0, 0]);
  });

  it('gives the same object until it changes', () => {
    const before = theme.readTheme();
    expect(theme.readTheme()).toBe(before);
    theme.chooseTheme('system');
    expect([theme.readTheme() === before, calls]).toEqual([true, 0]);
  });
});

describe('following the system', () => {
  it('changes with it while nothing is chosen', () => {
    browser.setSystem(true);
    expect([[...browser.classes], theme.readTheme(), calls]).toEqual([['dark'], { choice: 'system', isDark: true }, 1]);
  });

  it('does not where something is chosen', () => {
    theme.chooseTheme('light');
    browser.setSystem(true);
    expect([browser.classes.size, theme.readTheme().isDark, calls]).toEqual([0, false, 1]);
  });
});

describe('storage', () => {
  it('is read at the start', async () => {
    stop();
    await open(({ kept }) => kept.set('studio.theme', 'dark'));
    expect(theme.readTheme()).toEqual({ choice: 'dark', isDark: true });
  });

  it('may be damaged', async () => {
    stop();
    await open((next) => {
      next.kept.set('studio.theme', '\u0000{');
      next.system.matches = true;
    });
    expect(theme.readTheme()).toEqual({ choice: 'system', isDark: true });
  });

  it('may be switched off: the choice then lives as long as the page', async () => {
    stop();
    await open((next) => (next.isBroken = true));
    expect(theme.readTheme().choice).toBe('system');
    theme.chooseTheme('dark');
    expect([theme.readTheme().choice, [...browser.classes]]).toEqual(['dark', ['dark']]);
  });

  it('follows what another tab chose, and nothing else there', () => {
    browser.kept.set('studio.theme', 'dark');
    browser.changeElsewhere('other');
    expect(theme.readTheme().choice).toBe('system');
    browser.changeElsewhere('studio.theme');
    expect([theme.readTheme().choice, [...browser.classes]]).toEqual(['dark', ['dark']]);
    browser.kept.clear();
    browser.changeElsewhere(null);
    expect(theme.readTheme().choice).toBe('system');
  });

  it('is not watched after the last listener has gone', () => {
    stop();
    browser.setSystem(true);
    browser.kept.set('studio.theme', 'dark');
    browser.changeElsewhere('studio.theme');
    expect([browser.classes.size, calls]).toEqual([0, 0]);
  });
});
