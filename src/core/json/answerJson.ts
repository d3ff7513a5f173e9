const FENCE = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/i;

/** `isFenced`: the JSON is in a code fence, so a program that parses the whole answer fails. */
type JsonRead =
  | { readonly ok: true; readonly value: unknown; readonly isFenced: boolean }
  | { readonly ok: false; readonly message: string };

/** An answer without a code fence around all of it. */
export function toBareJson(text: string): { readonly bare: string; readonly isFenced: boolean } {
  const inner = FENCE.exec(text)?.[1];
  return { bare: inner ?? text, isFenced: inner !== undefined };
}

/** The JSON of an answer, bare or in a code fence with nothing around it. */
export function parseAnswerJson(text: string): JsonRead {
  const { bare, isFenced } = toBareJson(text);
  if (bare.trim() === '') return { ok: false, message: 'The answer is empty.' };
  try {
    return { ok: true, value: JSON.parse(bare) as unknown, isFenced };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
