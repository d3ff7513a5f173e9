import type { OtherFile } from '#core/rows/fileEncoding.ts';
import { CopyButton } from '#ui/kit/CopyButton.tsx';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';

interface OtherFileNoticeProps {
  fileName: string;
  refusal: OtherFile;
  /** Goes back to the choice of a file. */
  onOther: () => void;
}

/** What a file is that rows can’t be read from, and the command that makes one of it. */
export function OtherFileNotice({ fileName, refusal: { reason, toCommand }, onOther }: OtherFileNoticeProps) {
  const command = toCommand?.(fileName) ?? null;
  return (
    <ErrorNotice
      title={`${fileName} can’t be imported`}
      detail={reason}
      hint={
        command !== null && (
          <>
            <p>For example, in a terminal:</p>
            <div className="flex items-start gap-1.5">
              <code className="min-w-0 flex-1 rounded-md bg-surface px-2 py-1 font-mono text-sm break-words text-ink">
                {command}
              </code>
              <CopyButton label="Copy the command" text={command} />
            </div>
          </>
        )
      }
      onRetry={onOther}
      retryLabel="Choose another file"
    />
  );
}
