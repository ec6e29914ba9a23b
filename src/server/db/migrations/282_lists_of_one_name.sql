-- An account of Brevo may have two lists of one name, which are known by their numbers.
drop index automations_once;
create unique index automations_once on automations
  (quiz_id, provider, coalesce(result_id, answer_id), lower(label_name), coalesce(vendor_id, ''));
