import { domains } from '../../../catalogue.js';

/** The product’s number of domains on a page of domains. */
const DOMAINS_PER_PAGE = 48;
const pages = Math.ceil(domains.length / DOMAINS_PER_PAGE);

export const dynamicParams = false;

export function generateStaticParams() {
  return Array.from({ length: pages }, (_, at) => ({ page: at === 0 ? [] : [String(at + 1)] }));
}

export default async function Listing({ params }) {
  const [page = '1'] = (await params).page ?? [];
  const start = (Number(page) - 1) * DOMAINS_PER_PAGE;
  return (
    <>
      <h1>All domains</h1>
      <ul>
        {domains.slice(start, start + DOMAINS_PER_PAGE).map(({ name }) => (
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
