// What the check of rows finds of planted faults, and what it takes for one: precision and recall of each kind, which
// messyRowsKinds.ts explains. The rows are the same each time; SEED draws others. MISSES=1 says what was
// missed, and what was found wrongly.
import { isObject } from '#core/contract/readJson.ts';
import { toChatRow, type RowRead } from '#core/rows/readRow.ts';
import { findForm } from '#core/rows/rowForms.ts';
import { toContentHash, toQuestionHash } from '#features/datasets/shared/contentHash.ts';
import { FINDING_IDS, type FindingId } from '#features/datasets/shared/findings/findingKinds.ts';
import { openFindings } from '#features/datasets/shared/findings/findings.ts';
import { openLanguages } from '#features/datasets/shared/findings/languages.ts';
import { PLANTED_KINDS, type PlantedKind } from './messyRowsKinds.ts';
import { makeMessyRows, PARTS, type MessyRow } from './messyRowsMake.ts';

const SEED = Number(process.env['SEED'] ?? 20_261_128);
/** A row of the file, by its place. */
interface ReadRow extends MessyRow {
  readonly id: number;
  /** In the form that the row has. */
  readonly read: Extract<RowRead, { readonly ok: true }>;
  /** It was not read as a chat, as the others are. */
  readonly isOther: boolean;
}

function readRow(row: MessyRow, id: number): ReadRow {
  const line = { number: id + 1, text: row.line };
  const asChat = toChatRow(line, 'chat');
  const value: unknown = JSON.parse(row.line);
  const form = isObject(value) ? findForm(value) : null;
  const read = asChat.ok || form === null ? asChat : toChatRow(line, form);
  if (!read.ok) throw new Error(`Row ${id + 1} can't be read: ${read.problem.message}`);
  return { ...row, id, read, isOther: !asChat.ok };
}

type FoundIds = ReadonlyMap<FindingId, ReadonlySet<number>>;

/** What the product finds when these rows are one dataset. */
function findFaults(rows: readonly ReadRow[]): FoundIds {
  const findings = openFindings({ context: null });
  for (const { id, read } of rows) {
    const { row, text } = read;
    findings.add({ id, row, hash: toContentHash(text), question: toQuestionHash(row), side: null, tokens: null });
  }
  for (const _share of findings.finish());
  return new Map(FINDING_IDS.map((id) => [id, new Set(findings.rowsOf(id))]));
}

/** What is found when each part is a dataset of its own, as tasks usually are. */
function findByPart(rows: readonly ReadRow[]): FoundIds {
  const found = new Map(FINDING_IDS.map((id) => [id, new Set<number>()]));
  for (const part of PARTS)
    for (const [id, places] of findFaults(rows.filter((row) => row.part === part)))
      for (const place of places) found.get(id)?.add(place);
  return found;
}

const isFindingId = (kind: string): kind is FindingId => (FINDING_IDS as readonly string[]).includes(kind);

const toShare = (count: number, total: number): string => (total === 0 ? '-' : (count / total).toFixed(3));

/** "GitLab 2, npm 1" */
function toCounts(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (
    [...counts]
      .sort(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'nothing'
  );
}

/** What was planted of a kind in a row, in words; `isDecoy`: what looks like it. */
const toWhat = ({ plants }: MessyRow, kind: PlantedKind, isDecoy: boolean): string | undefined =>
  plants.find((plant) => plant.kind === kind && plant.isDecoy === isDecoy)?.what;

function toRates(rows: readonly MessyRow[], kind: PlantedKind, found: ReadonlySet<number>): string {
  const planted = rows.flatMap((row, id) => (toWhat(row, kind, false) === undefined ? [] : [id]));
  const right = planted.filter((id) => found.has(id)).length;
  return `found ${found.size}, precision ${toShare(right, found.size)}, recall ${toShare(right, planted.length)}`;
}

function toMisses(rows: readonly MessyRow[], kind: PlantedKind, found: ReadonlySet<number>): string {
  const missed = rows.flatMap((row, id) => (found.has(id) ? [] : (toWhat(row, kind, false) ?? [])));
  const wrong = rows.flatMap((row, id) =>
    found.has(id) && toWhat(row, kind, false) === undefined
      ? (toWhat(row, kind, true) ?? `no decoy (${row.part})`)
      : [],
  );
  return `    missed: ${toCounts(missed)}\n    wrongly found: ${toCounts(wrong)}\n`;
}

/** The finding that names most of the rows with a fault which has no check of its own. */
function toNearest(rows: readonly MessyRow[], kind: PlantedKind, found: FoundIds): string {
  const planted = rows.flatMap((row, id) => (toWhat(row, kind, false) === undefined ? [] : [id]));
  const counts = FINDING_IDS.map((id) => [id, planted.filter((row) => found.get(id)?.has(row)).length] as const);
  const [best, count] = counts.reduce((most, next) => (next[1] > most[1] ? next : most));
  return count === 0 ? 'not checked' : `not checked (of these ${best} names ${count})`;
}

/** Of the rows whose language is known, in how many it is found. */
function toLanguageRate(rows: readonly ReadRow[]): string {
  const { toLanguage } = openLanguages();
  const known = rows.filter(({ language }) => language !== null);
  const wrong = known.flatMap(({ language, read }) => {
    const asked = read.row.messages.flatMap(({ role, content }) => (role === 'user' ? [content ?? ''] : []));
    const found = toLanguage(asked.join('\n'));
    return found === language ? [] : [`${language} as ${found ?? 'none'}`];
  });
  return `right in ${known.length - wrong.length} of ${known.length} rows (wrong: ${toCounts(wrong)})`;
}

export async function measureMessyRows(): Promise<void> {
  const from = performance.now();
  const made = makeMessyRows(SEED);
  const taken = performance.now() - from;
  const rows = made.map(readRow);
  const byPart = findByPart(rows);
  const inOneFile = findFaults(rows);
  process.stdout.write(`  ${rows.length} rows, made in ${taken.toFixed(0)} ms\n`);
  for (const kind of PLANTED_KINDS) {
    const planted = made.filter((row) => toWhat(row, kind, false) !== undefined).length;
    const decoys = made.filter((row) => toWhat(row, kind, true) !== undefined).length;
    const found =
      kind === 'other-form'
        ? new Set(rows.filter(({ isOther }) => isOther).map(({ id }) => id))
        : isFindingId(kind)
          ? byPart.get(kind)
          : undefined;
    const rates = found ? toRates(made, kind, found) : toNearest(made, kind, byPart);
    const all = isFindingId(kind) ? toRates(made, kind, inOneFile.get(kind) ?? new Set()) : rates;
    const note = all === rates ? '' : `; parts in one file: ${all}`;
    process.stdout.write(`  ${kind}: planted ${planted}, decoys ${decoys}, ${rates}${note}\n`);
    if (found && process.env['MISSES']) process.stdout.write(toMisses(made, kind, found));
  }
  process.stdout.write(`  language of what people wrote: ${toLanguageRate(rows)}\n`);
}
