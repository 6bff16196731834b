import './spinner.css';

export function Spinner({ text }: { text: string }) {
  return (
    <p className="spinner" role="status">
      {text}
    </p>
  );
}
