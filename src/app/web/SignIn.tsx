import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { ApiFailure } from '#ui/client/failure.ts';
import { sessionQuery } from '#ui/client/queries.ts';
import { signIn } from '#ui/client/signIn.ts';
import { forgetShownNotice, readLeaveNotice } from '#ui/storage/leaveNotice.ts';
import { deleteStoredData } from '#ui/storage/leaveStudio.ts';
import { Button } from '#ui/kit/Button.tsx';
import { TextField } from '#ui/fields/TextField.tsx';
import { Logo } from './Logo.tsx';
import { parseToken } from './signInToken.ts';

const REJECTED =
  'The token in that link was not accepted. The link may belong to another studio, or to one with another data folder.';

/** Reads only the flag of a refused link; the service has removed the token from the address. */
const wasRejected = () => new URLSearchParams(window.location.search).get('signin') === 'rejected';

function forgetRejection(): void {
  const url = new URL(window.location.href);
  url.searchParams.delete('signin');
  window.history.replaceState(null, '', url);
}

function describe(error: unknown): string {
  if (!(error instanceof ApiFailure))
    return 'Signing in failed, and the page does not know why. Reload it and try again.';
  if (error.status === 401) return 'This token was not accepted. Copy it again from where the studio was started.';
  return `${error.message} ${error.hint}`;
}

/** Stays the same function, so React calls it once. The page's only field takes the focus. */
const focusAtFirst = (field: HTMLInputElement | null) => field?.focus();

/** The notice of the last sign-out, and a button that deletes what is left. */
function LeftNotice() {
  const [notice, setNotice] = useState(readLeaveNotice);
  // The notice is shown once.
  useEffect(forgetShownNotice, []);
  if (!notice) return null;
  const onDelete = async () => {
    const deletionProblem = await deleteStoredData();
    if (deletionProblem === null) window.location.reload();
    else setNotice({ text: deletionProblem, isDeletionLeft: true });
  };
  return (
    <div role="alert" className="flex flex-col items-start gap-2 rounded-md border border-line bg-raised p-3 text-sm">
      <p>{notice.text}</p>
      {notice.isDeletionLeft && (
        <Button variant="danger" onClick={() => void onDelete()}>
          Delete what this browser keeps
        </Button>
      )}
    </div>
  );
}

/** Asks for the token that the studio printed when it was started. */
export function SignIn() {
  const client = useQueryClient();
  const [pasted, setPasted] = useState('');
  const [problem, setProblem] = useState<string | null>(() => (wasRejected() ? REJECTED : null));
  const [isBusy, setBusy] = useState(false);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const token = parseToken(pasted);
    if (isBusy) return;
    if (token === '') {
      setProblem('Enter the token first.');
      return;
    }
    setBusy(true);
    try {
      await signIn(token);
      forgetRejection();
      await client.resetQueries({ queryKey: sessionQuery().queryKey });
    } catch (error) {
      setProblem(describe(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <main className="flex h-full items-center justify-center overflow-y-auto p-4">
      <title>Sign in · Model Studio</title>
      <form
        onSubmit={(event) => void submit(event)}
        className="flex w-full max-w-md flex-col gap-4 rounded-xl border border-line bg-surface p-6"
      >
        <Logo />
        <h1 className="text-xl font-semibold tracking-tight">Sign in</h1>
        <LeftNotice />
        <p className="text-soft">
          Open the link that the studio printed when it started, or paste the link or its token here:
        </p>
        <pre className="overflow-x-auto rounded-md border border-line bg-raised px-3 py-2 font-mono text-sm text-soft">
          {`Model Studio  ${window.location.origin}/?token=…`}
        </pre>
        <TextField
          label="Token"
          type="password"
          name="token"
          autoComplete="current-password"
          spellCheck={false}
          ref={focusAtFirst}
          value={pasted}
          onChange={setPasted}
          problem={problem}
        />
        <div className="flex items-center gap-3">
          <Button type="submit" variant="primary" aria-busy={isBusy}>
            {isBusy ? 'Signing in…' : 'Sign in'}
          </Button>
        </div>
        <p className="text-sm text-soft">
          The token is also in the file <code className="font-mono">token</code> in the studio’s data folder (
          <code className="font-mono">.studio</code> by default). If <code className="font-mono">STUDIO_TOKEN</code> is
          set, the token is its value.
        </p>
      </form>
    </main>
  );
}
