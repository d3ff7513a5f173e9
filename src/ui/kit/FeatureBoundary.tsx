import { Component, Suspense, type ReactNode } from 'react';
import { Button } from './Button.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';

interface WayOut {
  /** Label of the button. */
  readonly label: string;
  /** What it does, as a sentence that follows "If trying again does not help,". */
  readonly hint: string;
  /** Shows something else; then the feature is tried again. */
  readonly leave: () => void | Promise<void>;
}

interface FeatureBoundaryProps {
  /** The failing part, as a noun: "The playground". */
  name: string;
  /** Shown while the feature's code loads. */
  fallback: ReactNode;
  /** For failures that a reload would repeat. */
  wayOut?: WayOut;
  children: ReactNode;
}

interface FeatureBoundaryState {
  readonly error: Error | null;
}

/** Keeps a failing feature from breaking the page. Missing code is handled by lazyPart. */
export class FeatureBoundary extends Component<FeatureBoundaryProps, FeatureBoundaryState> {
  override state: FeatureBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): FeatureBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { children, fallback, name, wayOut } = this.props;
    const { error } = this.state;
    if (!error) return <Suspense fallback={fallback}>{children}</Suspense>;
    const retry = (): void => this.setState({ error: null });
    const onLeave = async (): Promise<void> => {
      await wayOut?.leave();
      retry();
    };
    return (
      <div className="p-4">
        <ErrorNotice
          title={`${name} stopped working`}
          detail={error.message}
          hint={`The rest of the page still works. If that does not help, ${wayOut?.hint ?? 'reload the page.'}`}
          onRetry={retry}
          action={
            wayOut && (
              <Button size="small" onClick={() => void onLeave()}>
                {wayOut.label}
              </Button>
            )
          }
        />
      </div>
    );
  }
}
