import { useQuery } from '@tanstack/react-query';
import type { NameNumbers } from '#contract/calls.ts';
import { numbersQuery } from '../stores/admin.ts';
import { Icon } from './Icon.tsx';
import { changeOf, lineOf, visitsText } from './visit-shares.ts';

/** `↑ 18 %`: visits of 30 days against the 30 before. */
export function Change({ numbers }: { numbers: NameNumbers }) {
  const { arrow, text } = changeOf(numbers);
  return (
    <span key={`${arrow} ${text}`} className="below">
      {arrow && <Icon name={arrow} />}
      {arrow && <span className="visually-hidden">{arrow === 'up' ? 'up' : 'down'} </span>}
      {text}
    </span>
  );
}

/** Visits in each of 12 times 30 days. */
export function YearLine({ periods }: Pick<NameNumbers, 'periods'>) {
  const drawn = lineOf(periods);
  if (!drawn) return null;
  const [x, y] = drawn.end;
  return (
    <svg
      className="year-line"
      viewBox="0 0 112 28"
      role="img"
      aria-label={`Visits in 12 times 30 days, oldest first: ${periods.join(', ')}`}
    >
      <path className="area" d={`${drawn.line} ${x},24 4,24Z`} />
      <path d={drawn.line} />
      <circle cx={x} cy={y} r="2.5" />
    </svg>
  );
}

/** In the opened row of an offer. Nothing while no server counts. */
export function VisitsOf({ name }: { name: string }) {
  const { data } = useQuery(numbersQuery(name));
  return data ? <p key={data.month}>{visitsText(data)}</p> : null;
}
