interface ImportMetaEnv {
  /** Whether `npm run demo` builds. */
  readonly DEMO: boolean;
  /** False where the build has no `offerMessage`, so that scripts leave its code out (astro.config.mjs). */
  readonly OFFER_MESSAGE: boolean;
  /** The same for `minimum`. */
  readonly LOW_OFFERS: boolean;
  /** The same for `emailUse`. */
  readonly EMAIL_USE: boolean;
}

/** The islands' messages in each language of the site (site-data/island-messages-module.ts). */
declare module 'virtual:island-messages' {
  const messages: Record<import('./i18n/languages.ts').Language, import('./i18n/messages.ts').IslandMessages>;
  export default messages;
}

declare namespace App {
  /** What the server hands to pages that are rendered on request. */
  interface Locals {
    /** Host name of the request, in lower case and without port. */
    readonly host: string;
    /** The site's hosts, languages and settings, as the build that is served knows them. */
    readonly site: import('./serving/site-facts.ts').SiteFacts;
  }
}
