/** Domains of many people's emails. Of those that are long enough, what differs by one letter is a slip of the hand. */
const PROVIDERS =
  'gmail.com googlemail.com hotmail.com hotmail.de hotmail.fr hotmail.co.uk outlook.com outlook.de live.com yahoo.com yahoo.de yahoo.fr yahoo.co.uk ymail.com icloud.com me.com aol.com msn.com mail.com email.com gmx.com gmx.de gmx.net gmx.at gmx.ch web.de t-online.de freenet.de proton.me protonmail.com zoho.com fastmail.com'.split(
    ' ',
  );
/** Letters before the dot from which on a slip is more likely than another domain. */
const LEAST_LETTERS = 5;

/** Endings that do not exist, by what was meant. */
const ENDINGS: Readonly<Record<string, string>> = {
  com: 'con cpm cmo ocm vom xom comm coom cim',
  net: 'nte ent nett met',
  org: 'ogr orgg prg rog',
  de: 'dee',
};

/**
 * The domain that an email was probably meant to have: `gmail.com` for `ada@gmial.com`, `hotmail.com` for `ada@hotmail.con`,
 * `buyer.com` for `ada@buyer`. Undefined where nothing looks wrong, and for what is no email at all.
 */
export function suggestDomain(email: string): string | undefined {
  const [, typed] = /^[^@]+@([^\s@]+)$/.exec(email.trim().toLowerCase()) ?? [];
  if (!typed || PROVIDERS.includes(typed)) return undefined;
  const [, stem = typed, ending = ''] = /^(.+)\.([^.]*)$/.exec(typed) ?? [];
  const [meant = ending || 'com'] =
    Object.entries(ENDINGS).find(([, slips]) => slips.split(' ').includes(ending)) ?? [];
  const domain = `${stem}.${meant}`;
  const provider = PROVIDERS.find((one) => one.indexOf('.') >= LEAST_LETTERS && differsByOne(one, domain));
  const suggested = provider ?? domain;
  return suggested === typed ? undefined : suggested;
}

/** Whether one letter was left out, added, replaced, or swapped with the next. */
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
