-- Whether the parameters of participants go into fields of the tool besides, and how the tool calls the field of each
-- parameter that was sent so far: {"utm_source": "utm_source"}; null where it does not accept one.
alter table quiz_integrations
  add column sends_parameters boolean not null default false,
  add column parameter_fields jsonb not null default '{}';
