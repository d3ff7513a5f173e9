import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import {
  linkTo,
  MAX_MODELS,
  parseUrl,
  readUrl,
  subscribeUrl,
  toSearch,
  updateUrl,
  type UrlState,
  toProject,
  watchProjectChange,
} from './urlState.ts';

const EMPTY: UrlState = parseUrl('');

describe('reading', () => {
  it.each<[string, Partial<UrlState>]>([
    ['', {}],
    ['?', {}],
    ['?project=p&node=n&tab=Detail&models=a,b', { project: 'p', node: 'n', tab: 'Detail', models: ['a', 'b'] }],
    ['?project=&node=', {}],
    ['?project=a&project=b', { project: 'a' }],
    ['?models=ft%2Fa,b%3A1', { models: ['ft/a', 'b:1'] }],
    ['?models=ft%2Fa%2Cb', { models: ['ft/a', 'b'] }],
    ['?models=a%252Cb,c', { models: ['a,b', 'c'] }],
    ['?models=a,', { models: ['a', ''] }],
    ['?models=', { models: [''] }],
    ['?models=100%', { models: ['100%'] }],
    ['?models=%E0%A4%A', { models: ['\uFFFD%A'] }],
    ['?models=%25zz', { models: ['%zz'] }],
    ['?node=%00%0d%0a', { node: '\u0000\r\n' }],
    [`?project=${'x'.repeat(256)}`, { project: 'x'.repeat(256) }],
    [`?project=${'x'.repeat(257)}`, {}],
    [`?models=${'x'.repeat(257)},a`, { models: ['a'] }],
    [
      `?models=${Array.from({ length: 5000 }, (_, index) => index).join(',')}`,
      { models: ['0', '1', '2', '3', '4', '5', '6', '7'] },
    ],
    ['?compare=x:1,,x:1,x:2', { compare: ['x:1', 'x:2'] }],
    ['?brush=rate%3A1..2,status%3Da%252Cb', { brush: ['rate:1..2', 'status=a,b'] }],
    ['?__proto__=x&constructor=y', {}],
    ['?project=%3Cscript%3E', { project: '<script>' }],
  ])('%j', (search, expected) => expect(parseUrl(search)).toEqual({ ...EMPTY, ...expected }));

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), fc.string(), (a, b) => {
        expect(parseUrl(`?models=${a}&${b}`).models.length).toBeLessThanOrEqual(MAX_MODELS);
        expect(toSearch(`?${a}`, {})).not.toContain('token=');
      }),
    );
  });
});

describe('writing', () => {
  it.each<[string, Partial<UrlState>, string]>([
    ['', {}, ''],
    ['', { project: 'p' }, '?project=p'],
    ['', { models: ['a', 'b'] }, '?models=a,b'],
    ['', { models: ['ft/a', 'b,c'] }, '?models=ft%2Fa,b%252Cc'],
    ['?project=p&node=n', { node: null }, '?project=p'],
    ['?project=p&node=n', { node: '' }, '?project=p'],
    ['?project=p', { project: undefined }, '?project=p'],
    ['?models=a,b', { models: [] }, ''],
    ['?models=a,b', { tab: 'Detail' }, '?tab=Detail&models=a,b'],
    ['?compare=x:1,x:2&models=a', { baseline: 'x:2', diff: '1' }, '?baseline=x:2&diff=1&models=a&compare=x:1,x:2'],
    ['?q=a+b&status=failed', { status: ['failed', 'running'] }, '?q=a+b&status=failed,running'],
    ['?debug=1&project=p&x=a+b', { node: 'n' }, '?project=p&node=n&debug=1&x=a+b'],
    ['?token=secret&project=p', {}, '?project=p'],
    ['?token=secret', { project: 'p' }, '?project=p'],
    ['?tab=a&tab=b', { tab: 'c' }, '?tab=c'],
    ['?node=n&tab=compare&brush=a%3Db', { node: 'n', tab: 'compare' }, '?node=n&tab=compare&brush=a%3Db'],
    [
      '?node=n&tab=compare&brush=a%3Db',
      { compare: ['x:1'], q: 'x' },
      '?node=n&tab=compare&q=x&compare=x:1&brush=a%3Db',
    ],
    ['?node=n&tab=compare&brush=a%3Db', { node: 'm' }, '?node=m'],
    ['?node=n&tab=compare', { node: 'm', tab: 'detail' }, '?node=m&tab=detail'],
    ['?node=n&tab=compare&brush=a%3Db', { tab: 'experiments' }, '?node=n&tab=experiments'],
    ['?node=n&brush=a%3Db', { tab: 'compare' }, '?node=n&tab=compare'],
    ['?node=n&tab=data&rows=4,17', { node: 'm' }, '?node=m'],
    ['?node=n&tab=evaluations&evaluation=e&run=r&answers=a', { node: 'm' }, '?node=m'],
    [
      '?node=n&tab=evaluations&evaluation=e&run=r',
      { node: 'm', tab: 'evaluations', evaluation: 'f', run: null },
      '?node=m&tab=evaluations&evaluation=f',
    ],
    ['?tab=evaluations&evaluation=e', { node: 'm' }, '?node=m&tab=evaluations&evaluation=e'],
    ['?node=n&tab=evaluations&evaluation=e', { tab: 'detail' }, '?node=n&tab=detail&evaluation=e'],
    ['?node=n', { node: 'm', tab: 'data', rows: ['4', '17'] }, '?node=m&tab=data&rows=4,17'],
    ['?node=n&brush=a%3Db', { node: 'm', brush: ['c=d'] }, '?node=m&brush=c%3Dd'],
    ['?tab=experiments&brush=a%3Db', { node: 'n' }, '?node=n&tab=experiments&brush=a%3Db'],
  ])('%j with %j is %j', (search, patch, expected) => expect(toSearch(search, patch)).toBe(expected));

  it('is read back the same, whatever the ids are, also after another tool has rewritten the link', () => {
    const id = fc.string({
      unit: fc.constantFrom('a', '/', ',', '%', '2', 'C', '&', '=', '+', ' ', '#', '?', 'ü', '🚀', ':'),
      maxLength: 20,
    });
    const place = fc.option(id.filter((text) => text !== ''));
    fc.assert(
      fc.property(place, place, place, fc.array(id, { maxLength: MAX_MODELS }), (project, node, tab, models) => {
        const state = { ...EMPTY, project, node, tab, models };
        const search = toSearch('', state);
        expect(parseUrl(search)).toEqual(state);
        expect(parseUrl(`?${new URLSearchParams(search).toString()}`)).toEqual(state);
        expect(parseUrl(new URL(`http://studio/${search}`).search)).toEqual(state);
      }),
      { numRuns: 500 },
    );
  });

  it('survives half a character', () => {
    expect(parseUrl(toSearch('', { project: 'a\uD800' })).project).toBe('a\uFFFD');
  });
});

it('opens another project without what named nodes of the last', () => {
  const search =
    '?project=a&node=n&tab=compare&q=x&find=y&baseline=x:1&plot=parallel&models=m&status=failed&compare=x:1&brush=a%3Db&log=r';
  expect(toSearch(search, toProject('b'))).toBe('?project=b&plot=parallel');
});

it('lets what was typed be kept before another project is opened, and in the one it was typed in', () => {
  const location = new URL('http://studio/?project=a');
  const replaceState = (_state: unknown, _title: string, url: string): void =>
    void (location.href = new URL(url, location.href).href);
  vi.stubGlobal(
    'window',
    Object.assign(new EventTarget(), { location, history: { replaceState, pushState: replaceState } }),
  );
  const seen: (string | null)[] = [];
  const stop = watchProjectChange(() => {
    updateUrl({ q: 'typed' }, { replace: true });
    seen.push(location.search);
  });
  updateUrl({ node: 'n' });
  updateUrl(toProject('b'));
  stop();
  updateUrl(toProject('c'));
  expect([seen, location.search]).toEqual([['?project=a&node=n&q=typed'], '?project=c']);
  vi.unstubAllGlobals();
});

describe('the browser', () => {
  /** The parts of a window that the address needs: location, history and its popstate event. */
  class Browser extends EventTarget {
    entries = [new URL('http://studio/?project=p#top')];
    at = 0;
    get location(): URL {
      return this.entries[this.at]!;
    }
    readonly history = {
      pushState: (_state: unknown, _title: string, url: string): void => {
        this.entries = [...this.entries.slice(0, this.at + 1), new URL(url, this.location)];
        this.at += 1;
      },
      replaceState: (_state: unknown, _title: string, url: string): void => {
        this.entries[this.at] = new URL(url, this.location);
      },
    };
    go(step: number): void {
      this.at += step;
      this.dispatchEvent(new Event('popstate'));
    }
  }

  let browser: Browser;
  let calls = 0;
  let stop: () => void;

  beforeEach(() => {
    browser = new Browser();
    vi.stubGlobal('window', browser);
    calls = 0;
    stop = subscribeUrl(() => (calls += 1));
  });

  afterEach(() => {
    stop();
    vi.unstubAllGlobals();
  });

  it('gives the same object until something changes, and the same list while the models stay', () => {
    updateUrl({ models: ['a', 'b'] });
    const before = readUrl();
    expect(readUrl()).toBe(before);
    updateUrl({ node: 'n' });
    expect(readUrl()).toEqual({ ...EMPTY, project: 'p', node: 'n', models: ['a', 'b'] });
    expect(readUrl().models).toBe(before.models);
  });

  it('pushes a step that Back undoes, and says so', () => {
    updateUrl({ node: 'n' });
    expect([browser.entries.length, browser.location.href, calls]).toEqual([
      2,
      'http://studio/?project=p&node=n#top',
      1,
    ]);
    browser.go(-1);
    expect([readUrl().node, calls]).toEqual([null, 2]);
  });

  it('replaces where it is asked to', () => {
    updateUrl({ node: 'n' }, { replace: true });
    expect([browser.entries.length, readUrl().node, calls]).toEqual([1, 'n', 1]);
  });

  it('does nothing for what is there already', () => {
    updateUrl({ project: 'p', models: [] });
    expect([browser.entries.length, calls]).toEqual([1, 0]);
  });

  it('makes links without going there, and without a token', () => {
    browser.entries = [new URL('http://studio/?token=secret&project=p')];
    expect(linkTo({ node: 'n' })).toBe('/?project=p&node=n');
    expect(browser.location.search).toBe('?token=secret&project=p');
  });

  it('stops listening with its last listener', () => {
    stop();
    updateUrl({ node: 'n' });
    browser.go(-1);
    expect(calls).toBe(0);
  });
});
