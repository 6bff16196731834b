interface Props {
  mail: { readonly subject: string; readonly text: string } | undefined;
  /** In place of a mail. */
  otherwise: string;
}

/** The mail that would be sent. */
export function MailPreview({ mail, otherwise }: Props) {
  return (
    <details className="preview" open>
      <summary>The mail</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields */}
      <div role="group" aria-label="The mail" tabIndex={0}>
        {mail ? (
          <>
            <b key={mail.subject}>{mail.subject}</b>
            <span key={mail.text}>{mail.text}</span>
          </>
        ) : (
          <span key="none">{otherwise}</span>
        )}
      </div>
    </details>
  );
}
