-- The first page of whoever shares a domain, newest first, without gathering all of them.
drop index responses_by_domain;
create index responses_by_domain on responses
  (quiz_id, split_part(lower(email), '@', 2) text_pattern_ops, created_at desc) where email is not null;
