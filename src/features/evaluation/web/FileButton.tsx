import { FileUp } from 'lucide-react';

interface FileButtonProps {
  /** Endings and types, as `accept` of an input takes them. */
  accept: string;
  onChoose: (file: File) => void;
}

/** Opens the files of the machine. The same file again counts as a choice. */
export function FileButton({ accept, onChoose }: FileButtonProps) {
  return (
    <label
      className={
        'inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-md border border-line-strong bg-surface ' +
        'px-2.5 font-medium focus-within:outline-2 focus-within:outline-accent hover:bg-raised'
      }
    >
      <FileUp aria-hidden size={14} /> Choose a file
      <input
        type="file"
        accept={accept}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0];
          event.target.value = '';
          if (file) onChoose(file);
        }}
      />
    </label>
  );
}
