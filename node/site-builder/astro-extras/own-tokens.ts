import { join } from 'node:path';
import { brandingFiles, THEME } from '../../../src/branding/branding-files.ts';
import { schemesOf } from '../../../src/branding/design-tokens.ts';
import { type Branding, loadBranding } from '../../../src/branding/load-branding.ts';
import { ownFolder } from '../../../src/catalogue/catalogue-file.ts';
import { loadCatalogue } from '../../../src/catalogue/load.ts';

/** Occurs in the style sheet of the design tokens only. */
const SCHEMES = 'color-scheme: light dark;';

/** Plugins for Vite that put the owner's values in place of the design tokens' own, and the one scheme of the setting. */
export function ownTokens() {
  const transform = {
    filter: { id: /\.css(?:\?|$)/ },
    handler(this: { addWatchFile(file: string): void }, code: string) {
      if (!code.includes(SCHEMES)) return undefined;
      // Also one that does not exist yet.
      for (const file of [join(ownFolder(), THEME), ...brandingFiles()]) this.addWatchFile(file);
      const { colorScheme } = loadCatalogue().settings;
      const { tokens } = loadBranding();
      return { code: withOwnTokens(code, tokens, schemesOf(colorScheme)), map: null };
    },
  };
  return [
    // `astro dev` shows style sheets as they are before the plugins in the usual order.
    { name: 'own-tokens', enforce: 'pre', transform },
    // After Vite's own has put together what @import names.
    { name: 'own-tokens-of-imports', transform },
  ] as const;
}

/** @param schemes in which the pages are shown */
export function withOwnTokens(css: string, tokens: Branding['tokens'], schemes: readonly string[]): string {
  const themed = Object.entries(tokens).reduce(
    (text, [name, value]) => text.replace(new RegExp(`(?<=^\\s*--${name}:)[^;]+`, 'm'), () => ` ${value}`),
    css,
  );
  return themed.replace(SCHEMES, `color-scheme: ${schemes.join(' ')};`);
}
