import { memo } from 'react';

interface MessageViewProps {
  author: string;
  text: string;
}

/** A message that a person wrote, as it was typed. */
export const MessageView = memo(function MessageView({ author, text }: MessageViewProps) {
  return (
    <div className="border-b border-line px-3 py-2">
      <p className="text-xs font-semibold text-faint">{author}</p>
      <p className="max-h-64 overflow-y-auto [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</p>
    </div>
  );
});
