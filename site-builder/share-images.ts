/** Adds the share images to a build: one for each domain, and one for the page with nothing selected. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { type Colour, coloursWith, schemesOf } from '../src/branding/design-tokens.ts';
import { type Branding, loadBranding } from '../src/branding/load-branding.ts';
import { logosOf } from '../src/branding/shown-branding.ts';
import { type Catalogue, loadCatalogue } from '../src/catalogue/load.ts';
import { isForSale } from '../src/catalogue/related-domains.ts';
import { messagesOf } from '../src/i18n/languages.ts';
import { withOwnTexts } from '../src/i18n/own-texts.ts';
import { MAX_NAMES, namesWithImage, shareImagePath } from '../src/seo/share-image.ts';
import { BUILDS } from './live-build.ts';
import { drawnName, drawShareImage, type ShareImage } from './share-image.ts';

/** Images by what they show. On the mount of the builds, which share them by hard links. */
const CACHE = join(BUILDS, 'share');
const CODE = ['share-image.ts', '../src/catalogue/shown-name.ts', '../src/branding/fonts.conf'];

/** @param client folder of the build's files */
export async function addShareImages(client: string): Promise<void> {
  const { domains, settings } = loadCatalogue();
  const branding = loadBranding();
  const [logo] = await logosOf(branding, settings.colorScheme);
  const images = describeImages(namesWithImage(domains), branding, settings);
  // The logo's path changes with its content.
  const drawnWith = JSON.stringify([versions(), logo?.path]);
  const wanted = [...images].map(([path, image]) => {
    const key = createHash('sha256').update(drawnWith).update(JSON.stringify(image)).digest('base64url');
    return { target: join(client, path), image: { ...image, logo: logo?.bytes }, cached: `${key}.png` };
  });
  mkdirSync(CACHE, { recursive: true });
  mkdirSync(join(client, dirname(shareImagePath())), { recursive: true });
  const missing = wanted.filter(({ cached }) => !existsSync(join(CACHE, cached)));
  const waiting = missing.values();
  const drawWaiting = async () => {
    for (const { image, cached } of waiting) {
      const file = join(CACHE, cached);
      writeFileSync(`${file}.new`, await drawShareImage(image));
      renameSync(`${file}.new`, file);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, drawWaiting));
  for (const { cached, target } of wanted) linkSync(join(CACHE, cached), target);
  const current = new Set(wanted.map(({ cached }) => cached));
  for (const file of readdirSync(CACHE)) if (!current.has(file)) rmSync(join(CACHE, file));
  console.log(`Share images drawn: ${missing.length.toLocaleString('en-US')}.`);
  if (domains.length > MAX_NAMES && domains.some(isForSale))
    console.log('There are more than 1,000 names: all pages share one image.');
}

/** By path on the site, in the first language and its colours. */
function describeImages(
  names: readonly string[],
  branding: Branding,
  { languages, colorScheme }: Catalogue['settings'],
): Map<string, ShareImage> {
  const [language = 'en'] = languages;
  const { seo, headline, page } = withOwnTexts(messagesOf(language), branding.texts[language] ?? {});
  const [scheme = 'light'] = schemesOf(colorScheme);
  const colours = coloursWith(branding.tokens);
  const colourOf = (token: string) => (colours[token] as Colour)[scheme];
  const common = {
    header: page.header,
    colours: {
      page: colourOf('page'),
      ink: colourOf('ink'),
      inkSoft: colourOf('ink-soft'),
      accent: colourOf('accent'),
    },
  };
  const home = { ...common, name: headline.unselected.join(' ').trim(), line: seo.inImage.home };
  return new Map<string, ShareImage>([
    [shareImagePath(), home],
    ...names.map((name): [string, ShareImage] => [
      shareImagePath(name),
      { ...common, name: drawnName(name), line: seo.inImage.domain },
    ]),
  ]);
}

/** The drawing code and the versions of what it draws with. */
function versions(): unknown[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const code = CODE.map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'));
  return [sharp.versions, packages['node_modules/@expo-google-fonts/inter'].version, code];
}
