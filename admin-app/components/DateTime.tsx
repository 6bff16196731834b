import { formatDate } from './format-date.ts';

/**
 * The day and the time of day, in two lines where there is no room for one.
 * @param at as the data API wrote it
 */
export function DateTime({ at }: { at: string }) {
  const [day = '', time] = formatDate(at).split(/(?<=\d{4},) /);
  return (
    <time dateTime={at}>
      <span>{day}</span> <span>{time}</span>
    </time>
  );
}
