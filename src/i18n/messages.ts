import type { VisitorFieldName } from '#contract/offer-fields.ts';
import type { en } from './en.ts';
import type { FormRejection } from './form-rejections.ts';

/** Messages in the functions' own language, where their error messages are shown unchanged. en.ts describes each. */
export type OwnMessages = typeof en;

/** All messages of the storefront in one language. `{…}` is a placeholder, the same in each language. */
export interface Messages extends OwnMessages {
  /** The functions' error messages in this language, by code; {field} is the label of a form field. */
  rejections: Record<FormRejection, string>;
}

/**
 * Messages of the form, which the module `virtual:island-messages` has in each language of the site.
 */
export interface IslandMessages extends Partial<Pick<Messages, 'rejections'>> {
  form: FormMessages;
  /** The last steps of a sale; `escrow` where money goes there. */
  steps: Pick<Steps, 'transfer'> & Partial<Pick<Steps, 'escrow'>>;
  /** Within which the owner promises to answer. */
  replyHours: number;
}

type Steps = OwnMessages['page']['seller']['steps'];

/** Messages of the buyer's page. */
export type NegotiationMessages = OwnMessages['negotiation'];

/** An email or a link to reach the owner by. */
export interface OwnersContact {
  url: string;
  text: string;
  /** Where it differs from the page's. */
  lang?: string | undefined;
}

type OwnFormMessages = OwnMessages['form'];

/**
 * The form's messages with what the catalogue adds: `message` and `addMessage` are there with its setting `offerMessage`,
 * `low` and `noAmount` where a domain has a minimum, `contact` where the catalogue names one.
 */
export interface FormMessages extends OwnFormMessages {
  labels: Record<VisitorFieldName, string> & { message?: string };
  addMessage?: string;
  low?: string;
  noAmount?: string;
  contact?: OwnersContact;
  hints: OwnFormMessages['hints'] & Partial<Record<VisitorFieldName | 'message', string>>;
  /** Language of the hint below the email where it is the owner's and differs from the page's. */
  hintLanguage?: string;
}
