import { Component, Suspense, type ReactNode } from 'react';
import { ErrorNotice } from '../ui/ErrorNotice';

interface FeatureBoundaryProps {
  /** What can't be shown, as a noun: "The playground". */
  name: string;
  /** Shown while the feature's code is loaded. */
  fallback: ReactNode;
  children: ReactNode;
}

interface FeatureBoundaryState {
  readonly error: Error | null;
}

/** React keeps the failure to load a part, so that only a new page can try again. Browsers word it differently. */
const UNLOADED = /dynamically imported module|module script failed|preload CSS/i;

/** Keeps a feature that fails (or whose code can't be loaded) from taking the page with it. */
export class FeatureBoundary extends Component<FeatureBoundaryProps, FeatureBoundaryState> {
  override state: FeatureBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): FeatureBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
    if (UNLOADED.test(error.message)) {
      return (
        <div className="p-4">
          <ErrorNotice
            title={`${this.props.name} could not be loaded`}
            detail="The studio did not answer, or this page is older than the studio."
            hint="The rest of the page goes on. Reload the page once the studio runs; conversations and the address are kept."
            retryLabel="Reload the page"
            onRetry={() => window.location.reload()}
          />
        </div>
      );
    }
    return (
      <div className="p-4">
        <ErrorNotice
          title={`${this.props.name} stopped working`}
          detail={error.message}
          hint="The rest of the page goes on. If trying again does not help, reload the page."
          onRetry={() => this.setState({ error: null })}
        />
      </div>
    );
  }
}
