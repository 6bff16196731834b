import type { HostedProject } from '../project.ts';

export interface OutsideCheckOptions {
  readonly url: string;
  readonly publishableKey: string;
  /** The same project with the secret key, which reads its rights and erases the offer. */
  readonly project: HostedProject;
  /** An origin whose pages make offers, such as `https://lap.app`, and that of the admin host. */
  readonly siteOrigin: string;
  readonly adminOrigin: string;
  /** A domain that is for sale; undefined where none is. */
  readonly domain: string | undefined;
  /** Turnstile is the bot check of the pages. */
  readonly usesTurnstile: boolean;
  /** Undefined where the password is not known. */
  readonly administrator: { readonly email: string; readonly password: string } | undefined;
}
