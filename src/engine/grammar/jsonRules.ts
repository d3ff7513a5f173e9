// The grammar of JSON: white space, texts, any value. White space is bounded, so that a model can't write it for ever.
import type { Rules } from './gbnf.ts';

/**
 * A character inside a JSON text. Surrogate halves can't be escaped, so one match is always one code point. Ranges,
 * since `[^...]` also takes bytes that are no character: half a surrogate, or a number above the last code point.
 */
const ESCAPED = String.raw`["\\/bfnrt] | "u" ([0-9a-cA-CefEF] [0-9a-fA-F]{3} | [dD] [0-7] [0-9a-fA-F]{2})`;
const CHARACTER = String.raw`[ !#-\[\]-~\x80-\uD7FF\uE000-\U0010FFFF] | "\\" (${ESCAPED})`;
/** JSON carries 15 digits before the point exactly. With two digits of exponent, the number stays finite. */
const NUMBER = '"-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,15})? ([eE] [-+]? [0-9]{1,2})?';

export interface JsonRules {
  /** Optional white space. */
  readonly space: string;
  /** A comma or a colon with the white space after it. Models write none before it. */
  readonly comma: string;
  readonly colon: string;
  readonly character: string;
  readonly text: string;
  readonly number: string;
  readonly boolean: string;
  /** Rules for any value and any object, added when first used. */
  value(): string;
  object(): string;
}

export function openJsonRules(rules: Rules): JsonRules {
  const space = rules.add('space', String.raw`(" " | "\n" [ \t]{0,16})?`);
  const comma = rules.add('comma', `"," ${space}`);
  const colon = rules.add('colon', '":" " "?');
  const character = rules.add('char', CHARACTER);
  const text = rules.add('text', String.raw`"\"" ${character}* "\""`);
  const number = rules.add('number', NUMBER);
  const boolean = rules.add('boolean', '"true" | "false"');
  let any: { value: string; object: string } | null = null;
  const openAny = (): { value: string; object: string } => {
    if (any !== null) return any;
    const value = rules.reserve('value');
    const member = rules.add('member', String.raw`${text} ${colon} ${value}`);
    const object = rules.add('object', `"{" ${space} (${member} (${comma} ${member})* ${space})? "}"`);
    const array = rules.add('array', `"[" ${space} (${value} (${comma} ${value})* ${space})? "]"`);
    rules.define(value, `${object} | ${array} | ${text} | ${number} | ${boolean} | "null"`);
    any = { value, object };
    return any;
  };
  return {
    space,
    comma,
    colon,
    character,
    text,
    number,
    boolean,
    value: () => openAny().value,
    object: () => openAny().object,
  };
}
