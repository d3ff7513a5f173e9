import { memo } from 'react';

interface MessageViewProps {
  author: string;
  text: string;
}

/** Longer than this it may scroll, and then has to be reachable by keyboard. */
const LONG = 600;

/** A message that a person wrote, as it was typed. */
export const MessageView = memo(function MessageView({ author, text }: MessageViewProps) {
  const scrolling = text.length > LONG || text.split('\n', 12).length === 12 ? { tabIndex: 0, role: 'group', 'aria-label': `${author} message` } : {};
  return (
    <div className="border-b border-line px-3 py-2">
      <h3 className="text-xs font-semibold text-faint">{author}</h3>
      <div {...scrolling} className="max-h-64 overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</div>
    </div>
  );
});
