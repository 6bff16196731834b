'use client';
import { useState } from 'react';

/** The same page as Next would have it: rendered at build time, all of it hydrated. */
export function Storefront({ domains, initial }) {
  const [name, setName] = useState(initial);
  const [state, setState] = useState('editing');
  const selected = domains.find((domain) => domain.name === name);

  const submit = async (event) => {
    event.preventDefault();
    setState('submitting');
    const body = { domain_name: name, ...Object.fromEntries(new FormData(event.currentTarget)) };
    const answer = await fetch('/functions/v1/order-submit', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    setState(answer?.ok ? 'submitted' : 'failed');
  };

  return (
    <>
      <h1>Own {name ?? 'a Premium'} Domain</h1>
      <p>Choose a name, tell us what it is worth to you, and hear from a person within 24 hours.</p>
      <fieldset className="cards">
        <legend>Choose your domain</legend>
        {domains.map((domain) => (
          <label key={domain.name} className="card">
            <input
              type="radio"
              name="domain"
              checked={domain.name === name}
              onChange={() => setName(domain.name)}
            />{' '}
            <b>{domain.name}</b> <span>{domain.description}</span>
          </label>
        ))}
      </fieldset>
      <p>
        <a href="/domains/">Browse all domains</a>
      </p>
      <noscript>
        <p>Sending an offer needs JavaScript, which is switched off in this browser.</p>
      </noscript>
      <div className="desk">
        <form className="panel" onSubmit={submit}>
          <h2>Make an Offer</h2>
          <p>
            for <strong>{name}</strong>
          </p>
          <label className="field">
            Your Offer <input name="offer_amount" required />
          </label>
          <label className="field">
            Name <input name="customer_name" required autoComplete="name" />
          </label>
          <label className="field">
            Email <input name="customer_email" type="email" required autoComplete="email" />
          </label>
          {state === 'failed' && (
            <p role="alert">There was an error submitting your offer. Please try again.</p>
          )}
          {state === 'submitted' && <p role="status">Offer Submitted!</p>}
          <button type="submit" disabled={state === 'submitting'}>
            {state === 'submitting' ? 'Submitting...' : 'Submit Offer'}
          </button>
        </form>
        <section className="panel">
          <h2>Need Professional Assistance?</h2>
          {selected?.hasBroker ? (
            <p>
              <a href={`https://broker.example/domains/${name}`} target="_blank" rel="noopener">
                Use Broker for {name}
              </a>
            </p>
          ) : (
            <p>Our broker will contact you within 24 hours to discuss your offer.</p>
          )}
        </section>
      </div>
    </>
  );
}
