import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { SAMPLE_CATALOGUE } from './catalogue-file.ts';
import { CatalogueError, loadCatalogue } from './load.ts';

const folder = mkdtempSync(join(tmpdir(), 'catalogue-'));
after(() => rmSync(folder, { recursive: true }));

test('the shipped catalogue has no errors', () => {
  const { settings, domains } = loadCatalogue(resolve(SAMPLE_CATALOGUE));
  assert.match(settings.brokerUrl ?? '', /\{domain\}/);
  assert.deepEqual(settings.hosts, []);
  assert.ok(domains.length > 0);
});

test('an entry is loaded with its four fields', () => {
  assert.deepEqual(loadCatalogue(file(entry({}))).domains, [
    { name: 'lap.app', price: '$10,000', description: 'Short.', hasBroker: true },
  ]);
});

test('the environment can name another catalogue', () => {
  Object.assign(process.env, { CATALOGUE: file(entry({ name: 'other.example' })) });
  assert.equal(loadCatalogue().domains[0]?.name, 'other.example');
  delete process.env.CATALOGUE;
});

test('.env can name another catalogue, and the environment takes precedence', () => {
  const root = process.cwd();
  const named = mkdtempSync(join(folder, 'project-'));
  writeFileSync(join(named, '.env'), `CATALOGUE=${file(entry({ name: 'named.example' }))}\n`);
  process.chdir(named);
  try {
    assert.equal(loadCatalogue().domains[0]?.name, 'named.example');
    process.env.CATALOGUE = 'elsewhere.yaml';
    assert.throws(() => loadCatalogue(), /elsewhere\.yaml {2}is not there/);
  } finally {
    delete process.env.CATALOGUE;
    process.chdir(root);
  }
});

test('all errors of a catalogue are reported at once, in the order of lines', () => {
  const text = `${entry({ name: 'Lap.app' })}${entry({ hasBroker: '"yes"', colour: 'red' })}`;
  const lines = errorOf(text).split('\n');
  assert.equal(lines.length, 4, lines.join('\n'));
  assert.match(lines[1] ?? '', /:4:11 {2}entry 1 \(Lap\.app\), field name .* write lap\.app$/);
  assert.match(lines[2] ?? '', /:11:16 {2}entry 2 \(lap\.app\), field hasBroker .*write true or false/);
  assert.match(lines[3] ?? '', /:12:13 {2}entry 2 \(lap\.app\), field colour is not a known field/);
});

const problems: [what: string, text: string, told: RegExp][] = [
  ['no name', entry({ name: undefined }), /entry 1, field name is missing: write the domain/],
  ['an empty name', entry({ name: '' }), /field name is missing/],
  ['no dot', entry({ name: 'lap' }), /field name "lap" is not a domain/],
  ['a space', entry({ name: '"lap .app"' }), /field name "lap \.app" is not a domain/],
  ['a URL as name', entry({ name: 'https://lap.app' }), /is not a domain/],
  ['an IP address', entry({ name: '"10.0.0.1"' }), /is not a domain/],
  ['a hyphen at the end', entry({ name: 'lap-.app' }), /is not a domain/],
  ['a label of 64', entry({ name: `${'a'.repeat(64)}.app` }), /is not a domain/],
  ['254 characters', entry({ name: `${'abcdefg.'.repeat(31)}abcapp` }), /is not a domain/],
  ['an umlaut', entry({ name: 'bücher.example' }), /write xn--bcher-kva\.example/],
  [
    'punycode that stands for nothing',
    entry({ name: 'www.xn--zzzz.example' }),
    /"www\.xn--zzzz\.example" is not a domain: xn--zzzz stands for no letters/,
  ],
  ['the same name twice', entry({}) + entry({}), /entry 2 \(lap\.app\), field name is the same as entry 1’s/],
  ['a price as number', entry({ price: '15000' }), /field price is a number: put it in quotes \("15000"\)/],
  ['an empty price', entry({ price: '""' }), /field price is empty/],
  ['a NUL in the price', entry({ price: '"$1\\0"' }), /field price has an invisible control character/],
  ['half a character', entry({ description: '"a \\uD800"' }), /field description has an invisible control/],
  ['an empty description', entry({ description: '""' }), /field description is empty/],
  ['an empty hasBroker', entry({ hasBroker: '' }), /field hasBroker is missing: write true or false/],
  ['a string as entry', '  - lap.app\n', /entry 1 is not right: write name, price/],
  ['an empty list', '  []\n', /section domains is empty/],
  ['no domains', '', /section domains is missing/],
];

for (const [what, text, expected] of problems) {
  test(`a catalogue with ${what} is rejected`, () => assert.match(errorOf(text), expected));
}

test('a number in place of a text is to be put in quotes only where that is enough', () => {
  for (const field of ['price', 'description', 'about']) {
    assert.match(errorOf(entry({ [field]: '5' })), /is a number: put it in quotes \("5"\)/, field);
    loadCatalogue(file(entry({ [field]: '"5"' })));
  }
  for (const [field, remedy] of [
    ['name', 'write the domain, such as example.com'],
    ['hasBroker', 'write true or false (without quotes)'],
    ['state', 'write sold or reserved'],
    ['minimum', 'write an amount with its currency, such as "$500", or a share of the price, such as "25%"'],
    ['buyNow', 'write an address that begins with https://'],
  ] as const) {
    const error = errorOf(entry({ [field]: '25' }));
    assert.ok(error.includes(`field ${field} is a number: ${remedy}`), error);
  }
  for (const line of ['contact: 5', 'hosts: 5', 'hosts: [5]', 'languages: [5]', 'colorScheme: 5']) {
    const error = errorOf(entry({}), `https://broker.example/{domain}\n  ${line}`);
    assert.match(error, /is a number: write (?!.*quotes)/, line);
  }
  assert.match(errorOf(entry({}), '5'), /field brokerUrl is a number: write an address/);
});

test('a placeholder that is not filled in is reported', () => {
  for (const [line, expected] of [
    [
      'closing: "Pay {price} for {domain}."',
      /settings, field closing has \{price\}, which is not filled in: write \{domain\}, \{label\}, .* or \{reference\}, or no braces/,
    ],
    ['closing: { en: "For {domain}", de: "{ Amount }" }', /field closing, de has \{ Amount \}, which is not/],
  ] as const) {
    assert.match(errorOf(entry({}), `https://broker.example/{domain}\n  ${line}`), expected);
  }
  loadCatalogue(
    file(
      entry({ description: '"{any}"' }),
      'https://broker.example/{domain}\n  closing: "{amount} for {domain}"',
    ),
  );
  assert.match(
    errorOf(entry({}), 'https://broker.example/{domain}/{price}'),
    /brokerUrl has \{price\}, which is not/,
  );
  assert.match(
    errorOf(`${entry({ description: undefined })}defaults: { description: "{name} is for sale." }\n`),
    /section defaults, field description has \{name\}, which is not filled in: write \{domain\}, or no braces/,
  );
});

test('the broker URL needs {domain} and must be an http or https URL', () => {
  assert.match(errorOf(entry({}), 'https://broker.example/'), /settings, field brokerUrl has no \{domain\}/);
  assert.match(errorOf(entry({}), 'javascript:alert("{domain}")'), /brokerUrl is not a web address/);
  assert.match(errorOf(entry({}), '/broker/{domain}'), /brokerUrl is not a web address/);
});

test('the broker URL is needed only where an entry has a broker', () => {
  const load = (sections: string, domains: string) =>
    loadCatalogue(write(`${sections}domains:\n${domains}`)).domains.map(({ hasBroker }) => hasBroker);
  const without = entry({ name: 'one.app', hasBroker: undefined }) + entry({ hasBroker: 'false' });
  for (const sections of ['', 'settings: {}\n', 'settings: { languages: [de] }\n'])
    assert.deepEqual(load(sections, without), [undefined, false]);
  const withBroker = without + entry({ name: 'two.app' });
  for (const [sections, domains, needing] of [
    ['', withBroker, 'entry 3 (two.app)'],
    ['settings: {}\n', withBroker, 'entry 3 (two.app)'],
    ['defaults: { hasBroker: true }\n', without, 'entry 1 (one.app)'],
  ] as const) {
    assert.throws(
      () => load(sections, domains),
      (error: Error) =>
        error.message.includes(
          `section settings, field brokerUrl is missing, and ${needing} has hasBroker: true: write an address`,
        ),
    );
  }
  assert.throws(() => load('settings:\n', without), /section settings is missing: write a setting below it/);
});

test('a host of the site must be a bare name', () => {
  const hosts = 'https://broker.example/{domain}\n  hosts: [shop.example, "https://shop.example"]';
  assert.match(errorOf(entry({}), hosts), /settings, field hosts number 2 "https:\/\/shop\.example" is not/);
});

test('a host of the site must not be a domain for sale', () => {
  const text = 'https://broker.example/{domain}\n  hosts: [shop.example, lap.app, www.lap.app]';
  const [, first, second, ...more] = errorOf(entry({ name: 'one.example' }) + entry({}), text).split('\n');
  assert.match(
    first ?? '',
    /:3:25 {2}section settings, field hosts number 2 is a domain of entry 2: remove it$/,
  );
  assert.match(second ?? '', /field hosts number 3 is a domain of entry 2: remove it$/);
  assert.deepEqual(more, []);
});

test('an entry can have a longer text of limited length', () => {
  assert.equal(loadCatalogue(file(entry({ about: '"# One"' }))).domains[0]?.about, '# One');
  assert.match(errorOf(entry({ about: 'a'.repeat(2001) })), /field about is too long: keep it under 2,000/);
  assert.match(
    errorOf(entry({ about: '""' })),
    /field about is empty: write a text in Markdown, or remove it/,
  );
  assert.match(errorOf(entry({ about: '5' })), /field about is a number: put it in quotes/);
});

test('the contact must be one email', () => {
  const withContact = (contact: string) =>
    file(entry({}), `https://broker.example/{domain}\n  contact: ${contact}`);
  assert.equal(loadCatalogue(withContact('offers@example.com')).settings.contact, 'offers@example.com');
  assert.match(
    whyNot(withContact('offers')),
    /field contact "offers" is not an e-mail address: write one like/,
  );
});

test('languages must be codes of existing translations, each once', () => {
  const withLanguages = (list: string) =>
    file(entry({}), `https://broker.example/{domain}\n  languages: ${list}`);
  assert.deepEqual(loadCatalogue(file(entry({}))).settings.languages, ['en']);
  assert.deepEqual(loadCatalogue(withLanguages('[de, en]')).settings.languages, ['de', 'en']);
  for (const [list, expected] of [
    [
      '[en, xx]',
      /field languages number 2 "xx" is not a language there are messages in: write one of de, en/,
    ],
    ['[en, de, en]', /field languages has en twice: remove one of them/],
    ['[]', /field languages is empty: write at least one language/],
    ['en', /field languages is not right: write a list, such as \[en, de\]/],
  ] as const) {
    assert.match(whyNot(withLanguages(list)), expected);
  }
});

test('prices are shown only if configured, and true is explained', () => {
  const withPrices = (word: string) =>
    file(entry({}), `https://broker.example/{domain}\n  showPrice: ${word}`);
  assert.equal(loadCatalogue(file(entry({}))).settings.showPrice, 'never');
  assert.equal(loadCatalogue(withPrices('false')).settings.showPrice, 'never');
  assert.equal(loadCatalogue(withPrices('page')).settings.showPrice, 'page');
  assert.equal(loadCatalogue(withPrices('everywhere')).settings.showPrice, 'everywhere');
  assert.match(whyNot(withPrices('true')), /settings, field showPrice is true, .*: write page to show them/);
  assert.match(
    whyNot(withPrices('yes')),
    /settings, field showPrice is not right: write never, page or everywhere/,
  );
});

test('an entry is for sale unless its state is sold or reserved', () => {
  assert.equal(loadCatalogue(file(entry({}))).domains[0]?.state, undefined);
  assert.equal(loadCatalogue(file(entry({ state: 'sold' }))).domains[0]?.state, 'sold');
  assert.match(errorOf(entry({ state: 'gone' })), /field state is not right: write sold or reserved/);
});

test('a seller’s settings are loaded, and each wrong value is reported where it stands', () => {
  const withSetting = (line: string) => file(entry({}), `https://broker.example/{domain}\n  ${line}`);
  const { settings } = loadCatalogue(
    withSetting(
      'owner: Ada & <b>Co</b>\n  emailUse: Only used to answer you.\n  offerMessage: true\n' +
        '  escrow: { text: How escrow works, url: "https://escrow.example/?a=b" }\n' +
        '  links: [{ text: Imprint, url: "https://ada.example" }, { text: Mail, url: "mailto:a@ada.example" }, { text: Call, url: "tel:+49-30(1).2" }]',
    ),
  );
  assert.equal(settings.owner, 'Ada & <b>Co</b>');
  assert.equal(settings.links?.length, 3);
  assert.equal(settings.offerMessage, true);
  for (const [line, expected] of [
    ['owner: ""', /settings, field owner is empty: write your name/],
    ['owner: "A\\u202Eb"', /field owner has an invisible character that hides or turns text/],
    ['owner: "\\u200B"', /field owner has an invisible character/],
    [`owner: ${'a'.repeat(81)}`, /field owner is too long: keep it under 81 characters/],
    ['owner: "a\\nb"', /field owner has a line break or a control character: write one line/],
    ['owner: 5', /field owner is a number: put it in quotes/],
    [`emailUse: ${'a'.repeat(161)}`, /field emailUse is too long/],
    ['offerMessage: "yes"', /field offerMessage is not right: write true or false \(without quotes\)/],
    ['links: https://a.example', /field links is not right: write a list/],
    ['links: [https://a.example]', /field links number 1 is not right: write text and url/],
    ['links: [{ text: A }]', /field links number 1, url is missing: write an address/],
    ['links: [{ url: "https://a.example" }]', /field links number 1, text is missing/],
    ['links: [{ text: A, url: "https://a.example", rel: me }]', /links number 1, rel is not a known field/],
    [
      `links: [${Array(9).fill('{ text: A, url: "https://a.example" }').join(', ')}]`,
      /field links has more than 8 links: remove some/,
    ],
    ['escrow: https://escrow.example', /field escrow is not right: write text and url/],
    [
      'escrow: { text: A, url: "http://a.example" }',
      /field escrow, url "http:\/\/a\.example" is not an address/,
    ],
  ] as const) {
    assert.match(whyNot(withSetting(line)), expected);
  }
});

test('emailUse, the texts of links and that of escrow may be one for each language', () => {
  const withTexts = (text: string) =>
    file(
      entry({}),
      `https://broker.example/{domain}\n  languages: [en, de]\n  emailUse: ${text}\n` +
        `  escrow: { text: ${text}, url: "https://escrow.example" }\n` +
        `  links: [{ text: ${text}, url: "https://ada.example" }]`,
    );
  const texts = { en: 'Short.', de: 'Kurz.' };
  const { emailUse, escrow, links } = loadCatalogue(withTexts('{ en: Short., de: Kurz. }')).settings;
  assert.deepEqual([emailUse, escrow?.text, links?.[0]?.text], [texts, texts, texts]);
  for (const [text, why] of [
    ['{ de: Kurz. }', 'has no text in en, the first of the site’s languages: write one'],
    [`{ en: A, de: ${'a'.repeat(161)} }`, 'is too long'],
    ['{ en: A, xx: A }', 'is not a language there are messages in'],
  ] as const) {
    const message = whyNot(withTexts(text));
    for (const field of ['emailUse', 'escrow, text', 'links number 1, text'])
      assert.match(message, new RegExp(`field ${field}[^\n]* ${why}`));
  }
});

test('closing and the text of every link need one in the first language', () => {
  for (const [line, field] of [
    ['closing: { de: Danke. }', 'closing'],
    [
      'links: [{ text: A, url: "https://a.example" }, { text: { de: B }, url: "https://b.example" }]',
      'links number 2, text',
    ],
  ] as const) {
    const [, wrong = '', ...more] = errorOf(entry({}), `https://broker.example/{domain}\n  ${line}`).split(
      '\n',
    );
    assert.ok(
      wrong.includes(`:3:`) && wrong.includes(`field ${field} has no text in en, the first of`),
      wrong,
    );
    assert.deepEqual(more, []);
  }
});

test('an empty text of one line is reported once', () => {
  const [, only, ...more] = errorOf(entry({}), 'https://broker.example/{domain}\n  owner: ""').split('\n');
  assert.match(only ?? '', /:3:10 {2}section settings, field owner is empty: write your name/);
  assert.deepEqual(more, []);
});

test('links lead to https, mailto: and tel: only', () => {
  const urlIn = (url: string) =>
    file(entry({}), `https://broker.example/{domain}\n  links: [{ text: A, url: ${JSON.stringify(url)} }]`);
  for (const url of [
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    ' javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'http://a.example',
    'https:a.example',
    'https://',
    'https:///a.example',
    'https://@a.example',
    'https://a.example/\u202egnp.exe',
    'https://a.example/ b',
    'https://a.example\n',
    'https:\\\\a.example',
    'https://bank.example@evil.example',
    '//a.example',
    '/imprint',
    'mailto:',
    'mailto:a',
    'mailto:a@b.example?bcc=c@d.example',
    'mailto:a@b.example,c@d.example',
    'tel:',
    'tel:call me',
    'tel:+1;ext=javascript:',
    'blob:https://a.example/1',
  ]) {
    assert.match(
      whyNot(urlIn(url)),
      /field links number 1, url ".*" is not a link for a page: write https:/s,
      url,
    );
  }
});

test('an entry can have links to buy it in other ways', () => {
  const [domain] = loadCatalogue(file(entry({ buyNow: 'https://buy.example/lap.app' }))).domains;
  assert.equal(domain?.buyNow, 'https://buy.example/lap.app');
  for (const field of ['buyNow', 'instalments']) {
    assert.match(
      errorOf(entry({ [field]: 'javascript:alert(1)' })),
      new RegExp(
        `entry 1 \\(lap\\.app\\), field ${field} "javascript:alert\\(1\\)" is not an address of a web page`,
      ),
    );
    assert.match(errorOf(entry({ [field]: '5' })), new RegExp(`field ${field} is a number`));
  }
});

test('{domain} in a URL of an entry becomes its name, and any other brace in a URL is reported with its line', () => {
  const template = '"https://{domain}.buy.example/?of={domain}"';
  const behind = '"https://buy.example/{domain}?of={domain}"';
  const [domain] = loadCatalogue(file(entry({ buyNow: behind, instalments: template }))).domains;
  assert.deepEqual(
    [domain?.buyNow, domain?.instalments],
    ['https://buy.example/lap.app?of=lap.app', 'https://lap.app.buy.example/?of=lap.app'],
  );
  for (const braces of ['{name}', '{Domain}', '{ domain }', '{}', '{domain-name}', '{', '}']) {
    const url = `https://buy.example/${braces}`;
    const quoted = JSON.stringify(url);
    for (const field of ['buyNow', 'instalments', 'checkout']) {
      const names = {
        instalments: '{domain}',
        buyNow: '{domain}, {label}, {amount}, {minor}, {currency} or {currency_lower}',
        checkout:
          '{domain}, {label}, {amount}, {minor}, {currency}, {currency_lower}, {email} or {reference}',
      }[field];
      const ending = `has ${braces}, which is not filled in: write ${names}, or no braces`;
      const [, ...lines] = errorOf(entry({ [field]: quoted })).split('\n');
      assert.equal(lines.length, 1, lines.join('\n'));
      assert.match(lines[0] ?? '', /:8:\d+ {2}entry 1 /);
      assert.ok(lines[0]?.endsWith(`field ${field} ${ending}`), lines[0]);
      const defaults = errorOf(`${entry({})}defaults: { ${field}: ${quoted} }\n`).split('\n');
      assert.deepEqual(
        [defaults.length, defaults[1]?.endsWith(`defaults, field ${field} ${ending}`)],
        [2, true],
      );
    }
    const ending = `has ${braces}, which is not filled in: write {domain}, or no braces`;
    const [, brokerUrl, ...more] = errorOf(entry({}), JSON.stringify(`${url}{domain}`)).split('\n');
    assert.ok(brokerUrl?.endsWith(`:2:14  section settings, field brokerUrl ${ending}`), brokerUrl);
    assert.deepEqual(more, []);
  }
  for (const [line, field] of [
    ['links: [{ text: A, url: "https://a.example/{domain}" }]', 'links number 1, url'],
    ['links: [{ text: A, url: "mailto:{domain}@a.example" }]', 'links number 1, url'],
    ['escrow: { text: A, url: "https://a.example/{domain}" }', 'escrow, url'],
  ] as const) {
    const [, wrong = '', ...more] = errorOf(entry({}), `https://broker.example/{domain}\n  ${line}`).split(
      '\n',
    );
    assert.ok(wrong.endsWith(`field ${field} has {domain}, which is not filled in: write no braces`), wrong);
    assert.match(wrong, /broken\.yaml:3:\d+ /);
    assert.deepEqual(more, []);
  }
});

test('invalid YAML is reported with its line', () => {
  assert.match(
    errorOf('  - name: "lap.app\n'),
    /broken\.yaml:\d+:\d+ {2}entry 1 \(lap\.app\), field name is not readable as YAML/,
  );
  assert.match(errorOf('  - {name: a.app, name: b.app}\n'), /the key is there twice: remove one of them$/);
  assert.match(
    errorOf(entry({ description: '*great* name' })),
    /entry 1, field description is not readable as YAML/,
  );
  assert.match(errorOf(entry({ price: '*great' })), /field price .* begins with \* goes in quotes$/);
});

test('a text with a colon is reported with entry, field and fix', () => {
  const text = entry({ name: 'one.example' }) + entry({ description: 'Short: and sweet: and dear' });
  const [, expected, ...more] = errorOf(text).split('\n');
  assert.match(
    expected ?? '',
    /broken\.yaml:10:18 {2}entry 2 \(lap\.app\), field description is not readable/,
  );
  assert.match(expected ?? '', /YAML: a text with ": " in it goes in quotes$/);
  assert.deepEqual(more, []);
  assert.match(errorOf(entry({}), 'https: //x'), /section settings, field brokerUrl is not readable/);
});

for (const description of ['The #1 name', '#1 name', 'The #1 name\n      of all']) {
  test(`a text cut off by a YAML comment is reported: ${description}`, () => {
    const [, expected] = errorOf(entry({ description })).split('\n');
    assert.match(
      expected ?? '',
      /entry 1 \(lap\.app\), field description is cut off: everything after # was left out: put the text in quotes$/,
    );
  });
}

for (const [description, mark] of [
  ['&great thing indeed', '&'],
  ['!wow this is good', '!'],
] as const) {
  test(`a text that begins with YAML syntax is reported: ${description}`, () => {
    assert.match(
      errorOf(entry({ description })),
      new RegExp(
        `entry 1 \\(lap\\.app\\), field description is cut off: .* begins with ${mark} goes in quotes$`,
      ),
    );
  });
}

test('a YAML anchor can be used in every entry', () => {
  const others = Array.from({ length: 300 }, (_, n) => entry({ name: `n${n}.example`, price: '*p' }));
  const { domains } = loadCatalogue(file(entry({ price: '&p $5,000' }) + others.join('')));
  assert.deepEqual(new Set(domains.map(({ price }) => price)), new Set(['$5,000']));
});

test('tabs, second documents and misaligned keys are reported with a fix', () => {
  assert.match(errorOf('\t- name: lap.app\n'), /a line begins with a tab: put spaces there/);
  assert.match(
    errorOf(`${entry({})}---\nmore: 1\n`),
    /a line with --- or \.\.\. begins another document: remove it/,
  );
});

test('a file in another encoding is reported', () => {
  for (const encoding of ['latin1', 'utf16le'] as const) {
    const text = `\uFEFF${entry({ description: 'Schöne Größe.' })}`;
    writeFileSync(join(folder, 'broken.yaml'), Buffer.from(text, encoding));
    assert.match(whyNot(join(folder, 'broken.yaml')), /is not in UTF-8: save it with that encoding$/);
  }
});

test('comments are ignored, and a # in quotes or inside a word is text', () => {
  const { domains } = loadCatalogue(
    file(
      entry({
        price: '$10,000   # for your own notes',
        description: '"The #1 name" #yes',
        hasBroker: 'true #yes\n    #about: later',
        about: '|\n      The #1: name',
      }) + entry({ name: 'other.example   ## sold?', description: 'C# is a language.\n    #about: later' }),
    ),
  );
  assert.deepEqual(
    domains.map(({ description }) => description),
    ['The #1 name', 'C# is a language.'],
  );
});

test('a missing file, an empty one and a folder are reported', () => {
  assert.throws(() => loadCatalogue(join(folder, 'none.yaml')), /none\.yaml {2}is not there: create it/);
  assert.match(whyNot(write('')), /broken\.yaml {2}is empty: write the section domains/);
  assert.match(whyNot(folder), /is a folder: name a file with the setting CATALOGUE/);
});

test('a JSON catalogue is loaded, and its errors are reported with their lines', () => {
  const catalogue = loadCatalogue(file(entry({})));
  const json = join(folder, 'catalogue.json');
  writeFileSync(json, JSON.stringify(catalogue));
  assert.deepEqual(loadCatalogue(json), catalogue);
  writeFileSync(json, JSON.stringify({ ...catalogue, domains: [{ name: 'lap' }] }, null, 2));
  assert.match(whyNot(json), /catalogue\.json:12:15 {2}entry 1 \(lap\), field name "lap" is not a domain/);
  writeFileSync(json, JSON.stringify(catalogue).replace('"name":', '"name": "twice.app", "name":'));
  assert.match(whyNot(json), /the key is there twice/);
  writeFileSync(json, '{"settings": ');
  assert.match(whyNot(json), /catalogue\.json:1:/);
});

test('ten thousand entries are loaded in time', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => entry({ name: `name-${index}.example` })).join(
    '',
  );
  assert.equal(loadCatalogue(file(many)).domains.length, 10_000);
});

test('the time to load a catalogue grows no faster than the uses of an anchor', () => {
  const aliases = Array.from({ length: 5_000 }, (_, n) => entry({ name: `n${n}.example`, price: '*p' }));
  const many = file(entry({ price: '&p $5,000' }) + aliases.join(''));
  const begun = process.cpuUsage();
  assert.equal(loadCatalogue(many).domains.length, 5_001);
  const { user } = process.cpuUsage(begun);
  assert.ok(user < 10_000_000, `${user / 1_000_000} s of processor time`);
});

/** A YAML entry; a field given as undefined is left out. */
test('a description may be a text for each language', () => {
  const [loaded] = loadCatalogue(file(entry({ description: '{ en: Short., de: " Kurz. " }' }))).domains;
  assert.deepEqual(loaded?.description, { en: 'Short.', de: 'Kurz.' });
});

test('a description by language has known languages, texts, and one in the first language', () => {
  const german = 'https://broker.example/{domain}\n  languages: [de, en]';
  for (const [description, message, brokerUrl] of [
    [
      '{ en: Short., xx: Court. }',
      /:6:36 {2}entry 1 \(lap\.app\), field description, xx is not a language .* one of de, en/,
    ],
    ['{ en: Short., de: "" }', /field description, de is empty: write one or two sentences/],
    ['{ en: 5 }', /field description, en is a number: put it in quotes/],
    ['{ de: Kurz. }', /field description has no text in en, the first of the site’s languages: write one/],
    ['{ en: Short. }', /field description has no text in de, the first/, german],
    ['[Short.]', /field description is not right: write one or two sentences/],
  ] as const) {
    assert.match(errorOf(entry({ description }), brokerUrl), message);
  }
});

test('replyWithin is a time in hours or days', () => {
  const within = (time: string) => `https://broker.example/{domain}\n  replyWithin: ${time}`;
  for (const time of ['3 days', '1 day', '36 hours', '1 hour']) {
    assert.equal(loadCatalogue(file(entry({}), within(time))).settings.replyWithin, time);
  }
  assert.equal(loadCatalogue(file(entry({}))).settings.replyWithin, undefined);
  for (const time of ['3', '0 days', '3 weeks', 'soon', '1.5 days', '1000 days', '3days', '-1 days']) {
    const expected = `section settings, field replyWithin "${time}" is not a time: write hours or days, such as 36 hours or 3 days`;
    assert.ok(errorOf(entry({}), within(time)).includes(expected), time);
  }
});

test('currencies says what shared signs stand for, in prices and minimums too', () => {
  const withSigns = (signs: string) => `https://broker.example/{domain}\n  currencies: ${signs}`;
  const { settings } = loadCatalogue(file(entry({}), withSigns('{ $: CAD, kr: SEK, ¥: JPY }')));
  assert.deepEqual(settings.currencies, { $: 'CAD', kr: 'SEK', '¥': 'JPY' });
  for (const [signs, message] of [
    [
      '{ kr: EUR }',
      'field currencies, kr "EUR" is not a currency with the sign kr: write its code, such as SEK',
    ],
    ['{ $: usd }', 'field currencies, $ "usd" is not a currency with the sign $'],
    ['{ ¥: 5 }', 'field currencies, ¥ is a number: write the code of a currency, such as SEK'],
    ['{ £: GBP }', 'is not a known field: remove it or correct its spelling'],
    ['SEK', 'field currencies is not right: write signs with their currency, such as { $: CAD, kr: SEK }'],
  ] as const) {
    assert.ok(errorOf(entry({}), withSigns(signs)).includes(message), errorOf(entry({}), withSigns(signs)));
  }
  const inKroner = entry({ minimum: '5 000 kr' });
  assert.match(
    errorOf(inKroner),
    /field minimum "5 000 kr" is not a minimum: write an amount with its currency/,
  );
  assert.ok(loadCatalogue(file(inKroner, withSigns('{ kr: SEK }'))));
});

test('the colour scheme is light, dark or auto', () => {
  const withScheme = (scheme: string) => `https://broker.example/{domain}\n  colorScheme: ${scheme}`;
  assert.equal(loadCatalogue(file(entry({}), withScheme('dark'))).settings.colorScheme, 'dark');
  assert.match(
    errorOf(entry({}), withScheme('black')),
    /:3:16 {2}section settings, field colorScheme is not right: write light, dark or auto/,
  );
});

function entry(fields: Record<string, string | undefined>): string {
  const all = { name: 'lap.app', price: '$10,000', description: 'Short.', hasBroker: 'true', ...fields };
  const lines = Object.entries(all).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}: ${value}`,
  );
  return lines.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}\n`).join('');
}

function file(domains: string, brokerUrl = 'https://broker.example/{domain}'): string {
  return write(`settings:\n  brokerUrl: ${brokerUrl}\ndomains:\n${domains}`);
}

function write(text: string): string {
  const path = join(folder, 'broken.yaml');
  writeFileSync(path, text);
  return path;
}

function errorOf(domains: string, brokerUrl?: string): string {
  return whyNot(file(domains, brokerUrl));
}

function whyNot(path: string): string {
  try {
    loadCatalogue(path);
  } catch (error) {
    assert.ok(error instanceof CatalogueError);
    return error.message;
  }
  return assert.fail('The catalogue was accepted.');
}

test('a link to pay leads to a host that nothing fills in, and is short', () => {
  const whyNot = (url: string) => {
    const [, line, ...more] = errorOf(
      entry({}),
      `https://broker.example/{domain}\n  checkout: ${JSON.stringify(url)}`,
    ).split('\n');
    assert.deepEqual(more, []);
    assert.match(line ?? '', /:3:13 {2}section settings, field checkout /, url);
    return line ?? '';
  };
  for (const url of [
    'https://{amount}.pay.example/x',
    'https://pay.example{domain}/x',
    'https://pay.example:{amount}/x',
    'https://{email}',
    'https://{email}?x',
    '{label}://pay.example/x',
    'https://{label}@pay.example/x',
  ])
    assert.match(whyNot(url), /has a placeholder in its host|is not an address of a web page/, url);
  for (const url of [
    'javascript:alert(1)',
    'http://pay.example/x',
    'https://user:word@pay.example/x',
    'https://user@pay.example/x',
    'https://pay.example\\@elsewhere.example',
    'https://pay.example/\u202e{amount}',
    '//pay.example/{amount}',
    ' https://pay.example',
  ])
    assert.match(whyNot(url), /is not an address of a web page/, url);
  assert.match(
    whyNot(`https://pay.example/${'x'.repeat(2_000)}`),
    /is too long: keep it under 2001 characters/,
  );
  const { settings } = loadCatalogue(
    file(
      entry({}),
      'https://broker.example/{domain}\n  checkout: "https://pay.example/{label}?{amount}#{reference}"',
    ),
  );
  assert.equal(settings.checkout, 'https://pay.example/{label}?{amount}#{reference}');
});

test('no link of a text has a host that the buyer typed', () => {
  for (const field of ['closing', 'afterPayment']) {
    const whyNot = (text: string) =>
      errorOf(entry({}), `https://broker.example/{domain}\n  ${field}: ${JSON.stringify(text)}`);
    for (const text of [
      '[pay](https://{email}/x)',
      '<https://pay.example.{amount}>',
      'https://{reference}:8443',
    ])
      assert.match(
        whyNot(text),
        new RegExp(`field ${field} has https://.*, a placeholder in the host of a link`),
        text,
      );
    loadCatalogue(
      file(
        entry({}),
        `https://broker.example/{domain}\n  ${field}: "[pay](https://{domain}/{email}), {amount}"`,
      ),
    );
  }
});

test('settings of payments are checked', () => {
  const whyNot = (line: string) => errorOf(entry({}), `https://broker.example/{domain}\n  ${line}`);
  for (const days of ['0', '91', '1.5', '"7"', 'soon'])
    assert.match(
      whyNot(`payDays: ${days}`),
      /field payDays .*write a number of days from 1 to 90, such as 7/,
      days,
    );
  for (const host of [
    'https://pay.example',
    'pay.example:8443',
    'Pay.example',
    'pay.example/x',
    '*.example',
    'user@pay.example',
  ])
    assert.match(
      whyNot(`checkoutHosts: ["${host}"]`),
      /checkoutHosts number 1 ".*" is not a host name/,
      host,
    );
  assert.match(
    whyNot('checkoutHosts: pay.example'),
    /checkoutHosts is not right: write a list, such as \[pay\.example\.com\]/,
  );
});
