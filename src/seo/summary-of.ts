/** About so many characters of a description are shown in a list of results. */
const SHOWN = 155;

/** The owner's description with a call to action after it, where both are shown. */
export function summaryOf(description: string, call: string): string {
  const both = `${description} ${call}`;
  return both.length <= SHOWN ? both : description;
}
