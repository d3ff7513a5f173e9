// What people judge, over HTTP: each with a token.
import { describe, expect, it } from 'vitest';
import {
  judgementQueueSchema,
  judgementResultsSchema,
  type JudgementKind,
  type JudgementQueue,
} from '#features/evaluation/shared/contract/judgements.ts';
import { answerPageSchema, scoresSchema } from '#features/evaluation/shared/contract/evaluationRuns.ts';
import { makeToken, toTokenHash } from '#features/access/server/tokens.ts';
import { UNKNOWN_ID, type Answer } from '#service/http/testService.fixture.ts';
import { keepTestRoom, RUNS_PATH } from '../testRoom.fixture.ts';

const NAMES = ['ada', 'bo', 'reads'] as const;
type Name = (typeof NAMES)[number];
const tokens = new Map(NAMES.map((name, at) => [name, makeToken((bytes) => `${at}`.repeat(bytes + 11).slice(0, 43))]));
const known = new Map(
  NAMES.map((name) => [
    toTokenHash(tokens.get(name) ?? ''),
    { name, isReadOnly: name === 'reads', createdAt: new Date(0) },
  ]),
);

const room = await keepTestRoom({}, { tokens: { find: async (hash) => known.get(hash) ?? null } });
const { database } = room;

const sendAs = (name: Name, method: string, path: string, body?: unknown): Promise<Answer> =>
  room.service.ask(path, {
    method,
    headers: { Authorization: `Bearer ${tokens.get(name)}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const WORDS = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'same'];

/** A run of two models, one of which shouts. To the last row both answer alike. */
async function startRun(): Promise<string> {
  const rows = WORDS.map((content) => ({
    messages: [{ role: 'user', content: content === 'same' ? '1' : content }],
    expected: content.toUpperCase(),
  }));
  const { id } = await room.create({ rows });
  const run = await room.start(id);
  await room.waitFor(run.id, 'completed');
  return run.id;
}

const readQueue = async (name: Name, run: string, kind: JudgementKind, limit = 20): Promise<JudgementQueue> =>
  judgementQueueSchema.parse(
    (await sendAs(name, 'GET', `${RUNS_PATH}/${run}/judgements?kind=${kind}&limit=${limit}`)).json(),
  );
const judge = (name: Name, run: string, item: string, body: unknown): Promise<Answer> =>
  sendAs(name, 'PUT', `${RUNS_PATH}/${run}/judgements/${item}`, body);
const readResults = async (run: string) =>
  judgementResultsSchema.parse((await room.send('GET', `${RUNS_PATH}/${run}/judgement-results`)).json());

/** Prefers the answer in capitals. */
async function preferLoud(name: Name, run: string, count: number): Promise<void> {
  const { items } = await readQueue(name, run, 'pair', count);
  for (const { id, answers } of items) {
    const left = answers[0]?.text ?? '';
    const outcome = left === left.toUpperCase() ? 'left' : 'right';
    expect((await judge(name, run, id, { outcome })).status).toBe(204);
  }
}

describe('the queue of a person', () => {
  it('hides models, shuffles rows and sides for each person, and leaves out equal answers', async () => {
    const run = await startRun();
    const [ada, again, bo] = [
      await readQueue('ada', run, 'pair'),
      await readQueue('ada', run, 'pair'),
      await readQueue('bo', run, 'pair'),
    ];
    expect(again).toEqual(ada);
    expect(ada).toMatchObject({ total: 6, judged: 0, people: 0, last: null, has_ended: true });
    const toOrder = ({ items }: JudgementQueue) => items.map(({ position }) => position);
    expect(toOrder(ada).toSorted()).toEqual([0, 1, 2, 3, 4, 5]);
    const toSides = ({ items }: JudgementQueue) =>
      items.map(({ position, answers }) => `${position} ${answers.map(({ text }) => text).join(' ')}`);
    expect(toSides(bo)).not.toEqual(toSides(ada));
    expect(JSON.stringify(ada)).not.toMatch(/"(upper|lower)"/);
    expect(ada.items[0]).toMatchObject({ expected: expect.any(String), messages: [{ role: 'user' }] });
  });

  it('goes on where a person left, and takes back what was judged last', async () => {
    const run = await startRun();
    const before = await readQueue('ada', run, 'rating', 2);
    const [first, second] = before.items;
    expect(before.total).toBe(14);
    await judge('ada', run, first?.id ?? '', { outcome: 'pass' });
    const after = await readQueue('ada', run, 'rating', 1);
    expect(after).toMatchObject({ judged: 1, people: 1, last: first?.id, items: [{ id: second?.id }] });
    expect((await sendAs('ada', 'DELETE', `${RUNS_PATH}/${run}/judgements/${first?.id}`)).status).toBe(204);
    expect(await readQueue('ada', run, 'rating', 2)).toEqual(before);
    const none = await sendAs('ada', 'DELETE', `${RUNS_PATH}/${run}/judgements/${first?.id}`);
    expect(none.json()).toMatchObject({ error: { code: 'judgement_not_found' } });
  });

  it('has every answer, also to rows that can not be asked', async () => {
    const run = await startRun();
    await database.executeSql(
      `update studio.evaluation_versions set system = 'Be {{mood}}.'
       where evaluation_id = (select evaluation_id from studio.evaluation_runs where id = $1)`,
      [run],
    );
    const { items, total } = await readQueue('ada', run, 'rating');
    expect([items.length, items.filter(({ messages }) => messages.length === 1).length]).toEqual([total, total]);
  });

  it('says whether the run has ended', async () => {
    const run = await startRun();
    await database.executeSql(`update studio.evaluation_runs set status = 'waiting' where id = $1`, [run]);
    expect((await readQueue('ada', run, 'rating')).has_ended).toBe(false);
    await database.executeSql(`update studio.evaluation_runs set status = 'completed' where id = $1`, [run]);
  });
});

describe('what people judge together', () => {
  it('gives strengths beside the baseline, ties and agreement', async () => {
    const run = await startRun();
    await preferLoud('ada', run, 6);
    await preferLoud('bo', run, 5);
    const [left] = (await readQueue('bo', run, 'pair')).items;
    await judge('bo', run, left?.id ?? '', { outcome: 'tie', comment: 'Both shout.' });
    const results = await readResults(run);
    expect(results).toMatchObject({
      reference: 'upper',
      pairs: { items: 6, judgements: 12, shared: 6, ties: 1 },
      people: [
        { who: 'ada', pairs: 6, ratings: 0 },
        { who: 'bo', pairs: 6, ratings: 0 },
      ],
      comments: [{ who: 'bo', outcome: 'tie', comment: 'Both shout.', models: ['upper', 'lower'] }],
    });
    expect(results.pairs.agreed).toBeCloseTo(5 / 6);
    const [best, worst] = results.pairs.strengths;
    expect(best).toMatchObject({ model: 'upper', pairs: 12, strength: 0 });
    expect(best?.win_rate).toBeCloseTo(11.5 / 12);
    expect(worst?.strength).toBeCloseTo(Math.log(0.5 / 11.5), 4);
    expect(worst?.high).toBeLessThan(0);
  });

  it('counts the last judgement of a person alone', async () => {
    const run = await startRun();
    const [item] = (await readQueue('ada', run, 'rating')).items;
    await judge('ada', run, item?.id ?? '', { outcome: 'pass' });
    await judge('ada', run, item?.id ?? '', { outcome: 'fail', comment: ' ' });
    expect(await readResults(run)).toMatchObject({ ratings: { items: 1, judgements: 1 }, comments: [] });
  });

  it('is the verdict of people on an answer, by the majority, and stays when checks judge anew', async () => {
    const run = await startRun();
    const byText = async (name: Name) =>
      new Map((await readQueue(name, run, 'rating')).items.map(({ id, answers }) => [answers[0]?.text, id]));
    const [ada, bo] = [await byText('ada'), await byText('bo')];
    await judge('ada', run, ada.get('ONE') ?? '', { outcome: 'pass' });
    await judge('bo', run, bo.get('ONE') ?? '', { outcome: 'fail', comment: 'Too loud.' });
    await judge('ada', run, ada.get('one') ?? '', { outcome: 'fail' });
    const readVerdicts = async () => {
      const answer = await room.send('GET', `${RUNS_PATH}/${run}/answers?limit=1`);
      return answerPageSchema
        .parse(answer.json())
        .rows[0]?.answers.map(({ outcome, verdicts }) => [
          outcome,
          verdicts.find(({ scorer }) => scorer === 'people') ?? null,
        ]);
    };
    const verdicts = [
      [
        'pass',
        {
          scorer: 'people',
          outcome: 'not_checked',
          score: 0.5,
          reason: 'People disagree: 1 of 2 passed it. bo: Too loud.',
        },
      ],
      ['fail', { scorer: 'people', outcome: 'fail', score: 0, reason: null }],
    ];
    expect(await readVerdicts()).toEqual(verdicts);
    await room.send('POST', `${RUNS_PATH}/${run}/rescore`);
    await room.waitFor(run, 'completed');
    expect(await readVerdicts()).toEqual(verdicts);
    const scores = scoresSchema.parse((await room.send('GET', `${RUNS_PATH}/${run}/scores`)).json());
    expect(scores.models[1]?.by_check).toMatchObject([{ scorer: 'same' }, { scorer: 'people', rate: { total: 1 } }]);
    await sendAs('bo', 'DELETE', `${RUNS_PATH}/${run}/judgements/${bo.get('ONE')}`);
    await sendAs('ada', 'DELETE', `${RUNS_PATH}/${run}/judgements/${ada.get('ONE')}`);
    expect((await readVerdicts())?.[0]?.[1]).toBeNull();
  });

  it('goes out as preferences and chats to train with', async () => {
    const run = await startRun();
    const pairs = (await readQueue('ada', run, 'pair')).items;
    const one = pairs.find(({ answers }) => answers.some(({ text }) => text === 'one'));
    await judge('ada', run, one?.id ?? '', { outcome: one?.answers[0]?.text === 'ONE' ? 'left' : 'right' });
    const ratings = (await readQueue('ada', run, 'rating')).items;
    const idOf = (text: string): string => ratings.find(({ answers }) => answers[0]?.text === text)?.id ?? '';
    await judge('ada', run, idOf('two'), { outcome: 'fail', correction: 'Two!' });
    await judge('ada', run, idOf('THREE'), { outcome: 'pass' });
    const readRows = async (form: string) =>
      (await room.send('GET', `${RUNS_PATH}/${run}/judgement-rows?form=${form}`)).text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    const asked = (content: string) => [{ role: 'user', content }];
    const said = (content: string) => ({ role: 'assistant', content });
    expect(await readRows('pairs')).toEqual([
      { prompt: asked('One'), chosen: [said('ONE')], rejected: [said('one')] },
      { prompt: asked('Two'), chosen: [said('Two!')], rejected: [said('two')] },
    ]);
    expect(await readRows('chats')).toEqual([
      { messages: [...asked('Two'), said('Two!')] },
      { messages: [...asked('Three'), said('THREE')] },
    ]);
  });
});

describe('a correction', () => {
  it('that changes nothing is none', async () => {
    const run = await startRun();
    const [item] = (await readQueue('ada', run, 'rating')).items;
    await judge('ada', run, item?.id ?? '', { outcome: 'pass', correction: item?.answers[0]?.text });
    expect(await readResults(run)).toMatchObject({ ratings: { judgements: 1, corrections: 0 } });
  });

  it('of an answer with calls is refused, and an earlier one is no row to train with', async () => {
    const run = await startRun();
    const [first, second] = (await readQueue('ada', run, 'rating')).items;
    expect((await judge('ada', run, first?.id ?? '', { outcome: 'fail', correction: 'f({})' })).status).toBe(204);
    const calls = JSON.stringify([{ name: 'f', arguments: '{}' }]);
    await database.executeSql('update studio.evaluation_answers set calls = $2 where run_id = $1', [run, calls]);
    const refused = await judge('ada', run, second?.id ?? '', { outcome: 'fail', correction: 'f({})' });
    expect([refused.status, refused.json()]).toMatchObject([400, { error: { param: 'correction' } }]);
    const passed = await judge('ada', run, second?.id ?? '', { outcome: 'fail', correction: null });
    expect(passed.status).toBe(204);
    for (const form of ['pairs', 'chats'])
      expect((await room.send('GET', `${RUNS_PATH}/${run}/judgement-rows?form=${form}`)).text.trim()).toBe('');
  });
});

describe('what can not be judged', () => {
  it('is refused with the field that is wrong', async () => {
    const run = await startRun();
    const [pair] = (await readQueue('ada', run, 'pair')).items;
    const [rating] = (await readQueue('ada', run, 'rating')).items;
    const failures: readonly [item: string, body: unknown, status: number, param: string][] = [
      [pair?.id ?? '', { outcome: 'pass' }, 400, 'outcome'],
      [rating?.id ?? '', { outcome: 'tie' }, 400, 'outcome'],
      [pair?.id ?? '', { outcome: 'tie', correction: 'x' }, 400, 'correction'],
      [pair?.id ?? '', { outcome: 'first' }, 400, 'outcome'],
      [pair?.id ?? '', { outcome: 'tie', comment: 'x'.repeat(2_001) }, 400, 'comment'],
      ['pair-0', { outcome: 'tie' }, 400, 'item'],
      ['pair-0-99', { outcome: 'tie' }, 404, 'item'],
      ['rating-900-0', { outcome: 'pass' }, 404, 'item'],
    ];
    for (const [item, body, status, param] of failures) {
      const answer = await judge('ada', run, item, body);
      expect([item, answer.status, answer.json()]).toMatchObject([item, status, { error: { param } }]);
    }
    const query = await room.send('GET', `${RUNS_PATH}/${run}/judgements?kind=stars`);
    expect(query.json()).toMatchObject({ error: { param: 'kind' } });
    expect((await room.send('GET', `${RUNS_PATH}/${UNKNOWN_ID}/judgement-results`)).status).toBe(404);
    expect(await readResults(run)).toMatchObject({ pairs: { judgements: 0 }, ratings: { judgements: 0 } });
  });

  it('is everything for a token that may read only, which may see the queue', async () => {
    const run = await startRun();
    const [item] = (await readQueue('reads', run, 'pair')).items;
    expect((await judge('reads', run, item?.id ?? '', { outcome: 'tie' })).status).toBe(403);
  });

  it('is a check by the name of people', async () => {
    const made = await room.create({ checks: [{ id: 'people', kind: 'exact' }] });
    expect(made).toMatchObject({ error: { param: 'checks[0].id' } });
  });
});
