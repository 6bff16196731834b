/** `client:interaction` in a build for a hosted project. A file of its own, because a directive is bundled without `define`. */
import './other-host.ts';

export { default } from './interaction-directive.ts';
