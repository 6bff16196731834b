/** Domains of many people's emails: none of them is a slip, and a suggestion is one of them. */
const PROVIDERS =
  'gmail.com googlemail.com hotmail.com hotmail.de hotmail.fr hotmail.co.uk outlook.com outlook.de live.com yahoo.com yahoo.de yahoo.fr yahoo.co.uk ymail.com icloud.com me.com aol.com msn.com mail.com email.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de proton.me protonmail.com zoho.com fastmail.com'.split(
    ' ',
  );
/** Letters before the dot from which on a slip is more likely than another domain. */
const LEAST_LETTERS = 5;

/**
 * The domain that an email was probably meant to have, one slip away: `gmail.com` for `ada@gmial.com`, `ada@gmail,com` or
 * `ada@gmail`. Undefined where nothing looks wrong, and for what is no email at all.
 */
export function suggestDomain(email: string): string | undefined {
  const [, typed] = /^[^@]+@([^\s@]+)$/.exec(email.trim().toLowerCase()) ?? [];
  if (!typed || PROVIDERS.includes(typed)) return undefined;
  // Without an ending: `gmail`, and `gmail.`.
  const [, name] = /^([^.,]+)\.?$/.exec(typed) ?? [];
  // An ending of a country, in which large services have domains of their own. `co`, `cm` and `om` are slips of `com`.
  const [country = ''] = /\.(?!co$|cm$|om$)[a-z]{2}$/.exec(typed) ?? [];
  return PROVIDERS.find(
    (one) =>
      one.startsWith(`${name}.`) ||
      (one.indexOf('.') >= LEAST_LETTERS &&
        // The first letter is seldom wrong: cloud.com and qmail.com are others' domains.
        one[0] === typed[0] &&
        one.endsWith(country) &&
        differsByOne(one, typed)),
  );
}

/** Whether one letter or dot was left out, added, replaced, or swapped with the next. */
function differsByOne(right: string, typed: string): boolean {
  let start = 0;
  while (start < right.length && right[start] === typed[start]) start += 1;
  const [a, b] = [right.slice(start), typed.slice(start)];
  return (
    a.slice(1) === b ||
    a === b.slice(1) ||
    a.slice(1) === b.slice(1) ||
    (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
  );
}
