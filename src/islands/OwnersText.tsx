import type { Negotiation } from '#contract/negotiation.ts';

interface Props {
  html: string;
  negotiation: Negotiation;
  /** Of the page. */
  language: string;
}

/** A text that this site's own build has rendered from the owner's Markdown, without HTML of anybody else. */
export function OwnersText({ html, negotiation, language }: Props) {
  // Of the page that the offer came from.
  const lang = negotiation.language === language ? undefined : (negotiation.language ?? undefined);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
  return <div className="text" lang={lang} key={html} dangerouslySetInnerHTML={{ __html: html }} />;
}
