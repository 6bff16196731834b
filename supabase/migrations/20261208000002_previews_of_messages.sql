-- A preview of a message keeps an amount: a salutation holds no figure, and ends before white space. `Hello I offer $5.000` was shown as
-- `000`.

create or replace function private.salutation() returns text
language sql immutable set search_path = ''
as $$
  select '^\s*(?:hi|hello|hey|dear|good (?:day|morning|afternoon|evening)|greetings|to whom it may concern'
    || '|hallo|guten (?:tag|morgen|abend)|sehr geehrte[rs]?|liebe[rs]?|moin|servus|grüezi|grüß gott'
    || '|bonjour|salut|hola|buenos d[ií]as|ciao|buongiorno|ol[aá])\M'
    -- A name of a few words without a figure, which may be an amount, then a mark before white space, or the end of the line.
    || '(?![ \t]+(?:i|we|my|our|is|are|ich|wir|meine?|unsere?|ist)\M)'
    || '(?:[ \t]+(?:(?:mr|mrs|ms|dr|prof)\.|[^\s\d,.!:;?]+)){0,4}[ \t]*(?:[,.!:;–-]+\s|[\n\r])\s*(?=\S)';
$$;
