import type { Catalogue } from './schema.ts';

/** Warns if the pages are in German and have no links, since German law requires two. Returns undefined otherwise. */
export function missingLinks({ settings: { languages, links = [] } }: Catalogue): string | undefined {
  if (!languages.includes('de') || links.length > 0) return undefined;
  return (
    'the pages are in German too, and the catalogue has no links. Pages for people in Germany need an imprint ' +
    '(Impressum) and a privacy policy by law: write both into settings, field links. See docs/owners-guide.md.'
  );
}
