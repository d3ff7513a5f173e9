import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { downloadText } from '#ui/kit/download.ts';
import { IconButton } from '#ui/kit/IconButton.tsx';

interface InspectorToolsProps {
  /** What is copied and downloaded, such as "request". */
  what: string;
  fileName: string;
  mediaType: string;
  toText: () => string;
  /** The description of the part. */
  children: ReactNode;
}

/** The line above a part of a record: its description, and buttons to copy and download it. */
export function InspectorTools({ what, fileName, mediaType, toText, children }: InspectorToolsProps) {
  return (
    <div className="flex min-h-9 shrink-0 items-center gap-1 text-sm text-soft">
      <p className="min-w-0 flex-1 py-1 [overflow-wrap:anywhere]">{children}</p>
      <CopyButton label={`Copy the ${what}`} text={toText} />
      <IconButton
        label={`Download the ${what}`}
        icon={<Download aria-hidden size={13} />}
        onClick={() => downloadText(fileName, mediaType, toText())}
      />
    </div>
  );
}
