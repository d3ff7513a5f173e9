interface MarkProps {
  isNameHidden?: boolean;
}

/** The product's mark and name. */
export function Logo({ isNameHidden = false }: MarkProps) {
  return (
    <span className="flex shrink-0 items-center gap-2 font-semibold tracking-tight whitespace-nowrap">
      <svg
        aria-hidden
        width="18"
        height="18"
        viewBox="0 0 18 18"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinecap="round"
        className="text-accent"
      >
        <path d="M3 13c3 0 3-8 6-8s3 8 6 8" />
        <circle cx="9" cy="5" r="1.6" fill="currentColor" />
      </svg>
      <span className={isNameHidden ? 'sr-only' : ''}>Model Studio</span>
    </span>
  );
}
