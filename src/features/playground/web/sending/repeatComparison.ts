// Compares the answer of a repeated request with the original, and notes what may explain a difference. Pure.
import { findFirstDifference } from '#core/differences/wordDiff.ts';
import { hasContent, isBusy, type Answer } from '#features/playground/web/desk/desk.ts';

export interface Verdict {
  readonly kind: 'same' | 'different' | 'unknown';
  /** The finding, in a few words. */
  readonly text: string;
  /** Additional facts, as sentences. */
  readonly notes: readonly string[];
}

interface Finding {
  readonly kind: Verdict['kind'];
  readonly text: string;
}

const isComplete = ({ phase }: Answer): boolean => phase === 'done';

function compareTexts(before: string, after: string, isCut: boolean, what: string): Finding | null {
  const shared = Math.min(before.length, after.length);
  if (before === after || (isCut && before.slice(0, shared) === after.slice(0, shared))) return null;
  const word = findFirstDifference(before, after);
  return { kind: 'different', text: `first difference at word ${word ?? 1}${what}` };
}

function compare(before: Answer, after: Answer): Finding {
  if (!hasContent(before.message) || !hasContent(after.message)) {
    if (isComplete(before) && isComplete(after) && hasContent(before.message) === hasContent(after.message))
      return { kind: 'same', text: 'identical' };
    return {
      kind: 'unknown',
      text: hasContent(before.message)
        ? 'the repeat returned no text to compare'
        : 'the earlier answer has no text to compare with',
    };
  }
  const isCut = !isComplete(before) || !isComplete(after);
  const different =
    compareTexts(before.message.text, after.message.text, isCut, '') ??
    compareTexts(
      before.message.reasoning,
      after.message.reasoning,
      isCut || before.message.text === '',
      ' of the reasoning',
    );
  if (different) return different;
  if (isCut) return { kind: 'same', text: 'identical up to the end of the shorter one' };
  const calls = [before, after].map(({ message }) =>
    JSON.stringify(message.toolCalls.map(({ name, arguments: args }) => [name, args])),
  );
  if (calls[0] !== calls[1]) return { kind: 'different', text: 'the texts are identical, the tool calls differ' };
  return { kind: 'same', text: 'identical' };
}

function seedNote(before: Answer, after: Answer): string | null {
  const show = (seed: number | null): string => (seed === null ? 'none' : String(seed));
  if (before.seed !== after.seed) return `The seeds differ: ${show(before.seed)} → ${show(after.seed)}.`;
  return after.seed === null ? 'No seed was sent, so the service chose one for each.' : null;
}

/** An unchanged or missing fingerprint is worth a note only if the answers should have been equal. */
function fingerprintNote(
  before: string | null,
  after: string | null,
  kind: Verdict['kind'],
  isSeeded: boolean,
): string | null {
  if (before !== null && after !== null && before !== after)
    return `The service's fingerprint changed: ${before} → ${after}.`;
  if (kind !== 'different' || !isSeeded) return null;
  return before !== null && before === after
    ? `The service's fingerprint is the same: ${after}.`
    : 'The service does not say whether it changed: there is no fingerprint to compare.';
}

/** Compares an answer with the one whose request it repeats; null while it is on its way. */
export function toVerdict(before: Answer, after: Answer): Verdict | null {
  if (isBusy(after.phase)) return null;
  const { kind, text } = compare(before, after);
  const notes = [
    seedNote(before, after),
    kind === 'unknown'
      ? null
      : fingerprintNote(
          before.message.fingerprint,
          after.message.fingerprint,
          kind,
          before.seed !== null && before.seed === after.seed,
        ),
  ];
  return { kind, text, notes: notes.filter((note) => note !== null) };
}
