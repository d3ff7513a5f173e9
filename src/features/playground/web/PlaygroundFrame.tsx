import { useRef } from 'react';
import { TextArea } from '#ui/fields/TextArea.tsx';
import { Skeleton } from '#ui/kit/Skeleton.tsx';
import { keepEarlyKey, useEarlyText, useHandedFocus } from './earlyMessage.ts';

const keepText = (): void => undefined;

/** The outline of the playground while it loads. The message can already be typed. */
export function PlaygroundFrame() {
  const text = useEarlyText();
  const message = useRef<HTMLTextAreaElement>(null);
  useHandedFocus(message);
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <div className="h-11.25 shrink-0 border-b border-line" />
      <div className="h-10.25 shrink-0 border-b border-line" />
      <Skeleton rows={5} className="min-h-0 flex-1 p-4" />
      <div className="h-8.25 shrink-0 border-t border-line" />
      <div className="flex shrink-0 items-end border-t border-line px-3 py-2.5">
        <TextArea
          ref={message}
          label="Message"
          isLabelHidden
          rows={2}
          value={text}
          onChange={keepText}
          onKeyDown={keepEarlyKey}
          readOnly
          placeholder="Message…"
        />
      </div>
    </div>
  );
}
