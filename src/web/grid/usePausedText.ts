// A text that is being typed, in front of the one that counts.
import { useEffect, useEffectEvent, useState } from 'react';

const PAUSE_MS = 400;

/** The typed text, how to change it, and how to have it count at once; it counts by itself when typing pauses. */
export function usePausedText(
  kept: string,
  onCommit: (text: string) => void,
): readonly [text: string, change: (text: string) => void, commit: () => void] {
  const [text, setText] = useState(kept);
  const commit = (typed: string): void => {
    if (typed !== kept) onCommit(typed);
  };
  const commitTyped = useEffectEvent(commit);
  // Only another text restarts the pause: a running grid renders its fields again several times a second.
  useEffect(() => {
    const timer = setTimeout(() => commitTyped(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText, () => commit(text)];
}
