import { FileUp } from 'lucide-react';
import { useId } from 'react';

interface FileChoiceProps {
  onFile: (file: File) => void;
  /** Which files the browser offers, and what is said of them; absent: those with rows. */
  accept?: string;
  about?: string;
}

const ROWS = '.parquet,.arrow,.feather,.jsonl,.ndjson,.json,.txt,application/jsonl,application/json,text/plain';
const ABOUT_ROWS =
  'JSONL, one JSON object on each line, a JSON array of objects, Parquet or Arrow. Chat rows, ShareGPT, Alpaca and prompt with completion are recognised. For another ' +
  'format you choose the fields.';

/** Where a file is chosen: by a button, or dropped. The page takes files that are dropped anywhere. */
export function FileChoice({ onFile, accept = ROWS, about = ABOUT_ROWS }: FileChoiceProps) {
  const id = useId();
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-dashed border-line-strong px-4 py-8 text-center">
      <FileUp aria-hidden size={20} className="text-faint" />
      <p className="font-medium">Drop a file anywhere on the page</p>
      <p className="text-soft">{about}</p>
      <label
        htmlFor={id}
        className={
          'relative inline-flex h-7 items-center rounded-md border border-accent bg-accent px-2.5 font-medium ' +
          'text-on-accent focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent'
        }
      >
        Choose a file
        <input
          id={id}
          type="file"
          accept={accept}
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={(event) => {
            const file = event.target.files?.[0];
            // The same file again must count as a choice.
            event.target.value = '';
            if (file) onFile(file);
          }}
        />
      </label>
    </div>
  );
}
