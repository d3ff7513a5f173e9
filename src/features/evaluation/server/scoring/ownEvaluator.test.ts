// Programs of people that judge answers, over HTTP: what they are asked, and every way in which they fail.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HttpCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import { openOwnEvaluator } from './ownEvaluator.ts';
import type { ScoreOrder } from './scorers.ts';
import { listen } from '#service/files/keep.fixture.ts';

const CHECK: HttpCheck = { id: 'tone', kind: 'http', evaluator: 'tone' };

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

async function serve(handle: Handler): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => handle(request, response, Buffer.concat(parts).toString()));
  });
  return `${await listen(server)}/score`;
}

const toOrder = (position: number, text = `answer ${position}`): ScoreOrder => ({
  row: { position, messages: [{ role: 'user', content: `question ${position}` }], expected: 'right' },
  at: 0,
  repeat: 1,
  model: 'm',
  text,
  reasoning: null,
  calls: [],
  finish_reason: 'stop',
  completion_tokens: 1,
  ms: 1,
  against: null,
});

async function judge(url: string | null, orders: readonly ScoreOrder[] = [toOrder(0)]) {
  const scorer = openOwnEvaluator(CHECK, {
    access: { allowed: url === null ? [] : [{ name: 'tone', url }], token: 'secret-token' },
    toMessages: ({ messages = [] }) => messages,
    answerMs: 300,
    faultMs: 1,
  });
  return (await scorer.score(orders, new AbortController().signal)).get('tone') ?? [];
}

describe('an own evaluator', () => {
  it('gets the row, the answer, the model and its token, and its scores stay in the order of the rows', async () => {
    const asked: unknown[] = [];
    const url = await serve(({ headers }, response, body) => {
      const { prediction } = JSON.parse(body) as { prediction: string };
      asked.push({ authorization: headers.authorization, ...(JSON.parse(body) as object) });
      const number = Number(prediction.split(' ')[1]);
      setTimeout(() => response.end(JSON.stringify({ score: number / 10, reason: `row ${number}` })), 60 - number * 10);
    });
    const orders = Array.from({ length: 7 }, (_, at) => toOrder(at));
    const verdicts = await judge(url, orders);
    expect(verdicts.map(({ position, score, reason }) => [position, score, reason])).toEqual(
      orders.map((_, at) => [at, at / 10, `row ${at}`]),
    );
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['fail', 'fail', 'fail', 'fail', 'fail', 'pass', 'pass']);
    expect(asked).toContainEqual({
      authorization: 'Bearer secret-token',
      datapoint: {
        messages: [
          { role: 'user', content: 'question 0' },
          { role: 'assistant', content: 'right' },
        ],
      },
      prediction: 'answer 0',
      model_name: 'm',
    });
  });

  it.each<[why: string, handle: Handler, words: string, asked: number]>([
    ['hangs', () => undefined, 'no answer within 0.3 s', 3],
    ['answers 500', (_, response) => response.writeHead(500).end('broken'), 'answered 500: broken', 3],
    ['is busy', (_, response) => response.writeHead(429).end(), 'answered 429', 3],
    ['refuses', (_, response) => response.writeHead(401).end('no'), 'answered 401: no', 1],
    ['answers no JSON', (_, response) => response.end('good!'), '“good!”', 1],
    ['answers nothing', (_, response) => response.end(), 'answered nothing', 1],
    ['gives a score that is none', (_, response) => response.end('{"score":7}'), 'must answer', 1],
    ['answers too much', (_, response) => response.end('x'.repeat(70_000)), 'more than 64 KB', 1],
    ['breaks off', (request) => request.socket.destroy(), 'could not be reached', 3],
  ])('that %s leaves the row unchecked and says why', async (_, handle, words, asked) => {
    let count = 0;
    const url = await serve((request, response, body) => {
      count += 1;
      handle(request, response, body);
    });
    const [verdict] = await judge(url);
    expect(verdict).toMatchObject({ position: 0, outcome: 'not_checked', score: null });
    expect(verdict?.reason).toContain(words);
    expect(count).toBe(asked);
  });

  it('that leads elsewhere is not followed: the token stays with the address that was allowed', async () => {
    let hasReached = false;
    const elsewhere = await serve((_, response) => {
      hasReached = true;
      response.end('{"score":1}');
    });
    const url = await serve((_, response) => response.writeHead(307, { Location: elsewhere }).end());
    const [verdict] = await judge(url);
    expect(verdict?.reason).toContain('answered 307, which leads elsewhere');
    expect(hasReached).toBe(false);
  });

  it('that stumbles once is asked again, and one that nobody allowed is not asked', async () => {
    let count = 0;
    const url = await serve((_, response) => {
      count += 1;
      if (count === 1) response.writeHead(503).end();
      else response.end('{"score":0.5,"reason":null}');
    });
    expect((await judge(url))[0]).toMatchObject({ outcome: 'pass', score: 0.5, reason: null });
    expect((await judge(null))[0]?.reason).toContain('--evaluator tone=URL');
  });
});
