// Reads rows, marks, statistics and findings: missing fields are null or empty, entries without a position are left out.
import { TRAINER_FORMS } from './filteredFile.ts';
import { arrayOr, failRead, isObject, numberOr, textOr, type JsonObject, type Read } from '#core/contract/reading.ts';
import { toCount, toPositions, toSide } from './datasetReader.ts';
import {
  FINDING_KINDS,
  type Finding,
  type FindingList,
  type FitList,
  type MarksMade,
  type RowMarks,
  type RowPage,
  type RowSummary,
  type Statistics,
  type WholeRow,
} from './rows.ts';

const toTexts = (value: unknown): string[] => arrayOr(value).filter((entry) => typeof entry === 'string');
const hasPosition = (entry: JsonObject): boolean => Number.isInteger(entry['position']);

function toSummary(entry: JsonObject): RowSummary {
  return {
    position: toCount(entry['position']),
    hash: textOr(entry['hash'], ''),
    side: toSide(entry['side']),
    messages: toCount(entry['messages']),
    tools: toCount(entry['tools']),
    characters: toCount(entry['characters']),
    tokens: numberOr(entry['tokens'], null),
    question: textOr(entry['question'], ''),
    answer: textOr(entry['answer'], ''),
    is_set_aside: entry['is_set_aside'] === true,
    tags: toTexts(entry['tags']),
    is_edited: entry['is_edited'] === true,
    other: numberOr(entry['other'], null),
  };
}

export function readRowPage(body: unknown): Read<RowPage> {
  if (!isObject(body) || !Array.isArray(body['rows'])) return failRead('it has no rows');
  const rows = body['rows'].filter(isObject).filter(hasPosition).map(toSummary);
  return {
    ok: true,
    value: {
      total: numberOr(body['total'], rows.length),
      rows,
      next: numberOr(body['next'], null),
      found: numberOr(body['found'], null),
    },
  };
}

function toRowFinding(entry: JsonObject): WholeRow['findings'][number] {
  return { kind: textOr(entry['kind'], ''), about: textOr(entry['about'], ''), others: toPositions(entry['others']) };
}

export function readWholeRow(body: unknown): Read<WholeRow> {
  if (!isObject(body) || !isObject(body['row'])) return failRead('it has no row');
  const { before } = body;
  return {
    ok: true,
    value: {
      position: toCount(body['position']),
      hash: textOr(body['hash'], ''),
      side: toSide(body['side']),
      row: body['row'],
      original: textOr(body['original'], null),
      before: isObject(before) ? before : null,
      is_set_aside: body['is_set_aside'] === true,
      tags: toTexts(body['tags']),
      findings: arrayOr(body['findings']).filter(isObject).map(toRowFinding),
    },
  };
}

const toMarks = (entry: JsonObject): Pick<RowMarks, 'is_set_aside' | 'tags'> => ({
  is_set_aside: entry['is_set_aside'] === true,
  tags: toTexts(entry['tags']),
});

function toRowMarks(entry: JsonObject): RowMarks {
  const { edited, after } = entry;
  return {
    position: toCount(entry['position']),
    ...toMarks(entry),
    edited: isObject(edited) ? edited : null,
    ...(isObject(after) && { after: { ...toMarks(after), edited_hash: textOr(after['edited_hash'], null) } }),
  };
}

/** Fails where the answer does not say how to undo the change: the page must not offer it then. */
export function readMarksMade(body: unknown): Read<MarksMade> {
  const undo = isObject(body) ? body['undo'] : null;
  if (!isObject(body) || !isObject(undo) || !Array.isArray(undo['rows'])) return failRead('it has no "undo"');
  const rows = undo['rows'].filter(isObject).filter(hasPosition).map(toRowMarks);
  return {
    ok: true,
    value: { changed: toCount(body['changed']), kept: toCount(body['kept']), undo: { change: 'restore', rows } },
  };
}

type Work = Pick<FindingList, 'state' | 'progress' | 'error' | 'is_old'>;

function toWork(body: JsonObject): Work {
  const { state } = body;
  return {
    state: state === 'running' || state === 'failed' ? state : 'done',
    progress: Math.min(1, Math.max(0, numberOr(body['progress'], 0))),
    error: textOr(body['error'], null),
    is_old: body['is_old'] === true,
  };
}

const toNamed = (value: unknown): { name: string; count: number }[] =>
  arrayOr(value)
    .filter(isObject)
    .map(({ name, count }) => ({ name: textOr(name, ''), count: toCount(count) }));

function toLengths({ min, median, max, total, bins }: JsonObject): Statistics['characters'] {
  const toBin = (bin: JsonObject) => ({
    from: toCount(bin['from']),
    to: toCount(bin['to']),
    count: toCount(bin['count']),
  });
  return {
    min: toCount(min),
    median: toCount(median),
    max: toCount(max),
    total: toCount(total),
    bins: arrayOr(bins).filter(isObject).map(toBin),
  };
}

function toTokens(body: JsonObject): NonNullable<Statistics['tokens']> {
  return {
    model: textOr(body['model'], ''),
    context: numberOr(body['context'], null),
    rows: toCount(body['rows']),
    ...toLengths(body),
    trained: toCount(body['trained']),
    cut_rows: toCount(body['cut_rows']),
    cut_tokens: toCount(body['cut_tokens']),
    untrained_rows: toCount(body['untrained_rows']),
    error: textOr(body['error'], null),
  };
}

export function readStatistics(body: unknown): Read<Statistics> {
  if (!isObject(body) || !isObject(body['characters'])) return failRead('it has no characters');
  const { characters, tokens } = body;
  return {
    ok: true,
    value: {
      ...toWork(body),
      rows: toCount(body['rows']),
      characters: toLengths(characters),
      tokens: isObject(tokens) ? toTokens(tokens) : null,
      messages: toNamed(body['messages']),
      roles: toNamed(body['roles']),
      tools: toNamed(body['tools']),
      languages: toNamed(body['languages']),
      tags: toNamed(body['tags']),
      set_aside_count: toCount(body['set_aside_count']),
      edited_count: toCount(body['edited_count']),
    },
  };
}

function toFinding(entry: JsonObject): Finding | null {
  const kind = FINDING_KINDS.find((each) => each === entry['kind']);
  if (kind === undefined) return null;
  const groups = arrayOr(entry['groups']).map(toPositions);
  return {
    kind,
    about: textOr(entry['about'], ''),
    count: toCount(entry['count']),
    groups,
    group_count: numberOr(entry['group_count'], groups.length),
    removable: toPositions(entry['removable']),
  };
}

/** Trainers and services that this dashboard doesn't know are left out: it has no form for them. */
export function readFits(body: unknown): Read<FitList> {
  if (!isObject(body) || !Array.isArray(body['fits'])) return failRead('it has no fits');
  const fits = body['fits'].filter(isObject).flatMap((entry) => {
    const form = TRAINER_FORMS.find((each) => each === entry['form']);
    const { first } = entry;
    if (form === undefined) return [];
    return {
      form,
      name: textOr(entry['name'], form),
      misfits: toCount(entry['misfits']),
      first: isObject(first) ? { position: toCount(first['position']), reason: textOr(first['reason'], '') } : null,
    };
  });
  return { ok: true, value: { rows: toCount(body['rows']), fits } };
}

/** Kinds that this dashboard doesn't know are left out: it has no filter for them. */
export function readFindings(body: unknown): Read<FindingList> {
  if (!isObject(body) || !Array.isArray(body['findings'])) return failRead('it has no findings');
  const findings = body['findings'].filter(isObject).map(toFinding);
  return { ok: true, value: { ...toWork(body), findings: findings.filter((finding) => finding !== null) } };
}
