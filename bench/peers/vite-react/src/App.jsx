/** The same page as most would write it today: React in the browser, and supabase-js to send the offer. */
import { createClient } from '@supabase/supabase-js';
import { useState } from 'react';
import { domains } from './domains.js';

const supabase = createClient(location.origin, 'sb_publishable_embedded');

export function App() {
  const [selected, setSelected] = useState(domains[1]);
  const [state, setState] = useState('editing');

  const submit = async (event) => {
    event.preventDefault();
    setState('submitting');
    const body = { domain_name: selected.name, ...Object.fromEntries(new FormData(event.currentTarget)) };
    const { error } = await supabase.functions.invoke('order-submit', { body });
    setState(error ? 'failed' : 'submitted');
  };

  return (
    <>
      <header className="bar">Your Next Domain Awaits</header>
      <main>
        <h1>Own {selected.name} Domain</h1>
        <p>Choose a name, tell us what it is worth to you, and hear from a person within 24 hours.</p>
        <fieldset className="cards">
          <legend>Choose your domain</legend>
          {domains.map((domain) => (
            <label key={domain.name} className="card">
              <input
                type="radio"
                name="domain"
                checked={domain === selected}
                onChange={() => setSelected(domain)}
              />{' '}
              <b>{domain.name}</b> <span>{domain.description}</span>
            </label>
          ))}
        </fieldset>
        <div className="desk">
          <form className="panel" onSubmit={submit}>
            <h2>Make an Offer</h2>
            <p>
              for <strong>{selected.name}</strong>
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
            {selected.hasBroker ? (
              <p>
                <a href={`https://broker.example/domains/${selected.name}`} target="_blank" rel="noopener">
                  Use Broker for {selected.name}
                </a>
              </p>
            ) : (
              <p>Our broker will contact you within 24 hours to discuss your offer.</p>
            )}
          </section>
        </div>
      </main>
    </>
  );
}
