-- Who paid the outputs of a block commit, as nodes after 4.0.2 tell it; '' where they do not. Nobody proves it.
alter table burn_pox_outputs add column payer text not null default '';
