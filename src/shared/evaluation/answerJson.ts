// The JSON of an answer.

const FENCE = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/i;

/** `isFenced`: it stands in a code fence, where a program that parses the answer does not find it. */
type JsonRead =
  | { readonly ok: true; readonly value: unknown; readonly isFenced: boolean }
  | { readonly ok: false; readonly message: string };

/** The JSON of an answer, also when it stands alone in a code fence. */
export function parseAnswerJson(text: string): JsonRead {
  const inner = FENCE.exec(text)?.[1];
  const bare = inner ?? text;
  if (bare.trim() === '') return { ok: false, message: 'The answer is empty.' };
  try {
    return { ok: true, value: JSON.parse(bare) as unknown, isFenced: inner !== undefined };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
