// What other tools' files of evaluations say, in one form.
import type { WrittenCall } from '#features/evaluation/shared/toolCalls.ts';
import type { ChatMessage } from '#core/contract/chatMessage.ts';
import type { EvaluationCheck } from '#features/evaluation/shared/contract/evaluationChecks.ts';
import type { EvaluationRow } from '#features/evaluation/shared/contract/evaluationRow.ts';
import type { EvaluationSettings } from '#features/evaluation/shared/contract/evaluations.ts';

export const IMPORT_LIMITS = {
  rows: 10_000,
  answers: 400_000,
  /** Of one text that is kept. */
  textCharacters: 200_000,
  /** Of all rows and answers. */
  characters: 64 * 1024 * 1024,
  /** Of a file that is read whole, and of one file of an archive when it is unpacked. */
  wholeBytes: 64 * 1024 * 1024,
  /** Of an archive, which is read file by file. */
  archiveBytes: 1024 * 1024 * 1024,
} as const;

export interface ImportedRow {
  /** A chat to continue. */
  readonly messages?: readonly ChatMessage[];
  /** For the prompt, and for own functions. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Absent: those of the settings. */
  readonly tools?: EvaluationRow['tools'];
  readonly expected: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

export interface ImportedVerdict {
  /** As the tool calls its check, scorer or metric. */
  readonly scorer: string;
  readonly outcome: 'pass' | 'fail' | 'not_checked';
  /** 0..1; null: the tool's score is no share. */
  readonly score: number | null;
  readonly reason: string | null;
}

export interface ImportedAnswer {
  /** Place in `rows`, from 0. */
  readonly row: number;
  readonly model: string;
  /** From 1. */
  readonly repeat: number;
  readonly text: string;
  /** Absent: none. */
  readonly reasoning?: string;
  readonly finishReason?: string | null;
  /** Why there is no answer. */
  readonly error: string | null;
  /** Absent: none. */
  readonly calls?: readonly WrittenCall[];
  /** null: unknown. */
  readonly ms: number | null;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly verdicts: readonly ImportedVerdict[];
}

/** A number of a model that the tool itself computed. */
export interface ImportedScore {
  readonly model: string;
  /** Such as `gsm8k/exact_match (strict-match)`. */
  readonly measure: string;
  readonly value: number;
  /** Standard error as the tool says it. */
  readonly error: number | null;
  /** null: the tool does not say it. */
  readonly isHigherBetter: boolean | null;
}

export const IMPORT_TOOLS = ['promptfoo', 'inspect', 'lm-eval', 'model-studio'] as const;
export type ImportTool = (typeof IMPORT_TOOLS)[number];

export interface ImportedEvaluation {
  readonly tool: ImportTool;
  readonly toolVersion: string | null;
  readonly name: string;
  /** ISO 8601. */
  readonly madeAt: string | null;
  /** The question of rows with variables, with `{{name}}` for each; null: all rows have messages. */
  readonly prompt: string | null;
  readonly system: string | null;
  readonly settings: EvaluationSettings;
  readonly repeats: number;
  readonly rows: readonly ImportedRow[];
  readonly checks: readonly EvaluationCheck[];
  /** As the tool calls them. */
  readonly models: readonly string[];
  /** The model that others are compared with; null: the first. */
  readonly baseline: string | null;
  readonly answers: readonly ImportedAnswer[];
  readonly scores: readonly ImportedScore[];
  /** What was not read, and why: sentences. */
  readonly problems: readonly string[];
}

/** A file that can't be read; the message is for people. */
export class ImportRefusal extends Error {}

/** Parts of an evaluation that a tool's file lacks. */
export const EMPTY_IMPORT = {
  toolVersion: null,
  madeAt: null,
  prompt: null,
  system: null,
  settings: {},
  repeats: 1,
  rows: [],
  checks: [],
  models: [],
  baseline: null,
  answers: [],
  scores: [],
} as const;

const MAX_COUNT = 2 ** 31 - 1;
/** Thirty years. */
const MAX_MS = 1e12;

/** A whole number from 0 on that the database holds. */
export const toCountOrNull = (value: unknown): number | null =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT ? value : null;

/** A time in milliseconds that can be. */
export const toMsOrNull = (value: unknown): number | null =>
  typeof value === 'number' && value >= 0 && value <= MAX_MS ? value : null;

/** The number of an answer of a model to a row, from 1; 1 if it is none. */
export const toRepeat = (value: unknown): number => toCountOrNull(value) || 1;

const MAX_PROBLEMS = 50;
const MAX_PLACES = 3;

/** Collects what was not read; the same sentence of many places is said once. */
export interface Problems {
  /** `place`: such as `Test 3`. `message`: what goes on behind the places and a colon. */
  report(message: string, place?: string): void;
  list(): readonly string[];
}

export function openProblems(): Problems {
  const places = new Map<string, { readonly first: string[]; count: number }>();
  return {
    report(message, place) {
      const known = places.get(message) ?? { first: [], count: 0 };
      places.set(message, known);
      if (place === undefined || known.first.at(-1) === place) return;
      known.count += 1;
      if (known.first.length < MAX_PLACES) known.first.push(place);
    },
    list() {
      const sentences = [...places].map(([message, { first, count }]) => {
        const more = count > first.length ? ` and ${count - first.length} more` : '';
        return first.length === 0 ? message : `${first.join(', ')}${more}: ${message}`;
      });
      const left = sentences.length - MAX_PROBLEMS;
      return left > 0 ? [...sentences.slice(0, MAX_PROBLEMS), `${left} more kinds of problems.`] : sentences;
    },
  };
}

/** Counts what is kept, so that no file fills the memory. Throws ImportRefusal. */
export interface Budget {
  /** `text` as it is, or its beginning with a note about the rest. */
  keep(text: string): string;
  /** Of rows and of answers so far. */
  count(rows: number, answers: number): void;
}

export function openBudget(problems: Problems): Budget {
  let left: number = IMPORT_LIMITS.characters;
  return {
    keep(text) {
      const kept = text.slice(0, IMPORT_LIMITS.textCharacters);
      if (kept.length < text.length)
        problems.report(`Texts of more than ${IMPORT_LIMITS.textCharacters.toLocaleString('en')} characters were cut.`);
      left -= kept.length;
      if (left < 0)
        throw new ImportRefusal(
          `The rows and answers have more than ${IMPORT_LIMITS.characters / 2 ** 20} million characters. Import fewer of them.`,
        );
      return kept;
    },
    count(rows, answers) {
      if (rows > IMPORT_LIMITS.rows || answers > IMPORT_LIMITS.answers)
        throw new ImportRefusal(
          `The file has more than ${IMPORT_LIMITS.rows.toLocaleString('en')} rows or ` +
            `${IMPORT_LIMITS.answers.toLocaleString('en')} answers. Import fewer of them.`,
        );
    },
  };
}

/** A score of 0..1 as a verdict: only 1 and 0 say whether an answer is right. */
export function toScoreVerdict(scorer: string, value: number, reason: string | null = null): ImportedVerdict {
  if (!(value >= 0 && value <= 1))
    return { scorer, outcome: 'not_checked', score: null, reason: reason ?? `The score is ${value}.` };
  const outcome = value === 1 ? 'pass' : value === 0 ? 'fail' : 'not_checked';
  return {
    scorer,
    outcome,
    score: value,
    reason: reason ?? (outcome === 'not_checked' ? `The score is ${value}.` : null),
  };
}
