// Makes an evaluation of traces: each is a row with what was asked.
import { isObject } from '#core/contract/readJson.ts';
import { GOOD_SCORE } from '#features/traces/shared/traceLimits.ts';
import type { Trace } from '#features/traces/shared/traces.ts';
import type { AnyEndpoint, Body } from '#core/contract/endpoint.ts';
import { ask, send } from '#ui/client/call.ts';
import { isMissing } from '#ui/client/failure.ts';
import { SAME_ORIGIN, type Connection } from '#ui/client/request.ts';
import { BAND_OPTIONS, type TraceFilter } from './traceFilter.ts';

/** Rows of an evaluation of traces: each trace is read by itself. */
export const MAX_TRACES = 500;
const AT_ONCE = 8;
/** Bytes of the rows as JSON: the body of a request may have 32 MiB. */
const MAX_BYTES = 30 * 1024 * 1024;

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

interface Options {
  readonly signal: AbortSignal;
  readonly connection: Connection;
}

/** Traces that are no rows. */
interface LeftOut {
  /** They were deleted meanwhile. */
  readonly missing: number;
  /** They come after what one request may have. */
  readonly large: number;
}

interface MadeEvaluation {
  readonly id: string;
  readonly left: LeftOut;
}

/** How many traces were left out and why; null: none. */
export function toLeftWords({ missing, large }: LeftOut): string | null {
  const parts = [
    ...(missing > 0 ? [`${missing} deleted meanwhile`] : []),
    ...(large > 0 ? [`${large} beyond the ${MAX_BYTES / 1024 ** 2} MiB that fit`] : []),
  ];
  return parts.length === 0 ? null : `Traces left out of the evaluation: ${parts.join(', ')}.`;
}

/** One trace as a row; null: it is gone. */
async function readRow(trace: Trace, options: Options): Promise<Row | null> {
  try {
    const { messages } = await ask('/api/v1/traces/{traceId}', [trace.id], 'output', options);
    return toTraceRow({ ...trace, messages });
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** The first ones of a list, as it is filtered and ordered. Throws ApiFailure. */
async function readTraces(
  projectId: string,
  { sort, band, model, search }: TraceFilter,
  options: Options,
): Promise<readonly Trace[]> {
  const [sortBy = 'createdAt', sortOrder = 'desc'] = sort.split('-');
  const traces: Trace[] = [];
  for (let after: string | null = null; ;) {
    const query = { projectId, sortBy, sortOrder, band, modelIds: model, search, after };
    const page: { readonly results: readonly Trace[]; readonly next: string | null } = await ask(
      '/api/v1/traces',
      [],
      'results',
      { query, ...options },
    );
    traces.push(...page.results);
    after = page.next;
    if (after === null || traces.length >= MAX_TRACES) return traces.slice(0, MAX_TRACES);
  }
}

interface MakeOptions {
  readonly onRead: (count: number, total: number) => void;
  readonly signal: AbortSignal;
  readonly connection?: Connection;
  readonly mostBytes?: number;
}

/** `onRead`: how many of how many have been read. Throws ApiFailure, and Error without traces. */
export async function makeTraceEvaluation(
  projectId: string,
  name: string,
  filter: TraceFilter,
  { onRead, signal, connection = SAME_ORIGIN, mostBytes = MAX_BYTES }: MakeOptions,
): Promise<MadeEvaluation> {
  const options = { signal, connection };
  const traces = await readTraces(projectId, filter, options);
  if (traces.length === 0) throw new Error('No trace is like that. Choose other filters.');
  const rows: Row[] = [];
  const encoder = new TextEncoder();
  let bytes = 0;
  let missing = 0;
  for (let at = 0; at < traces.length && bytes <= mostBytes; at += AT_ONCE) {
    const part = traces.slice(at, at + AT_ONCE);
    for (const row of await Promise.all(part.map((trace) => readRow(trace, options)))) {
      if (row === null) missing += 1;
      else {
        bytes += encoder.encode(JSON.stringify(row)).length + 1;
        if (bytes <= mostBytes) rows.push(row);
      }
    }
    onRead(at + part.length, traces.length);
  }
  const left = { missing, large: traces.length - rows.length - missing };
  if (rows.length === 0) throw new Error(`${toLeftWords(left) ?? ''} So there are no rows. Choose other filters.`);
  const words = toFilterWords(filter);
  const source = {
    kind: 'traces' as const,
    ...(words !== '' && { name: words.replaceAll(/\s+/g, ' ').slice(0, 200) }),
  };
  const body = { project_id: projectId, name, source, rows };
  const { id } = await send('POST', '/api/v1/studio/evaluations', [], { body, field: 'id', ...options });
  return { id, left };
}
