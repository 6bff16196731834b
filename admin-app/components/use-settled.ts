import { useEffect, useState } from 'react';

/** Time without a change after which a typed text is sent, in milliseconds. */
const TYPING_PAUSE_MS = 400;

/** The text after a pause in typing. */
export function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
