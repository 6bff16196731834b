import { Component, type ReactNode } from 'react';
import './error-boundary.css';

interface Props {
  children: ReactNode;
  /** What cannot be shown after an error. */
  what: string;
  /** The element around the message, where it needs one of its own. */
  frame?: (message: ReactNode) => ReactNode;
}

interface State {
  error?: Error;
}

/** Shows an error of rendering in place of what it is about: the rest of the page stays, and can be used. */
export class ErrorBoundary extends Component<Props, State> {
  static getDerivedStateFromError = (error: Error): State => ({ error });

  override state: State = {};

  override render() {
    const { error } = this.state;
    const { children, what, frame = (message) => message } = this.props;
    return error ? frame(<RenderError what={what} error={error} />) : children;
  }
}

function RenderError({ what, error }: { what: string; error: Error }) {
  return (
    <div className="error render-error">
      <p role="alert">
        Failed to show {what}: {error.message}
      </p>
      <button type="button" className="button quiet" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  );
}
