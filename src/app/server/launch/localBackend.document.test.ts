// The OpenAPI document and the parsers of the service: whatever the document allows, each parser takes.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toOpenApi } from '#app/server/openapi/openapi.ts';
import { openDocumentValues } from '#core/contract/openapiValues.fixture.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import type { NewDatapoint } from '#features/datasets/shared/contract/datasets.ts';
import type { MarksRequest } from '#features/datasets/shared/contract/rows.ts';
import { toChatRow } from '#core/rows/readRow.ts';
import { toActivityRoutes } from '#features/access/server/routes/activityRoutes.ts';
import { toDataRoutes } from '#features/datasets/server/routes/dataRoutes.ts';
import { toEvaluationRoutes } from '#features/evaluation/server/evaluationRoutes.ts';
import { toLocalRoutes } from '#app/server/localRoutes.ts';
import type { Database } from '#service/database/database.ts';
import { HttpProblem } from '#service/http/httpProblem.ts';
import { toLibraryRoutes } from '#features/playground/server/libraryRoutes.ts';
import { toServingRoutes } from '#features/serving/server/servingRoutes.ts';
import { openTestService, type Answer } from '#service/http/testService.fixture.ts';
import { toModelRoutes } from '#features/training/server/routes/modelRoutes.ts';
import { toTrainingRoutes } from '#features/training/server/routes/trainingRoutes.ts';
import { toWorkerRoutes } from '#features/training/server/routes/workerRoutes.ts';
import { toTraceRoutes } from '#features/traces/server/traceRoutes.ts';
import type { Transfer } from '#features/project-files/server/transfer.ts';
import { toTransferRoutes } from '#features/project-files/server/routes/transferRoutes.ts';
import { keep } from '#service/files/keep.fixture.ts';

/** What is behind the parsers: whatever is asked of it, a request has been taken. */
const TAKEN = 418;
const taken = (): Promise<never> => Promise.reject(new HttpProblem(TAKEN, 'Taken.'));
const behind = <Deps extends object>(own: Partial<Deps> = {}): Deps =>
  new Proxy(own, {
    get: (_target, name) => (name === 'then' ? undefined : (Reflect.get(own, name) ?? taken)),
  }) as Deps;

/** Throws for what is no row: the last parser of rows is in the room of data. */
function checkRow(row: unknown): void {
  const read = toChatRow({ number: 1, text: JSON.stringify(row) }, 'chat');
  if (!read.ok) throw new HttpProblem(400, read.problem.message);
}
const data = behind<Parameters<typeof toDataRoutes>[0]>({
  addDatapoint(_id, { messages, tools }: NewDatapoint) {
    checkRow(tools ? { messages, tools } : { messages });
    return taken();
  },
  changeMarks(_id, request: MarksRequest) {
    if (request.change === 'edit' && request.row !== null) checkRow(request.row);
    if (request.change === 'restore') for (const { edited } of request.rows) if (edited !== null) checkRow(edited);
    return taken();
  },
});

interface Param {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: object;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly Param[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}
interface Sent {
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const document = toOpenApi('1.2.3');
const toValues = openDocumentValues(document);
const operations = Object.entries(document['paths'] as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

const service = await keep(
  openTestService({
    routes: (streams) => [
      ...toTrainingRoutes(behind({ training: behind(), studio: behind() })),
      ...toWorkerRoutes(behind()),
      ...toModelRoutes({ engine: behind(), residence: behind() }),
      ...toDataRoutes(data),
      ...toTransferRoutes(
        behind<Transfer>({
          startImport() {
            throw new HttpProblem(TAKEN, 'Taken.');
          },
          startPreview() {
            throw new HttpProblem(TAKEN, 'Taken.');
          },
        }),
      ),
      ...toLocalRoutes({
        studio: behind(),
        engine: behind(),
        runs: behind(),
        streams,
        now: () => 0,
        random: () => 'random',
        report: () => undefined,
      }),
      ...toActivityRoutes(behind()),
      ...toTraceRoutes(behind()),
      ...toEvaluationRoutes({
        database: behind<Database>({ checkRoom: () => undefined }),
        evaluations: behind(),
        runs: behind(),
      }),
      ...toLibraryRoutes({ database: behind(), now: () => new Date(0) }),
      ...toServingRoutes({ serving: behind(), findCheckpoint: taken }),
    ],
  }),
);

/** Names of tools that differ, and a choice of one of them: JSON Schema has no words for either. */
function withToolsOfTheirOwn(body: unknown): unknown {
  if (!isObject(body) || !Array.isArray(body['tools'])) return body;
  const tools = body['tools'].map((tool: JsonObject, at) => ({
    ...tool,
    function: { ...Object(tool['function']), name: `tool-${at}` },
  }));
  const choice = body['tool_choice'];
  const tool_choice = isObject(choice) ? { ...choice, function: { name: 'tool-0' } } : choice;
  return { ...body, tools, ...(choice === undefined ? {} : { tool_choice }) };
}

function toRequests({ operationId, parameters = [], requestBody }: Operation): fc.Arbitrary<Sent> {
  const asText = (value: unknown): string => String(value);
  const params = fc.record(
    Object.fromEntries(parameters.map(({ name, schema }) => [name, toValues(schema).map(asText)])),
    { requiredKeys: parameters.filter(({ required }) => required === true).map(({ name }) => name) },
  );
  const [content] = Object.values(requestBody?.content ?? {});
  const body = content === undefined ? fc.constant(undefined) : toValues(content.schema);
  return fc.record({
    params,
    body: operationId === 'createChatCompletion' ? body.map(withToolsOfTheirOwn) : body,
  });
}

/** JSON as many libraries write it: every character that is not in ASCII is an escape. */
const toJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Fields of forms that come several times. */
const LISTS = new Set(['rules', 'example_questions', 'example_answers', 'youtube_urls', 'website_urls']);

async function toForm(body: unknown): Promise<{ readonly type: string; readonly bytes: Buffer }> {
  const form = new FormData();
  for (const [name, value] of Object.entries(Object(body) as JsonObject)) {
    if (name === 'file' || name.endsWith('_file')) form.append(name, new Blob([String(value)]), 'rows.jsonl');
    else if (name === 'files')
      for (const each of [value].flat()) form.append('files[]', new Blob([String(each)]), 'text.jsonl');
    else if (LISTS.has(name)) for (const each of [value].flat()) form.append(`${name}[]`, String(each));
    else form.append(name, typeof value === 'string' ? value : toJson(value));
  }
  const response = new Response(form);
  return { type: response.headers.get('Content-Type') ?? '', bytes: Buffer.from(await response.arrayBuffer()) };
}

async function send(path: string, method: string, operation: Operation, { params, body }: Sent): Promise<Answer> {
  const of = (place: string): [string, string][] =>
    (operation.parameters ?? []).flatMap(({ name, in: where }) => {
      const value = params[name];
      return where === place && value !== undefined ? [[name, value]] : [];
    });
  const filled = of('path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(of('query')).toString();
  const [type = null] = Object.keys(operation.requestBody?.content ?? {});
  const form = type === 'multipart/form-data' ? await toForm(body) : null;
  const text = type === 'application/json' ? toJson(body) : 'bytes';
  return service.askSigned(query === '' ? filled : `${filled}?${query}`, {
    method: method.toUpperCase(),
    headers: { ...Object.fromEntries(of('header')), ...(type === null ? {} : { 'Content-Type': form?.type ?? type }) },
    ...(type === null ? {} : { body: form?.bytes ?? text }),
  });
}

/** What the document says in words alone, of fields that go together. */
const IN_WORDS: Readonly<Record<string, RegExp>> = {
  '/api/v1/completions': /max_tokens must be at least 1, because without echo/,
  '/api/v1/public/datasets/create-synthetic': /Each of example_answers needs its question/,
  '/api/v1/responses': /"param":"(?:input|tools|tool_choice|text)/,
};

describe('a request that the document allows is taken', () => {
  it.each(operations)('$method $path', async ({ path, method, operation }) => {
    // A request without a body has few forms, and one without parameters has a single one.
    const { parameters = [], requestBody } = operation;
    const numRuns = requestBody ? 50 : parameters.length > 0 ? 15 : 1;
    await fc.assert(
      fc.asyncProperty(toRequests(operation), async (sent) => {
        const { status, text } = await send(path, method, operation, sent);
        // What was not found was looked for, and a wrong token was read.
        const isSaid = status === 400 && IN_WORDS[path]?.test(text) === true;
        const isTaken = status < 400 || [TAKEN, 401, 404, 429, 501].includes(status) || isSaid;
        expect(isTaken && !text.includes('no such endpoint'), `${status} ${text.slice(0, 300)}`).toBe(true);
      }),
      { numRuns },
    );
  });
});
