import { Component, type ReactNode } from 'react';
import { Button } from '../ui/Button';
import { ErrorNotice } from '../ui/ErrorNotice';

interface SessionBoundaryProps {
  children: ReactNode;
  /** Puts another session on show. */
  onLeave: () => Promise<void>;
}

interface SessionBoundaryState {
  readonly error: Error | null;
}

/** A session that can't be shown would come back with each reload: it can be left, and stays stored. */
export class SessionBoundary extends Component<SessionBoundaryProps, SessionBoundaryState> {
  override state: SessionBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): SessionBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    const retry = (): void => this.setState({ error: null });
    return (
      <div className="p-4">
        <ErrorNotice
          title="The playground stopped working"
          detail={error.message}
          hint="The rest of the page goes on. If trying again does not help, open a new session: this one stays stored, under Sessions."
          onRetry={retry}
          action={
            <Button size="small" onClick={() => void this.props.onLeave().then(retry)}>
              Open a new session
            </Button>
          }
        />
      </div>
    );
  }
}
