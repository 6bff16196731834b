import { interpolate } from '#contract/interpolate.ts';
import { zoneName } from '#contract/zone-name.ts';

/** The time zone, once for all times of the page. @param text with `{zone}` */
export function Zone({ text, language }: { text: string; language: string }) {
  return <p className="zone">{interpolate(text, { zone: zoneName(language) })}</p>;
}
