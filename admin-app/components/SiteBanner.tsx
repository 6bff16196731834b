import { useQuery } from '@tanstack/react-query';
import { botCheckQuery, offersStore, siteQuery } from '../stores/admin.ts';

/** What is wrong with the pages that are served, and with the database's schema. Nothing while all is well, or where it is unknown. */
export function SiteBanner() {
  const { data: site } = useQuery(siteQuery);
  const { data: botCheck = null } = useQuery(botCheckQuery);
  const { data: schema = null } = useQuery(offersStore.schemaQuery);
  const { catalogue, pages } = typeof site === 'object' ? site : {};
  if (catalogue === undefined && pages === undefined && botCheck === null && schema === null) return null;
  return (
    <section className="messages" aria-label="Site" data-status="failing">
      <div>
        <div role="alert">
          {schema !== null && <p>{schema}</p>}
          {botCheck !== null && <p>{botCheck}</p>}
          {pages !== undefined && <p>{pages}</p>}
          {catalogue !== undefined && (
            <p>
              <strong>
                The catalogue or the site’s branding has problems; the last good pages are served.
              </strong>
            </p>
          )}
        </div>
        {catalogue !== undefined && <Problems text={catalogue} />}
      </div>
    </section>
  );
}

/** Not part of the alert: there may be as many lines as entries. */
function Problems({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be of fields
    <pre className="problems" role="group" aria-label="Problems" tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}
