import { domains } from '../../../catalogue.js';

/** As many as the product lists on a page. */
const LISTING = 48;
const pages = Math.ceil(domains.length / LISTING);

export const dynamicParams = false;

export function generateStaticParams() {
  return Array.from({ length: pages }, (_, at) => ({ page: at === 0 ? [] : [String(at + 1)] }));
}

export default async function Listing({ params }) {
  const [page = '1'] = (await params).page ?? [];
  const start = (Number(page) - 1) * LISTING;
  return (
    <>
      <h1>All domains</h1>
      <ul>
        {domains.slice(start, start + LISTING).map(({ name }) => (
          <li key={name}>
            <a href={`/sites/${name}/`}>{name}</a>
          </li>
        ))}
      </ul>
      <p>
        Page {page} of {pages}
      </p>
    </>
  );
}
