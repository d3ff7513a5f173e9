// What a base model sees of a row: its text by the chat template, which parts of it are trained, and what a context
// cuts. An answer is trained from the place where the engine would let the model begin, to the mark that ends its turn.
import type { ChatRow, RowMessage } from '#core/rows/chatRow.ts';
import { isComparison } from '#core/rows/preferenceRows.ts';
import { findForbidden, isLearnt, type TextSpan } from '#core/rows/learnMarks.ts';
import { splitAtCuts } from '#core/templates/promptMarks.ts';
import { ANSWER_MARKS, type TemplateMarks, type TemplateText } from '#core/templates/templateText.ts';

export interface ModelPart {
  /** Tokenized one by one: a mark that a message contains is cut between two pieces. */
  readonly pieces: readonly string[];
  readonly isTrained: boolean;
  /** Stretches of the part, from its start, that marks of the row forbid. A token that touches one is not trained. */
  readonly forbidden?: readonly TextSpan[];
  /** The place of the answer among the messages; null for what is not trained. */
  readonly message: number | null;
}

export interface ModelView {
  /** Joined, they are the whole text. Empty if the template refuses the row. */
  readonly parts: readonly ModelPart[];
  /** The places of answers whose text the template leaves out or changes. They are not trained. */
  readonly dropped: readonly number[];
  /** Why nothing of the row would be trained, as a sentence; null if something is. */
  readonly problem: ViewProblem | null;
}

export interface ViewProblem {
  readonly kind: 'refused' | 'no-answer' | 'dropped' | 'masked' | 'comparison';
  readonly message: string;
}

/** Each answer is rendered twice. A row with more answers is shown up to here. */
const MAX_ANSWERS = 200;
/** A template may write so much before the text of an answer, such as an empty block of thoughts. */
const MAX_BEFORE = 400;
const REASON_CHARACTERS = 300;

interface Rendered {
  readonly text: string;
  /** Places where pieces end. */
  readonly cuts: readonly number[];
}

function toRendered(raw: string): Rendered {
  const pieces = splitAtCuts(raw);
  let at = 0;
  return { text: pieces.join(''), cuts: pieces.slice(0, -1).map((piece) => (at += piece.length)) };
}

/** The texts that an answer must show. */
function toWritten({ content, tool_calls: calls = [] }: RowMessage): readonly string[] {
  const [call] = calls;
  return [...(content?.trim() ? [content.trim()] : []), ...(call ? [call.function.name] : [])];
}

/** The place after the mark of the end of a turn, if one follows after white space; else the place itself. */
function afterMark(text: string, at: number, marks: readonly string[]): number {
  const next = at + (/^\s*/.exec(text.slice(at, at + 20))?.[0].length ?? 0);
  const mark = marks.find((one) => text.startsWith(one, next));
  return mark === undefined ? at : next + mark.length;
}

/** The end without white space after the mark that ends the turn: no engine generates beyond the mark. */
function toMarkEnd(text: string, from: number, to: number, marks: readonly string[]): number {
  const trimmed = text.slice(from, to).trimEnd();
  return marks.some((mark) => trimmed.endsWith(mark)) ? from + trimmed.length : to;
}

/** A stretch of the text with an answer. */
interface AnswerSpan extends TextSpan {
  readonly message: number;
  readonly isTrained: boolean;
  /** From the start of the stretch. */
  readonly forbidden: readonly TextSpan[];
}

/** Finds answers in the text of the whole row. */
class AnswerFinder {
  private readonly marks: readonly string[];
  constructor(
    private readonly row: ChatRow,
    private readonly template: TemplateText,
    private readonly text: string,
    { markTexts, eosText }: TemplateMarks,
  ) {
    this.marks = [...markTexts, eosText].filter((mark) => mark.trim() !== '' && !ANSWER_MARKS.has(mark));
  }

  /** The trained span of the answer at `place`; null if its text isn't there. `from`: where the answer before ends. */
  find(place: number, from: number): TextSpan | null {
    const message = this.row.messages[place];
    const start = this.findStart(place);
    if (!message || start === null || start < from) return null;
    const written = toWritten(message);
    const end = this.findEnd(place, start, written);
    if (end === null || end <= start) return null;
    const isWritten = written.every((part) => {
      const at = this.text.indexOf(part, start);
      return at >= 0 && at + part.length <= end;
    });
    return isWritten ? { from: start, to: end } : null;
  }

  /** The row's first messages as text; null if the template refuses them. */
  private render(count: number, opensAnswer: boolean): string | null {
    if (count === this.row.messages.length && !opensAnswer) return this.text;
    try {
      const { messages, tools = [] } = this.row;
      return toRendered(this.template.render(messages.slice(0, count), tools, opensAnswer)).text;
    } catch {
      return null;
    }
  }

  /** Where the model begins: after the prompt that an engine would send. */
  private findStart(place: number): number | null {
    const prompt = this.render(place, true);
    if (prompt === null) return null;
    if (this.text.startsWith(prompt)) return prompt.length;
    // The prompt opens more than the row shows, such as a block of thoughts.
    const before = this.render(place, false) ?? '';
    let common = 0;
    while (common < prompt.length && prompt[common] === this.text[common]) common += 1;
    return common > before.length ? common : null;
  }

  private findEnd(place: number, start: number, written: readonly string[]): number | null {
    const until = this.render(place + 1, false);
    if (until !== null && this.text.startsWith(until)) return toMarkEnd(this.text, start, until.length, this.marks);
    // Templates may write the last answer otherwise than earlier ones.
    const [first] = written;
    const at = first === undefined ? -1 : this.text.indexOf(first, start);
    if (first === undefined || at < 0 || at > start + MAX_BEFORE) return null;
    return afterMark(this.text, at + first.length, this.marks);
  }
}

const COMPARISON =
  'The row is for DPO or KTO, which this view does not show. For supervised training import the file again with the ' +
  'preferred answers alone.';

const toReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_CHARACTERS);

const failView = (kind: ViewProblem['kind'], message: string): ModelView => ({
  parts: [],
  dropped: [],
  problem: { kind, message },
});

function toPieces({ text, cuts }: Rendered, { from, to }: TextSpan): readonly string[] {
  const inside = cuts.filter((cut) => cut > from && cut < to);
  return [from, ...inside].map((start, at) => text.slice(start, inside[at] ?? to));
}

/** An answer of the row that stands at `span` of the text. */
function toAnswerSpan(text: string, span: TextSpan, { messages }: ChatRow, place: number): AnswerSpan {
  const message = messages[place];
  const forbidden = message ? findForbidden(text.slice(span.from, span.to), message) : [];
  return { ...span, message: place, isTrained: message !== undefined && isLearnt(message), forbidden };
}

function toParts(rendered: Rendered, spans: readonly AnswerSpan[]): ModelPart[] {
  const parts: ModelPart[] = [];
  let at = 0;
  const add = (span: TextSpan, answer: AnswerSpan | null): void => {
    if (span.to <= span.from) return;
    const isTrained = answer?.isTrained === true;
    const message = isTrained ? answer.message : null;
    const forbidden = isTrained && answer.forbidden.length > 0 ? { forbidden: answer.forbidden } : {};
    parts.push({ pieces: toPieces(rendered, span), isTrained, ...forbidden, message });
  };
  for (const span of spans) {
    add({ from: at, to: span.from }, null);
    add(span, span);
    at = span.to;
  }
  add({ from: at, to: rendered.text.length }, null);
  return parts;
}

function findProblem(answers: readonly RowMessage[], spans: readonly AnswerSpan[]): ViewProblem | null {
  if (answers.length === 0)
    return { kind: 'no-answer', message: 'The row has no assistant message, so nothing of it is trained.' };
  if (!answers.some(isLearnt))
    return {
      kind: 'masked',
      message: 'The marks of the row forbid to learn its answers, so nothing of it is trained.',
    };
  if (spans.some(({ isTrained }) => isTrained)) return null;
  const message = 'The chat template leaves out all answers of the row, so nothing of it is trained.';
  return { kind: 'dropped', message };
}

/**
 * Renders a row as a trainer that trains on answers does. Never throws, but the template may take any time: call it
 * where it can be ended.
 */
export function toModelView(row: ChatRow, template: TemplateText, marks: TemplateMarks): ModelView {
  if (isComparison(row)) return failView('comparison', COMPARISON);
  let rendered: Rendered;
  try {
    rendered = toRendered(template.render(row.messages, row.tools ?? [], false));
  } catch (error) {
    return failView('refused', `The chat template refuses the row: ${toReason(error)}.`);
  }
  const { messages } = row;
  const places = messages.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []));
  const finder = new AnswerFinder(row, template, rendered.text, marks);
  const spans: AnswerSpan[] = [];
  const dropped: number[] = [];
  for (const message of places.slice(0, MAX_ANSWERS)) {
    const span = finder.find(message, spans.at(-1)?.to ?? 0);
    if (span) spans.push(toAnswerSpan(rendered.text, span, row, message));
    else if (messages[message]?.weight !== 0) dropped.push(message);
  }
  const answers = messages.filter(({ role }) => role === 'assistant');
  return { parts: toParts(rendered, spans), dropped, problem: findProblem(answers, spans) };
}
