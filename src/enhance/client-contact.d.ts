import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates on the visitor's first interaction with any island; see `contact-directive.ts`. */
    'client:contact'?: boolean;
  }
}
