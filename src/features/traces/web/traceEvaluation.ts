// Makes an evaluation of traces: each is a row with what was asked.
import { isObject } from '#core/contract/readJson.ts';
import { GOOD_SCORE } from '#features/traces/shared/traceLimits.ts';
import type { Trace } from '#features/traces/shared/traces.ts';
import type { AnyEndpoint, Body } from '#core/contract/endpoint.ts';
import { ask, send } from '#ui/client/call.ts';
import { SAME_ORIGIN } from '#ui/client/request.ts';
import { BAND_OPTIONS, type TraceFilter } from './traceFilter.ts';

const connection = SAME_ORIGIN;
/** Rows of an evaluation of traces: each trace is read by itself. */
export const MAX_TRACES = 500;
const AT_ONCE = 8;

type NewEvaluation = Body<
  Extract<AnyEndpoint, { readonly method: 'POST'; readonly path: '/api/v1/studio/evaluations' }>
>;
type Row = NonNullable<NewEvaluation['rows']>[number];
type Message = NonNullable<Row['messages']>[number];

/** A trace with the conversation before its output; null: it is not known. */
export type AskedTrace = Pick<Trace, 'input' | 'output' | 'modelId' | 'score'> & { readonly messages: unknown };

const isText = (value: unknown): value is Message =>
  isObject(value) &&
  ['system', 'user', 'assistant'].includes(String(value['role'])) &&
  typeof value['content'] === 'string' &&
  value['tool_calls'] === undefined;

/** A good output is the expected answer. Of a conversation with more than texts the input alone is asked. */
export function toTraceRow({ input, output, modelId, score, messages }: AskedTrace): Row {
  const asked = Array.isArray(messages) && messages.every(isText) && messages.at(-1)?.role === 'user' ? messages : null;
  return {
    messages: asked?.map(({ role, content }) => ({ role, content })) ?? [{ role: 'user', content: input }],
    expected: score !== null && score >= GOOD_SCORE ? output : null,
    tags: { model: modelId.slice(0, 100), score: score === null ? 'none' : score >= GOOD_SCORE ? 'good' : 'weak' },
  };
}

/** "weak: below 0.8, of tuned, with “refund”"; empty: all. */
export function toFilterWords({ band, model, search }: TraceFilter): string {
  const parts = [
    ...(band === '' ? [] : [BAND_OPTIONS.find(({ value }) => value === band)?.label ?? band]),
    ...(model === '' ? [] : [`of ${model}`]),
    ...(search === '' ? [] : [`with “${search}”`]),
  ];
  return parts.join(', ');
}

/** The first ones of a list, as it is filtered and ordered. Throws ApiFailure. */
async function readTraces(projectId: string, { sort, band, model, search }: TraceFilter): Promise<readonly Trace[]> {
  const [sortBy = 'createdAt', sortOrder = 'desc'] = sort.split('-');
  const traces: Trace[] = [];
  for (let after: string | null = null; ;) {
    const query = { projectId, sortBy, sortOrder, band, modelIds: model, search, after };
    const page: { readonly results: readonly Trace[]; readonly next: string | null } = await ask(
      '/api/v1/traces',
      [],
      'results',
      { query, connection },
    );
    traces.push(...page.results);
    after = page.next;
    if (after === null || traces.length >= MAX_TRACES) return traces.slice(0, MAX_TRACES);
  }
}

/** `onRead`: how many of how many have been read. Gives the id of the evaluation. Throws ApiFailure, and Error without traces. */
export async function makeTraceEvaluation(
  projectId: string,
  name: string,
  filter: TraceFilter,
  onRead: (count: number, total: number) => void,
): Promise<string> {
  const traces = await readTraces(projectId, filter);
  if (traces.length === 0) throw new Error('No trace is like that. Choose other filters.');
  const rows: Row[] = [];
  for (let at = 0; at < traces.length; at += AT_ONCE) {
    const part = traces.slice(at, at + AT_ONCE).map(async (trace) => {
      const { messages } = await ask('/api/v1/traces/{traceId}', [trace.id], 'output', { connection });
      return toTraceRow({ ...trace, messages });
    });
    rows.push(...(await Promise.all(part)));
    onRead(rows.length, traces.length);
  }
  const words = toFilterWords(filter);
  const source = {
    kind: 'traces' as const,
    ...(words !== '' && { name: words.replaceAll(/\s+/g, ' ').slice(0, 200) }),
  };
  const body = { project_id: projectId, name, source, rows };
  const { id } = await send('POST', '/api/v1/studio/evaluations', [], { body, field: 'id', connection });
  return id;
}
