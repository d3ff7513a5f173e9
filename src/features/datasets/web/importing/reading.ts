// How the rows of a file are read, by what is recognised and by what a person says of it. Pure.
import type { RowForm } from '#core/rows/chatRow.ts';
import { isConversation } from '#core/rows/rowForms.ts';
import type { RowMapping } from '#core/rows/rowMapping.ts';
import { parseObjects, type Column, type FormGuess } from '#features/datasets/shared/recogniseForm.ts';
import { findOwnNames, withRoles } from '#features/datasets/shared/roleNames.ts';
import type { FirstLines } from './firstLines.ts';
import { findMappingLack } from './mappingFields.ts';
import { recogniseLines, toPreview, type Preview } from './preview.ts';

/** What a person says of a file. */
export interface ReadingChoice {
  /** null: nothing. */
  readonly mapping: RowMapping | null;
  /** Of rows that compare answers, the preferred ones alone. */
  readonly isPreferred: boolean;
  /** Rows of other forms of conversations too. */
  readonly isMixed: boolean;
}

export interface Reading {
  readonly guess: FormGuess;
  /** What is asked of its fields; null: nothing. */
  readonly fields: {
    /** null: the form is known, and only the names of roles are not. */
    readonly columns: readonly Column[] | null;
    /** Names of roles that are not known. */
    readonly roleNames: readonly string[];
  } | null;
  /** The mapping that rows are read by; null: a known form, or not known yet. */
  readonly mapping: RowMapping | null;
  /** Its rows compare answers. */
  readonly isComparison: boolean;
  readonly isPreferred: boolean;
  /** Conversations of other forms than that of most; empty: there are none, or they can't be converted too. */
  readonly others: FormGuess['forms'];
  /** Rows of other forms can be converted too: some are there, or may come after the first lines. */
  readonly canMix: boolean;
  readonly isMixed: boolean;
  readonly preview: Preview;
  /** Why it can't be imported like that; null: it can. */
  readonly lack: string | null;
}

function toForm(guess: FormGuess, isPreferred: boolean, isMixed: boolean): RowForm {
  if (isPreferred) return 'preferred';
  if (isMixed) return 'mixed';
  // The service reads a file of no objects as chat rows too: each line says what is wrong with it.
  return guess.form ?? 'chat';
}

const toOthers = ({ form, forms }: FormGuess): FormGuess['forms'] =>
  forms.filter((other) => other.form !== form && isConversation(other.form));

export function toReading(first: FirstLines, choice: ReadingChoice): Reading {
  const guess = recogniseLines(first);
  const rows = parseObjects(first.lines.map(({ text }) => text));
  const isMapped = guess.objects > 0 && (guess.form === null || guess.mapping !== null);
  const mapping = isMapped ? withRoles(rows, choice.mapping ?? guess.mapping) : null;
  const fields = isMapped
    ? { columns: guess.form === null ? guess.columns : null, roleNames: findOwnNames(rows, mapping) }
    : null;
  const isComparison = guess.form === 'preference' || guess.form === 'kto';
  const isPreferred = isComparison && choice.isPreferred;
  const others = isMapped || isComparison ? [] : toOthers(guess);
  const isOne = !isMapped && !isComparison && guess.form !== null && isConversation(guess.form);
  const canMix = others.length > 0 || (isOne && !first.isWhole);
  const isMixed = canMix && choice.isMixed;
  const unmapped = isMapped ? findMappingLack(mapping) : null;
  const preview = toPreview(first, unmapped !== null ? null : (mapping ?? toForm(guess, isPreferred, isMixed)));
  const unread = preview.rows.length === 0 ? `None of the first ${preview.unit}s can be read as a row.` : null;
  return {
    guess,
    fields,
    mapping,
    isComparison,
    isPreferred,
    others,
    canMix,
    isMixed,
    preview,
    lack: unmapped ?? unread,
  };
}
