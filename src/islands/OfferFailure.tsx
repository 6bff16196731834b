import type { Failure } from '../stores/offer.ts';
import type { FormTexts, Texts } from '../texts/texts.ts';

interface Props {
  failure: Failure;
  texts: FormTexts['failures'];
  /** By code; undefined where the page speaks the functions' own language. */
  refusals: Texts['refusals'] | undefined;
}

/** Says why the offer was not taken: a refusal in the page's language, or else as the function put it. */
export function OfferFailure({ failure, texts, refusals }: Props) {
  return (
    <p className="error" role="alert">
      {(failure.reason === 'refused' && wordsFor(failure, refusals)) || texts[failure.reason]}
    </p>
  );
}

function wordsFor(
  { code = '', sentence }: Extract<Failure, { reason: 'refused' }>,
  refusals: Record<string, string> = {},
): string | undefined {
  return Object.hasOwn(refusals, code) ? refusals[code] : sentence;
}
