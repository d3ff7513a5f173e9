import { Fragment, memo, useMemo } from 'react';
import { toTokens } from './highlight.ts';

interface HighlightedCodeProps {
  code: string;
  language: string;
}

/** Code in colours; as it is where the language is not known. */
export const HighlightedCode = memo(function HighlightedCode({ code, language }: HighlightedCodeProps) {
  const tokens = useMemo(
    () => toTokens(code, language) ?? [{ kind: 'plain' as const, at: 0, text: code }],
    [code, language],
  );
  return (
    <span className="md-chunk">
      {tokens.map(({ at, kind, text }) =>
        kind === 'plain' ? (
          <Fragment key={at}>{text}</Fragment>
        ) : (
          <span key={at} className={`md-${kind}`}>
            {text}
          </span>
        ),
      )}
    </span>
  );
});
