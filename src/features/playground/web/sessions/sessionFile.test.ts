import * as fc from 'fast-check';
import { anyCharacter } from '#core/contract/anyCharacter.fixture.ts';
import { describe, expect, it } from 'vitest';
import {
  EMPTY_DESK,
  toAnswerTurn,
  toPane,
  toWrittenAnswer,
  type Desk,
  type Turn,
} from '#features/playground/web/desk/desk.ts';
import { FILE_FORMAT, openSessionFile, parseSessionFile, type FileSession } from './sessionFile.ts';

const counter = () => {
  let count = 0;
  return () => `new${(count += 1)}`;
};
const parse = (text: string) => parseSessionFile(text, { makeId: counter(), now: 1_000 });
const toSessionFile = (sessions: readonly FileSession[]): string => {
  const file = openSessionFile();
  for (const session of sessions) expect(file.add(session)).toBeNull();
  return file.toText();
};
const read = (sessions: unknown) => parse(JSON.stringify({ format: FILE_FORMAT, version: 1, sessions }));

const user: Turn = { id: 'u', role: 'user', content: 'Hi {{x}} \u2028 </script> 😀' };
const tool: Turn = { id: 't', role: 'tool', tool_call_id: 'c', name: 'f', content: '{}' };
const answer = toAnswerTurn('a', [toWrittenAnswer('v', 'Hello', 5), toWrittenAnswer('w', 'Hey', 6)]);
const desk: Desk = {
  panes: [{ ...toPane('p', 'm'), own: { temperature: null, seed: 3 }, turns: [user, answer, tool] }, toPane('q', '')],
  parked: [{ ...toPane('r', 'n'), turns: [user] }],
  draft: 'half',
  shared: {
    temperature: 0.5,
    systemPrompt: 'Be brief.',
    tools: '[broken',
    schema: { name: 's', text: '{', strict: false },
  },
  isAlone: true,
  title: 'Mine',
  values: { x: 'y', __proto: '' },
};

const stripIds = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, entry: unknown) => (key === 'id' && typeof entry === 'string' ? undefined : entry)),
  );

describe('a file', () => {
  it('gives back what was written, with new ids', () => {
    const { sessions, problems } = parse(
      toSessionFile([
        { desk, savedAt: 900 },
        { desk: { ...EMPTY_DESK, panes: [toPane('p', 'm')] }, savedAt: 5_000 },
      ]),
    );
    expect(problems).toEqual([]);
    expect(stripIds(sessions[0]?.desk)).toEqual(stripIds(desk));
    expect(sessions.map(({ savedAt }) => savedAt)).toEqual([900, 1_000]);
    const panes = sessions.flatMap((session) => [session.desk.panes, session.desk.parked].flat());
    const ids = [...panes.map((pane) => pane.id), ...panes.flatMap((pane) => pane.turns.map((turn) => turn.id))];
    expect(ids.every((id) => id.startsWith('new'))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keeps any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const { sessions } = parse(
          toSessionFile([
            {
              desk: {
                ...EMPTY_DESK,
                panes: [{ ...toPane('p', 'm'), turns: [{ id: '1', role: 'user', content: text }] }],
              },
              savedAt: 1,
            },
          ]),
        );
        expect(sessions[0]?.desk.panes[0]?.turns[0]).toMatchObject({ content: text });
      }),
    );
  });

  it('of very many closed panes can be taken', () => {
    const parked = Array.from({ length: 500 }, (_, index) => ({ ...toPane(`r${index}`, 'n'), turns: [user] }));
    expect(parse(toSessionFile([{ desk: { ...desk, parked }, savedAt: 1 }])).sessions[0]?.desk.parked).toHaveLength(
      500,
    );
  });

  it('never becomes longer than what can be imported, and says what has no room', () => {
    const most = 12_000;
    const file = openSessionFile(most);
    const reasons = Array.from({ length: 9 }, () => file.add({ desk, savedAt: 1 }));
    expect(file.count).toBeGreaterThan(1);
    expect(reasons).toEqual(reasons.map((_, index) => (index < file.count ? null : 'it has no room in a file')));
    expect(file.toText().length).toBeLessThanOrEqual(most);
    expect(parse(file.toText())).toMatchObject({
      sessions: Array.from({ length: file.count }, () => ({ savedAt: 1 })),
      problems: [],
    });
  });

  it('holds no session that would be refused, and says what is wrong with it', () => {
    const file = openSessionFile();
    expect(file.add({ desk: { ...desk, panes: [toPane('p', 'x'.repeat(257))] }, savedAt: 1 })).toBe(
      'panes[0].model: must have at most 256 characters.',
    );
    expect(file.count).toBe(0);
  });

  it('without sessions is still a file', () =>
    expect(parse(openSessionFile().toText()).problems).toEqual(['sessions: the file holds none.']));

  it('gives its valid sessions even if others are invalid', () => {
    const { sessions, problems } = read([{ panes: [{ model: 'm' }] }, { panes: [{ model: 7 }] }]);
    expect(sessions).toHaveLength(1);
    expect(problems).toEqual(['sessions[1].panes[0].model: must be a text.']);
  });

  it('never throws, whatever it holds', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        (value) =>
          void read([
            value,
            { panes: [value] },
            { panes: [{ model: 'm', turns: [value, { role: 'assistant', versions: [value] }] }] },
          ]),
      ),
    );
    fc.assert(fc.property(fc.string(), (text) => void parse(text)));
  });
});

const pane = (turn: unknown): unknown => [{ panes: [{ model: 'm', turns: [turn] }] }];

describe('what is wrong is said with its path', () => {
  it.each<[unknown, string]>([
    [[null], 'sessions[0]: must be an object.'],
    [[{}], 'sessions[0].panes: must be a list with at least one pane.'],
    [[{ panes: Array.from({ length: 9 }, () => ({ model: '' })) }], 'sessions[0].panes: can have 8 entries at most.'],
    [[{ panes: [{ model: 'x'.repeat(257) }] }], 'sessions[0].panes[0].model: must have at most 256 characters.'],
    [
      [{ panes: [{ model: 'm', own_settings: { seed: 'x' } }] }],
      'sessions[0].panes[0].own_settings.seed: is not a valid value.',
    ],
    [
      [{ panes: [{ model: 'm' }], settings: { temperature: 9 } }],
      'sessions[0].settings.temperature: is not a valid value.',
    ],
    [[{ panes: [{ model: 'm' }], values: { a: 1 } }], 'sessions[0].values.a: must be a text.'],
    [[{ panes: [{ model: 'm' }], draft: [] }], 'sessions[0].draft: must be a text.'],
    [pane(5), 'sessions[0].panes[0].turns[0]: must be an object.'],
    [pane({ role: 'system' }), 'sessions[0].panes[0].turns[0].role: must be user, assistant or tool.'],
    [pane({ role: 'user' }), 'sessions[0].panes[0].turns[0].content: must be a text.'],
    [
      pane({ role: 'assistant', versions: [] }),
      'sessions[0].panes[0].turns[0].versions: must be a list with at least one answer.',
    ],
    [
      pane({ role: 'assistant', versions: [{ message: { text: 4 } }] }),
      'sessions[0].panes[0].turns[0].versions[0].message.text: must be a text.',
    ],
    [[], 'sessions: the file holds none.'],
    [{}, 'sessions: must be a list of at most 5000 sessions.'],
  ])('%j', (sessions, problem) => expect(read(sessions)).toEqual({ sessions: [], problems: [problem] }));

  it.each([
    ['{"a":\n1,}', 'This is not valid JSON: the fault is in line 2.'],
    ['[]', 'format: must be "model-studio/sessions". This file was not exported by the studio’s Sessions.'],
    [
      JSON.stringify({ format: FILE_FORMAT, version: 2 }),
      'version: must be 1. The file comes from another version of the studio.',
    ],
  ])('%s', (text, problem) => expect(parse(text).problems).toEqual([problem]));
});
