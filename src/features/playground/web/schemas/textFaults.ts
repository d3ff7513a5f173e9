// Faults of a typed JSON text with their places, for the editor and the list below it. Pure.
import { findJsonPlace, type Place } from '#core/contract/jsonPlaces.ts';
import { lineAt, parseJsonText } from '#core/contract/jsonText.ts';
import type { JsonFault } from './keywordFaults.ts';
import { findSchemaFaults } from './schemaFaults.ts';

export interface TextFault extends Place {
  /** Counts from 1. */
  readonly line: number;
  readonly message: string;
  readonly isWarning: boolean;
}

function toTextFault(text: string, { path, message, isWarning }: JsonFault): TextFault {
  const { from, to } = findJsonPlace(text, path);
  // Only the first line of a value is marked.
  const lineEnd = text.indexOf('\n', from);
  return { from, to: lineEnd > from && lineEnd < to ? lineEnd : to, line: lineAt(text, from), message, isWarning };
}

/** The faults of a text, in its order. `find` judges the parsed value. An empty text has no faults. */
export function findTextFaults(text: string, find: (value: unknown) => readonly JsonFault[]): readonly TextFault[] {
  if (text.trim() === '') return [];
  const json = parseJsonText(text);
  if (!json.ok) {
    const isEnd = json.offset >= text.trimEnd().length;
    const message = isEnd ? 'The JSON ends too early: something is still open.' : 'Not valid JSON from here on.';
    return [{ from: json.offset, to: json.offset, line: json.line, message, isWarning: false }];
  }
  return find(json.value)
    .map((fault) => toTextFault(text, fault))
    .toSorted((a, b) => a.from - b.from);
}

export const findSchemaTextFaults = (text: string): readonly TextFault[] =>
  findTextFaults(text, (value) => findSchemaFaults(value));
