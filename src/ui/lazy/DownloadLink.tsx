import { Download } from 'lucide-react';
import type { ReactNode } from 'react';

interface DownloadLinkProps {
  href: string;
  /** Of the file, where the service gives none. */
  name: string;
  /** What is read aloud, if the shown text alone does not say it. */
  label?: string;
  children?: ReactNode;
}

/** The browser saves the file while it comes: it may be larger than memory. */
export function DownloadLink({ href, name, label, children = 'Download' }: DownloadLinkProps) {
  return (
    <a
      href={href}
      download={name}
      aria-label={label}
      className="inline-flex min-h-6 items-center gap-1 rounded text-accent hover:underline"
    >
      <Download aria-hidden size={14} className="shrink-0" />
      {children}
    </a>
  );
}
