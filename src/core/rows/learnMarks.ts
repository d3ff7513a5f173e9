// Marks by which a file says which answers are learnt. The normal form has one of each: `weight: 0` forbids a whole answer,
// `train_detail` parts of it.
import type { JsonPath } from '#core/contract/jsonPlaces.ts';
import { isObject, type JsonObject } from '#core/contract/readJson.ts';
import { failPart, type Part, type RowMessage, type RowNotes, type TrainDetail } from './chatRow.ts';

/**
 * Marks of a whole message: `weight` of OpenAI, Mistral and Together; `train` and `training` of Axolotl; `loss` and
 * `loss_scale` of ms-swift.
 */
const MARKS = ['weight', 'train', 'training', 'loss', 'loss_scale'] as const;

/** The fields of a message that are read here. */
export const MARK_FIELDS: readonly string[] = [...MARKS, 'train_detail', 'marks_disagree'];

export type LearnMarks = Pick<RowMessage, 'weight' | 'train_detail' | 'marks_disagree'>;

function readMark(value: unknown, name: string, path: JsonPath): Part<boolean> {
  if (typeof value === 'boolean') return { ok: true, value };
  if (value === 0 || value === 1) return { ok: true, value: value === 1 };
  const shown =
    typeof value === 'number' ? String(value) : typeof value === 'string' ? JSON.stringify(value) : 'no number';
  return failPart(
    [...path, name],
    typeof value === 'number'
      ? `The "${name}" of a message is ${shown}. An answer is learnt whole or not at all: write 1 or 0.`
      : `The "${name}" of a message is ${shown.slice(0, 40)}; it must be 1, 0, true or false.`,
  );
}

const isPlace = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** Axolotl's list of parts. Places count characters (code points) from 0, and `end_offset` is the last one of the part. */
function readDetail(value: unknown, path: JsonPath, notes: RowNotes): Part<TrainDetail[]> {
  const reason = 'A "train_detail" must be a list of {"begin_offset", "end_offset", "train"}.';
  if (!Array.isArray(value)) return failPart(path, reason);
  const parts: TrainDetail[] = [];
  for (const [at, part] of (value as readonly unknown[]).entries()) {
    if (!isObject(part)) return failPart([...path, at], reason);
    const { begin_offset, end_offset, train } = part;
    if (!isPlace(begin_offset) || !isPlace(end_offset) || typeof train !== 'boolean')
      return failPart([...path, at], reason);
    if (Object.keys(part).length > 3) notes.isSame = false;
    parts.push({ begin_offset, end_offset, train });
  }
  return { ok: true, value: parts };
}

/**
 * Reads the marks of a message. Of marks that disagree the one that forbids counts. Only answers are learnt: a mark that
 * asks for another message is left out.
 */
export function readMarks(value: JsonObject, isAnswer: boolean, path: JsonPath, notes: RowNotes): Part<LearnMarks> {
  let isAllowed = false;
  let isRefused = false;
  for (const name of MARKS) {
    const given = value[name];
    if (given === undefined || given === null) continue;
    const mark = readMark(given, name, path);
    if (!mark.ok) return mark;
    if (mark.value && !isAnswer) notes.leaveOut(`messages[].${name}`);
    // Only the normal form's own way to say it is the same.
    if (mark.value || !isAnswer || name !== 'weight' || given !== 0) notes.isSame = false;
    if (mark.value) isAllowed = true;
    else isRefused = true;
  }
  const detail = value['train_detail'];
  const hasDetail = detail !== undefined && detail !== null;
  if (!isAnswer) {
    if (hasDetail) notes.leaveOut('messages[].train_detail');
    return { ok: true, value: {} };
  }
  const parts = hasDetail ? readDetail(detail, [...path, 'train_detail'], notes) : ({ ok: true, value: [] } as const);
  if (!parts.ok) return parts;
  if (hasDetail && parts.value.length === 0) {
    notes.isSame = false;
    // Axolotl learns nothing by an empty list, unless another mark says so.
    if (!isAllowed) isRefused = true;
  }
  const isSaid = value['marks_disagree'] === true && isRefused;
  if (isRefused && (isAllowed || hasDetail)) notes.isSame = false;
  return {
    ok: true,
    value: {
      ...(isRefused && { weight: 0 }),
      ...(!isRefused && parts.value.length > 0 && { train_detail: parts.value }),
      ...(isRefused && (isAllowed || isSaid) && { marks_disagree: true }),
    },
  };
}

/** Whether a trainer learns anything of a message. */
export const isLearnt = ({ role, weight }: Pick<RowMessage, 'role' | 'weight'>): boolean =>
  role === 'assistant' && weight !== 0;

/** Stretches of a text in UTF-16 units, `to` not included. */
export interface TextSpan {
  readonly from: number;
  readonly to: number;
}

/** The parts of a text that are in no part with `train`, or in one without. In order. */
function findParts(text: string, details: readonly TrainDetail[]): readonly TextSpan[] {
  const forbidden: { from: number; to: number }[] = [];
  let [place, at] = [0, 0];
  for (const character of text) {
    const inside = details.filter(({ begin_offset, end_offset }) => begin_offset <= place && place <= end_offset);
    const isAllowed = inside.length > 0 && inside.every(({ train }) => train);
    const last = forbidden.at(-1);
    if (!isAllowed && last?.to === at) last.to = at + character.length;
    else if (!isAllowed) forbidden.push({ from: at, to: at + character.length });
    place += 1;
    at += character.length;
  }
  return forbidden;
}

/**
 * What `train_detail` forbids of an answer as a template shows it: `shown` is its text from where the model begins, up to its
 * end mark. Thoughts before its text are in no part, and the end mark is learnt.
 */
export function findForbidden(shown: string, { content, train_detail: details }: RowMessage): readonly TextSpan[] {
  if (!details || !content) return [];
  // Templates trim texts.
  const written = content.trim();
  const before = shown.indexOf(written);
  const trimmed = content.indexOf(written);
  const toPlace = (at: number): number => before + Math.min(Math.max(at - trimmed, 0), written.length);
  const inText = findParts(content, details).map(({ from, to }) => ({ from: toPlace(from), to: toPlace(to) }));
  return [{ from: 0, to: before }, ...inText].filter(({ from, to }) => to > from);
}

/** Whether a token, from `from` to `to` of the text, has a forbidden character. One of half a character is empty. */
export const isForbidden = (forbidden: readonly TextSpan[], from: number, to: number): boolean =>
  forbidden.some((span) => from < span.to && Math.max(to, from + 1) > span.from);
