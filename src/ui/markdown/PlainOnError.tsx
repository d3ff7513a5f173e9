import { Component, type ReactNode } from 'react';

interface PlainOnErrorProps {
  /** Shown as it is when the children can't be rendered. */
  text: string;
  children: ReactNode;
}

/** Keeps an answer readable whatever its markdown does to the renderer. */
export class PlainOnError extends Component<PlainOnErrorProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    return <p className="whitespace-pre-wrap">{this.props.text}</p>;
  }
}
