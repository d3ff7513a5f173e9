// POST /api/v1/responses on any engine: a chat in the form of OpenAI's Responses API.
import { parseResponsesRequest, type ResponsesRequest } from '#core/contract/responses.ts';
import { STUDIO } from '#core/contract/studioEndpoints.ts';
import { encodeEvent } from '#core/stream/sseEncode.ts';
import { unfinishedProblem, type Run } from './chatAnswer.ts';
import { writeEvents } from './chatStream.ts';
import { toAskRoute, type AnswerForm, type ChatDeps } from './chatRoute.ts';
import type { EventStream } from '#service/http/eventStream.ts';
import { problemEnvelope } from '#service/http/problem.ts';
import type { Route } from '#service/http/route.ts';
import { ResponseEvents, type ResponseEvent } from './responseEvents.ts';

const toText = (events: readonly ResponseEvent[]): string =>
  events.map((event) => encodeEvent({ event: event.type, data: JSON.stringify(event) })).join('');

async function collect(run: Run<ResponsesRequest>): Promise<object> {
  const model = await run.load();
  const response = new ResponseEvents(run, model);
  for await (const event of model.generate(run.request.chat, run.signal, run.caller)) {
    response.push(event);
    if (event.type === 'message-end') return response.answer;
  }
  throw unfinishedProblem();
}

const write = (run: Run<ResponsesRequest>, stream: EventStream): Promise<void> =>
  writeEvents(run, stream, run.request.chat, (model) => {
    const response = new ResponseEvents(run, model);
    return { start: toText(response.start()), toText: (event) => toText(response.push(event)) };
  });

const FORM: AnswerForm<ResponsesRequest> = {
  prefix: 'resp_',
  collect,
  write,
  // Clients read `error` as in every other answer; the fields beside it are those of the event.
  toEnd: () => (problem) => {
    const { error } = problemEnvelope(problem);
    const { code, message, param } = error;
    return encodeEvent({ event: 'error', data: JSON.stringify({ type: 'error', code, message, param, error }) });
  },
};

export const toResponsesRoute = (deps: ChatDeps): Route =>
  toAskRoute(deps, STUDIO.createResponse, parseResponsesRequest, FORM);
