import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    /** Hydrates on the visitor's first interaction with any island; see `interaction-directive.ts`. */
    'client:interaction'?: boolean;
  }
}
