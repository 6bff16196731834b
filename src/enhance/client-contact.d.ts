import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates with the visitor's first contact with any island; see `contact-directive.ts`. */
    'client:contact'?: boolean;
  }
}
