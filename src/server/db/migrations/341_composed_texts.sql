-- New parameters are stored composed (NFC), so that equal values are counted together. Earlier ones are composed here, with
-- their counters; 311 does so for replies. A database in another encoding than UTF-8 cannot normalise, and stays unchanged.
do $$
begin
  if current_setting('server_encoding') <> 'UTF8' then return; end if;
  update responses set parameters = (
    select jsonb_object_agg(name, normalize(value, nfc)) from jsonb_each_text(parameters) as typed(name, value)
  )
  where parameters::text is not nfc normalized;
  with composed as (
    delete from parameter_counts where value is not nfc normalized returning *
  )
  insert into parameter_counts as kept (quiz_id, name, value, count)
  select quiz_id, name, normalize(value, nfc), sum(count) from composed group by 1, 2, 3
  on conflict (quiz_id, name, value) do update set count = kept.count + excluded.count;
end
$$;
