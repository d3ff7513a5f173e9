import { deflateRawSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHARE_MARK } from '#ui/address/sharedLink.ts';
import { EMPTY_DESK, toAnswerTurn, toPane, toWrittenAnswer, type Desk } from '#features/playground/web/desk/desk.ts';
import { parseShareHash, toShareHash, toShareText, toPaneNames, toReachNotice } from './shareLink.ts';

const makeId = (): string => 'new';
const HOSTILE = '<img src=x onerror=alert(1)> {{x}} \u2028\u202e \ud83d\ude00 " \\ #s=?token=secret';
const desk: Desk = {
  panes: [
    {
      ...toPane('p', HOSTILE),
      own: { stop: [HOSTILE], systemPrompt: null },
      turns: [{ id: '1', role: 'user', content: HOSTILE }, toAnswerTurn('2', [toWrittenAnswer('3', HOSTILE, 1)])],
    },
  ],
  parked: [{ ...toPane('q', 'm'), turns: [{ id: '4', role: 'user', content: 'closed' }] }],
  draft: HOSTILE,
  shared: { systemPrompt: HOSTILE, tools: HOSTILE, seed: 1 },
  values: { x: HOSTILE },
};
const pack = (value: unknown): string =>
  `${SHARE_MARK}${deflateRawSync(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')}`;

describe('a link', () => {
  it('gives back everything on show, messages included, and no closed pane', async () => {
    const hash = await toShareHash(toShareText(desk, true));
    expect(hash).toMatch(/^#s=[\w-]+$/);
    const read = await parseShareHash(hash, makeId);
    expect(read).toMatchObject({
      ok: true,
      value: {
        draft: HOSTILE,
        shared: desk.shared,
        values: desk.values,
        panes: [{ model: HOSTILE, own: desk.panes[0]?.own }],
        parked: [],
      },
    });
    expect(read.ok && read.value.panes[0]?.turns).toMatchObject([
      { content: HOSTILE },
      { versions: [{ message: { text: HOSTILE } }] },
    ]);
  });

  it('leaves out what is said where it is not wanted', async () => {
    const read = await parseShareHash(await toShareHash(toShareText(desk, false)), makeId);
    expect(read).toMatchObject({
      ok: true,
      value: { draft: '', parked: [], panes: [{ turns: [] }], shared: desk.shared },
    });
  });

  it('without messages is not another one because an answer goes on', () => {
    const later = { ...desk, draft: 'more', panes: desk.panes.map((pane) => ({ ...pane, turns: [] })) };
    expect(toShareText(later, false)).toBe(toShareText(desk, false));
    expect(toShareText(later, true)).not.toBe(toShareText(desk, true));
  });

  it('keeps any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (draft) => {
        const read = await parseShareHash(
          await toShareHash(toShareText({ ...EMPTY_DESK, panes: [toPane('p', 'm')], draft }, true)),
          makeId,
        );
        expect(read.ok && read.value.draft).toBe(draft);
      }),
    );
  });
});

describe('what can’t be taken', () => {
  it.each([
    ['nothing', SHARE_MARK],
    ['other letters', `${SHARE_MARK}ab%20c`],
    ['no compressed data', `${SHARE_MARK}abcdef`],
    ['data that is cut off', pack({ v: 1, panes: [{ model: 'm'.repeat(200) }] }).slice(0, -4)],
    ['no JSON', pack('{"v":1')],
    ['no text', `${SHARE_MARK}${deflateRawSync(Buffer.from([0xff, 0xfe, 0x80])).toString('base64url')}`],
  ])('%s is damaged', async (_what, hash) => {
    expect(await parseShareHash(hash, makeId)).toEqual({
      ok: false,
      reason: 'The link is damaged or was cut off. Ask for it again, or for a file.',
    });
  });

  it.each<[unknown, string]>([
    [[], 'The link comes from another version of the studio. Ask for a file instead.'],
    [{ v: 2 }, 'The link comes from another version of the studio. Ask for a file instead.'],
    [{ v: 1 }, 'The link contains something that can’t be used. panes: must be a list with at least one pane.'],
    [
      { v: 1, panes: [{ model: 'm' }], settings: { seed: 'x' } },
      'The link contains something that can’t be used. settings.seed: is not a valid value.',
    ],
  ])('%j is said', async (value, reason) =>
    expect(await parseShareHash(pack(value), makeId)).toEqual({ ok: false, reason }),
  );

  it('a little that becomes a lot is not read to its end', async () => {
    const bomb = pack(`"${' '.repeat(50 * 1024 * 1024)}"`);
    expect(bomb.length).toBeLessThan(80_000);
    expect(await parseShareHash(bomb, makeId)).toEqual({
      ok: false,
      reason: 'The link contains more than 8 MB. Nothing was imported.',
    });
  });

  it('is never thrown', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (text) => void (await parseShareHash(`${SHARE_MARK}${text}`, makeId))),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue(),
        async (value) =>
          void (await parseShareHash(pack({ v: 1, panes: value, settings: value, values: value }), makeId)),
      ),
    );
  });
});

it.each(['localhost', 'studio.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('%s opens on this machine only', (host) =>
  expect(toReachNotice(host)).toMatch(/nobody can open the link on another one.*--public-url/),
);

it.each(['studio.example.com', '10.0.0.7', 'localhost.example.com', '127.example.com'])(
  '%s may open elsewhere',
  (host) => expect(toReachNotice(host)).toBeNull(),
);

it('panes have the names of their models, else the ids', () =>
  expect(
    toPaneNames([toPane('1', 'ft-1'), toPane('2', 'base'), toPane('3', '')], new Map([['ft-1', 'Experiment 1']])),
  ).toBe('Experiment 1, base, no model'));
