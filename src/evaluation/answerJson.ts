// The JSON of an answer. It must not know what it is for.

const FENCE = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/i;

type JsonRead = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly message: string };

/** The JSON of an answer, also when it stands alone in a code fence. */
export function parseAnswerJson(text: string): JsonRead {
  const bare = FENCE.exec(text)?.[1] ?? text;
  if (bare.trim() === '') return { ok: false, message: 'The answer is empty.' };
  try {
    return { ok: true, value: JSON.parse(bare) as unknown };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
