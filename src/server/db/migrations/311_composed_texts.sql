-- New replies are stored composed (NFC), so that equal texts are counted together. Those of before are composed here,
-- with their counters. A database in another encoding than UTF-8 cannot normalise, and keeps what it has.
do $$
begin
  if current_setting('server_encoding') <> 'UTF8' then return; end if;
  update responses set texts = array(
    select normalize(text, nfc) from unnest(texts) with ordinality as typed(text, rank) order by rank
  )
  where array_to_string(texts, '') is not nfc normalized;
  update test_responses set texts = array(
    select normalize(text, nfc) from unnest(texts) with ordinality as typed(text, rank) order by rank
  )
  where array_to_string(texts, '') is not nfc normalized;
  with decomposed as (
    delete from text_counts where text is not nfc normalized
    returning quiz_id, question_id, normalize(text, nfc) as text, count
  ), composed as (
    select quiz_id, question_id, text, sum(count) as count from decomposed group by 1, 2, 3
  )
  insert into text_counts as kept (quiz_id, question_id, digest, text, count)
  select quiz_id, question_id, sha256(convert_to(text, 'UTF8')), text, count
  from composed order by quiz_id, question_id, text
  on conflict (quiz_id, question_id, digest) do update set count = kept.count + excluded.count;
end
$$;
