import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { writeClipboard } from './clipboard.ts';
import { IconButton } from './IconButton.tsx';
import { showToast } from './toast.ts';

interface CopyButtonProps {
  label: string;
  /** A function runs on the press, so that a costly text is built only then. */
  text: string | (() => string);
}

const SHOWN_MS = 1500;

export function CopyButton({ label, text }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);

  const copy = async () => {
    const isDone = await writeClipboard(typeof text === 'function' ? text() : text);
    setCopied(isDone);
    if (!isDone)
      showToast('The browser did not allow copying. Select the text and copy it with the keyboard.', { tone: 'error' });
  };
  return (
    <>
      <IconButton
        label={label}
        icon={isCopied ? <Check aria-hidden size={13} className="text-success" /> : <Copy aria-hidden size={13} />}
        onClick={() => void copy()}
      />
      <output className="sr-only">{isCopied ? 'Copied' : ''}</output>
    </>
  );
}
