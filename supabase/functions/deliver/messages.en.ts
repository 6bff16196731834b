import type { ConfirmationTexts } from './confirmation-texts.ts';

export const en: ConfirmationTexts = {
  subject: 'Your offer for {domain} has arrived',
  arrived: 'Your offer for {domain} arrived on {time}.',
  promise: "We'll get back to you within 24 hours.",
  ignore: 'If you made no offer, please ignore this message.',
};
