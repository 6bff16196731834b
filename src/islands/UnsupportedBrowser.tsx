import type { FormMessages } from '../i18n/messages.ts';

/** Text of an error message: this browser cannot make an offer, and how to reach the owner. */
export function UnsupportedBrowser({ unsupported, contact }: FormMessages) {
  return (
    <>
      {unsupported.text}
      {contact && (
        <>
          {' '}
          {unsupported.write}{' '}
          <a href={contact.url} lang={contact.lang}>
            {contact.text}
          </a>
        </>
      )}
    </>
  );
}
