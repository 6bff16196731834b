import { breakBeforeEnding } from '../catalogue/break-before-ending.ts';

/** As components/DomainCards.astro has it. */
export function DomainName({ name }: { name: string }) {
  const [stem, ending] = breakBeforeEnding(name);
  return (
    <>
      {stem}
      <wbr />
      {ending}
    </>
  );
}
