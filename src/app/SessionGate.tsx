import { useQuery } from '@tanstack/react-query';
import { Suspense, type ReactNode } from 'react';
import { ApiFailure, isSignedOut } from '../api/failure';
import { sessionQuery } from '../api/queries';
import type { SessionInfo } from '../contract/routes';
import { ErrorNotice } from '../ui/ErrorNotice';
import { toLatePart } from '../ui/latePart';

const SignIn = toLatePart('The sign-in', async () => (await import('./SignIn')).SignIn);

const RETRY_MS = 5000;

interface SessionGateProps {
  renderStudio: (session: SessionInfo) => ReactNode;
}

/** Decides what a visitor sees: the studio, the sign-in page, or why the studio can't be reached. */
export function SessionGate({ renderStudio }: SessionGateProps) {
  const { data, error, refetch } = useQuery({
    ...sessionQuery(),
    refetchInterval: ({ state }) => (state.error && !isSignedOut(state.error) && !state.data ? RETRY_MS : false),
  });
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
