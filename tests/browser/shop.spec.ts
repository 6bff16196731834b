/** What one product shows that is built from a catalogue of the owner's: these files share its build and its start. */
import './shop/first-view.ts';
import './shop/owners-catalogue.ts';
import './shop/sold.ts';
