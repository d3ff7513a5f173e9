import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Shown where there is no content yet: what will be here, why it is empty, what to do. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-96 flex-col items-center gap-2 px-6 py-10 text-center">
      {icon !== undefined && <span className="text-faint">{icon}</span>}
      <p className="font-semibold">{title}</p>
      {children !== undefined && <div className="text-soft">{children}</div>}
      {action !== undefined && <div className="mt-2 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}
