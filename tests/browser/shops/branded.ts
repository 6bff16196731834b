/** The owner's theme, logo and texts, with every option that a page has. */
import { testWithShop } from '../test-with-shop.ts';

const THEME = `:root {
  --page: light-dark(#fbf7f0, #14110d);
  --surface: light-dark(#fffdf9, #1d1913);
  --accent: light-dark(#8a3b12, #f3b48b);
  --font: Georgia, "Times New Roman", serif;
  --radius: 0;
}
`;
/** Hostile: what it runs would mark its document and send a request. */
const RUN = "document.documentElement.setAttribute('data-ran','');new Image().src='/ran'";
export const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 30" onload="${RUN}">
  <script>${RUN}</script>
  <defs><linearGradient id="offline"><stop stop-color="#8a3b12"/><stop offset="1" stop-color="#c9702f"/></linearGradient></defs>
  <circle cx="15" cy="15" r="14" fill="url(#offline)"/>
  <path d="M34 4h22v6H34zM34 14h16v6H34zM34 24h20v4H34z"/>
  <image href="/ran.png" width="1" height="1"/>
  <foreignObject width="1" height="1"><img xmlns="http://www.w3.org/1999/xhtml" src="/ran.png" onerror="${RUN}"/></foreignObject>
</svg>
`;
const TEXTS = {
  en: 'page.header: Names worth owning\nheadline.selected.1: Make\nheadline.selected.2: yours\nform.submit: Send my offer\n',
  de: 'page.header: Namen, die bleiben\nform.submit: Gebot abgeben\n',
};

const DOMAINS = ['lap.app', 'site.example', 'host.example', 'sample.app'].map((name, index) => ({
  name,
  // The second as imports of before wrote it.
  price: ['$15,000', 'USD 4000', 'make an offer', '$9,000'][index],
  // One description is not translated.
  description: name === 'host.example' ? `About ${name}.` : { en: `About ${name}.`, de: `Über ${name}.` },
  hasBroker: name !== 'sample.app',
  // Its length is the owner's choice.
  ...(name === 'lap.app' && { about: 'A **longer** text.' }),
  buyNow: `https://buy.example/${name}`,
  instalments: `https://buy.example/${name}/instalments`,
}));
/** Every option that a page has. */
const SETTINGS = {
  brokerUrl: 'https://broker.example/{domain}',
  languages: ['en', 'de'],
  contact: 'offers@example.com',
  showPrice: 'everywhere',
  owner: 'Ada Example',
  links: [
    { text: 'Imprint', url: 'https://ada.example/imprint' },
    { text: 'Privacy', url: 'https://ada.example/privacy' },
    { text: 'ada@example.com', url: 'mailto:ada@example.com' },
    { text: '+1 555 0100', url: 'tel:+1-555-0100' },
  ],
  emailUse: 'Only used to answer you.',
  escrow: { text: 'How escrow works', url: 'https://escrow.example/how' },
  offerMessage: true,
  replyWithin: '3 days',
};

export const test = testWithShop({
  name: 'branded',
  catalogue: { settings: SETTINGS, domains: DOMAINS },
  files: {
    'own/theme.css': THEME,
    'own/logo.svg': LOGO,
    'own/logo-dark.svg': LOGO.replaceAll('<path', '<path fill="#fff"'),
    'own/texts.en.yaml': TEXTS.en,
    'own/texts.de.yaml': TEXTS.de,
  },
});
