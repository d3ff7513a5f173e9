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

/** Keeps a feature that fails from taking the page with it. One whose code does not arrive says so itself (latePart). */
export class FeatureBoundary extends Component<FeatureBoundaryProps, FeatureBoundaryState> {
  override state: FeatureBoundaryState = { error: null };

  static getDerivedStateFromError(error: unknown): FeatureBoundaryState {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override render() {
    const { error } = this.state;
    if (!error) return <Suspense fallback={this.props.fallback}>{this.props.children}</Suspense>;
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
