-- Results that were left without a name get the one that screens gave them.
update results set name = 'Résultat ' || (priority_order + 1) where btrim(name) = '';
alter table results add constraint results_name_filled check (btrim(name) <> '');
