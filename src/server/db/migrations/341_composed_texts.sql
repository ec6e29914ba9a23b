-- Texts are stored with composed letters (NFC) from now on. Those of before are composed too, so that one answer that
-- was typed on two devices is counted and found as one.
update responses set
  email = normalize(email, NFC),
  texts = array(
    select normalize(text, NFC) from unnest(texts) with ordinality as given(text, rank) order by rank
  )
where email is not nfc normalized
  or exists (select from unnest(texts) as given(text) where text is not nfc normalized);

update responses set parameters = (
  select jsonb_object_agg(name, normalize(value, NFC)) from jsonb_each_text(parameters) as came(name, value)
)
where parameters::text is not nfc normalized;

with composed as (
  delete from text_counts where text is not nfc normalized returning *
)
insert into text_counts (quiz_id, question_id, digest, text, count)
select quiz_id, question_id, sha256(convert_to(normalize(text, NFC), 'UTF8')), normalize(text, NFC), sum(count)
from composed group by 1, 2, 3, 4
on conflict (quiz_id, question_id, digest) do update set count = text_counts.count + excluded.count;

with composed as (
  delete from parameter_counts where value is not nfc normalized returning *
)
insert into parameter_counts (quiz_id, name, value, count)
select quiz_id, name, normalize(value, NFC), sum(count) from composed group by 1, 2, 3
on conflict (quiz_id, name, value) do update set count = parameter_counts.count + excluded.count;
