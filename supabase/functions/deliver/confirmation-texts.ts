/** Texts of the confirmation, in every language of the site. `{domain}` and `{time}` are filled in. */
export interface ConfirmationTexts {
  readonly subject: string;
  readonly arrived: string;
  readonly promise: string;
  readonly ignore: string;
}
