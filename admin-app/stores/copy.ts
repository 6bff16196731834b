/** The last attempt to copy an email, shown for a moment. */
import { atom } from 'nanostores';

/** How long the result is shown, in milliseconds. */
const SHOWN_MS = 2_500;

export interface Copied {
  readonly text: string;
  readonly isCopied: boolean;
  /** Absent: an email. */
  readonly what?: string;
  /** Distinguishes attempts of the same text, which may be in several rows. */
  readonly by: string;
}

/** @param write writes to the clipboard; rejects where the browser does not allow it */
export function createCopy(write: (text: string) => Promise<void>) {
  const $copied = atom<Copied | undefined>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param by identifies the button
   * @param what is copied, to be read aloud; absent: an email
   */
  async function copy(text: string, by: string, what?: string): Promise<void> {
    const isCopied = await write(text).then(
      () => true,
      () => false,
    );
    clearTimeout(timer);
    $copied.set({ text, by, isCopied, ...(what && { what }) });
    timer = setTimeout(() => $copied.set(undefined), SHOWN_MS);
  }

  return { $copied, copy };
}
