// The thread of an analysis: rows are parsed, counted and compared here, so that the service goes on answering.
import { parentPort } from 'node:worker_threads';
import type { ChatRow } from '#shared/data/chatRow.ts';
import { toQuestionHash } from '#shared/data/contentHash.ts';
import { openFindings, type Findings } from '#shared/data/findings/findings.ts';
import { toBars, toQuantile } from '#shared/data/lengths.ts';
import { openStatistics } from '#shared/data/statistics.ts';
import type { AnalysedRow, CountedRows, FromAnalysis, ToAnalysis } from './analysisMessages.ts';

/** Of the histogram of lengths. */
const BARS = 24;

const statistics = openStatistics();
/** Opened with the first rows. */
let opened: Findings | null = null;
const messageCounts = new Map<number, number>();

function addRow(findings: Findings, { position, text, hash, side, tokens }: AnalysedRow): void {
  const row = JSON.parse(text) as ChatRow;
  statistics.add(row);
  messageCounts.set(row.messages.length, (messageCounts.get(row.messages.length) ?? 0) + 1);
  findings.add({ id: position, row, hash, question: toQuestionHash(row), side, tokens });
}

function toCounted(): CountedRows {
  const { rows, characters, roles, tools, scripts } = statistics.toStatistics();
  return {
    rows,
    characters: {
      min: characters.min,
      median: Math.round(toQuantile(characters, 0.5)),
      max: characters.max,
      total: characters.sum,
      bins: toBars(characters, BARS).map(({ from, to, rows: count }) => ({
        from: Math.floor(from),
        to: Math.ceil(to),
        count,
      })),
    },
    messages: [...messageCounts].sort(([a], [b]) => a - b).map(([name, count]) => ({ name: String(name), count })),
    roles: roles.map(({ role, messages }) => ({ name: role, count: messages })),
    tools: tools.map(({ name, declared }) => ({ name, count: declared })),
    languages: scripts.map(({ script, rows: count }) => ({ name: script ?? 'unknown', count })),
  };
}

const send = (message: FromAnalysis): void => parentPort?.postMessage(message, []);

parentPort?.on('message', (message: ToAnalysis) => {
  if (message.kind === 'rows') {
    opened ??= openFindings({ context: message.context });
    for (const row of message.rows) addRow(opened, row);
    return send({ kind: 'taken' });
  }
  const findings = opened ?? openFindings({ context: null });
  for (const share of findings.finish()) send({ kind: 'progress', share });
  const found = findings.toFindings();
  // They were found in the order of their positions.
  const rows = new Map(found.map(({ id }) => [id as string, findings.rowsOf(id)]));
  const others = new Map(found.map(({ id }) => [id as string, findings.othersOf(id)]));
  send({ kind: 'end', result: { counted: toCounted(), findings: found, rows, others } });
  return parentPort?.close();
});
