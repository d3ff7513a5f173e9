import { useQuery } from '@tanstack/react-query';
import { Suspense, useState, type ReactNode } from 'react';
import { ApiFailure, isSignedOut } from '#ui/client/failure.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import type { SessionInfo } from '#core/contract/sessionInfo.ts';
import { ErrorNotice } from '#ui/kit/ErrorNotice.tsx';
import { toLazyPart } from '#ui/lazy/lazyPart.ts';

const SignIn = toLazyPart('The sign-in', async () => (await import('./SignIn.tsx')).SignIn);

const RETRY_MS = 5000;

interface SessionGateProps {
  renderStudio: (session: SessionInfo) => ReactNode;
}

/** Decides what a visitor sees: the studio, the sign-in page, or why the studio can't be reached. */
export function SessionGate({ renderStudio }: SessionGateProps) {
  const {
    data,
    error: failure,
    refetch,
  } = useQuery({
    ...sessionQuery(),
    refetchInterval: ({ state }) => (state.error && !isSignedOut(state.error) && !state.data ? RETRY_MS : false),
  });
  // Asking again sets the error of a query without data to null. What is typed on the sign-in page must outlive that.
  const [lastFailure, setLastFailure] = useState<Error | null>(null);
  const error = failure ?? (data ? null : lastFailure);
  if (error !== lastFailure) setLastFailure(error);
  if (isSignedOut(error)) {
    return (
      <Suspense>
        <SignIn />
      </Suspense>
    );
  }
  if (data) return renderStudio(data);
  if (!error) return null;
  return (
    <main className="mx-auto flex h-full max-w-lg flex-col justify-center p-4">
      <h1 className="sr-only">Model Studio</h1>
      <ErrorNotice
        title="The studio does not answer"
        detail={error.message}
        hint={error instanceof ApiFailure ? `${error.hint} This page tries again by itself.` : undefined}
        onRetry={() => void refetch()}
      />
    </main>
  );
}
