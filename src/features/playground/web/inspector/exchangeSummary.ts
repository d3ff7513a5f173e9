// Summarizes a recorded request and its answer as labelled texts. Pure. Unknown values are called unknown.
import { isObject, parseJson, textOr } from '#core/contract/readJson.ts';
import { formatCount, formatDuration } from '#ui/kit/format.ts';
import type { Answer } from '#features/playground/web/desk/desk.ts';
import type { Exchange } from '#features/playground/web/storage/exchange.ts';
import { toStats } from './stats.ts';

export interface SummaryRow {
  readonly label: string;
  readonly value: string;
}

const UNKNOWN = 'unknown: the service did not say';

const toDuration = (ms: number | null): string =>
  ms === null ? 'unknown' : ms < 1000 ? `${ms.toFixed(1)} ms` : formatDuration(ms);

function requestedModel({ requestBody }: Exchange): string {
  const body = parseJson(requestBody);
  return isObject(body) ? textOr(body['model'], '') : '';
}

const PHASES: Readonly<Record<Answer['phase'], string>> = {
  queued: 'waits for a free connection',
  sending: 'waits for the first token',
  streaming: 'is being written',
  done: 'complete',
  stopped: 'stopped by you',
  failed: 'failed',
  interrupted: 'interrupted',
};

/** The rows of the summary: facts of the answer, and of its record if there is one. */
export function toSummary(answer: Answer, exchange: Exchange | null, events: number): readonly SummaryRow[] {
  const { message, failure, timing, seed } = answer;
  const stats = toStats(answer, formatCount);
  const rows: (SummaryRow | null)[] = [
    { label: 'State', value: [PHASES[answer.phase], failure?.message].filter(Boolean).join(': ') },
    {
      label: 'Requested model',
      value: (exchange && requestedModel(exchange)) || answer.model || 'none: a person wrote this',
    },
    { label: 'Model in the answer', value: message.model ?? UNKNOWN },
    { label: 'System fingerprint', value: message.fingerprint ?? UNKNOWN },
    { label: 'Answer id', value: message.id ?? UNKNOWN },
    { label: 'Seed', value: seed === null ? 'none was sent' : String(seed) },
    { label: 'Finish reason', value: message.finish_reason ?? UNKNOWN },
    { label: 'Tokens', value: stats.usage ?? 'unknown' },
    {
      label: 'Tokens per second',
      value:
        stats.tokensPerSecond === null
          ? 'unknown, or too short to measure'
          : formatCount(Number(stats.tokensPerSecond.toPrecision(3))),
    },
    { label: 'Time to first token', value: toDuration(timing.firstMs) },
    { label: 'Total time', value: toDuration(timing.endMs) },
    exchange && {
      label: 'Sent',
      value:
        new Date(exchange.sentAt).toISOString() +
        (exchange.attempt > 1 ? ` (request ${exchange.attempt}: the service had asked to try again later)` : ''),
    },
    exchange && {
      label: 'Status',
      value:
        exchange.status === null
          ? 'none: no answer came'
          : `${exchange.status}${exchange.headMs === null ? '' : ` after ${toDuration(exchange.headMs)}`}`,
    },
    exchange && {
      label: 'Response',
      value:
        `${formatCount(events)} ${events === 1 ? 'event' : 'events'}, ` +
        `${formatCount(exchange.raw.length + (exchange.cut?.characters ?? 0))} characters`,
    },
    exchange?.cut
      ? {
          label: 'Left out',
          value: `${formatCount(exchange.cut.characters)} characters in the middle: the size of a record is limited`,
        }
      : null,
  ];
  return rows.filter((row) => row !== null);
}

/** The rows as text, one line each. */
export function toSummaryText(rows: readonly SummaryRow[]): string {
  return rows.map(({ label, value }) => `${label}: ${value}\n`).join('');
}

/** `name: value`, one line each. */
export function toHeaderText({ method, path, requestHeaders, status, responseHeaders }: Exchange): string {
  const lines = [
    `${method} ${path}`,
    ...requestHeaders.map(([name, value]) => `${name}: ${value}`),
    '',
    status === null ? 'no answer' : `status ${status}`,
    ...responseHeaders.map(([name, value]) => `${name}: ${value}`),
  ];
  return `${lines.join('\n')}\n`;
}
