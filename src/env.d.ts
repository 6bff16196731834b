interface ImportMetaEnv {
  /** False where the build has no `offerMessage`, so that scripts leave its code out (astro.config.mjs). */
  readonly OFFER_MESSAGE: boolean;
  /** The same for `emailUse`. */
  readonly EMAIL_USE: boolean;
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
