-- New addresses are stored in one form (src/domain/mailbox.ts). Those of before come as near to it as SQL can bring them:
-- one form of each letter (NFKC), no invisible characters, ASCII full stops. Plain ASCII addresses are compared without
-- their case and stay. A database in another encoding than UTF-8 cannot normalise, and keeps what it has.
do $$
declare
  invisible constant text := '[\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e'
    '\u2060-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0]';
begin
  if current_setting('server_encoding') <> 'UTF8' then return; end if;
  update responses
  set email = lower(regexp_replace(regexp_replace(normalize(email, nfkc), '\u3002', '.', 'g'), invisible, '', 'g'))
  where email ~ '[^\x01-\x7f]';
  update test_responses
  set email = lower(regexp_replace(regexp_replace(normalize(email, nfkc), '\u3002', '.', 'g'), invisible, '', 'g'))
  where email ~ '[^\x01-\x7f]';
end
$$;
