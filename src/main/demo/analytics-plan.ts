import { type CatalogPlan, materializedView, partitioned, schema, table, view } from './catalog-plan.ts';

const read = (principal: string) => ({ principal, privilege: 'SELECT' });

/** What the shop learns about its visitors. Eight absences in all: the guard holds a round only above ten. */
export const analyticsPlan: CatalogPlan = {
  name: 'analytics',
  comment: 'What visitors do, and what follows from it',
  owner: 'lena',
  objects: [
    schema('events', { owner: 'lena' }),
    partitioned(
      ['events', 'page_views'],
      {
        columns: 'visitor uuid, page text, seen_on date not null',
        by: 'range (seen_on)',
        partitions: {
          page_views_old: "from (minvalue) to ('2025-01-01')",
          page_views_new: "from ('2025-01-01') to (maxvalue)",
        },
      },
      { owner: 'lena', tags: ['gold'], grants: [read('analysts')] },
    ),
    table(['events', 'clicks'], 'visitor uuid, target text, at timestamptz', {
      owner: 'lena',
      grants: [read('analysts')],
    }),
    table(['events', 'searches'], 'visitor uuid, words text, at timestamptz', {
      owner: 'lena',
      tags: ['pii'],
      policies: ['delete-after-90-days'],
    }),
    table(['events', 'sessions'], 'id uuid primary key, visitor uuid, began timestamptz, ended timestamptz'),
    table(['events', 'signups'], 'visitor uuid, at timestamptz', { grants: [read('analysts')] }),
    table(['events', 'consent'], 'visitor uuid primary key, given boolean', { tags: ['pii'] }),
    view(['events', 'active_sessions'], 'select id, visitor from events.sessions where ended is null'),

    schema('marts', { owner: 'lena', grants: [read('board')] }),
    table(['marts', 'customer_value'], 'customer bigint primary key, value numeric', {
      owner: 'lena',
      tags: ['gold'],
      grants: [read('board'), read('marketing')],
    }),
    table(['marts', 'churn_scores'], 'customer bigint primary key, score real', { owner: 'ravi', tags: ['ml'] }),
    table(['marts', 'forecasts'], 'day date primary key, revenue numeric', { owner: 'ravi', tags: ['ml'] }),
    table(['marts', 'cohorts'], 'month date, customers int'),
    view(['marts', 'funnel'], 'select s.at, c.given from events.signups s join events.consent c using (visitor)'),
    view(['marts', 'weekly_report'], 'select month, sum(customers) from marts.cohorts group by month', {
      owner: 'lena',
      grants: [read('board')],
    }),
    materializedView(['marts', 'traffic_by_day'], 'select seen_on, count(*) from events.page_views group by seen_on', {
      tags: ['gold'],
    }),

    schema('experiments', { owner: 'ravi', tags: ['temporary'] }),
    table(['experiments', 'assignments'], 'visitor uuid, variant text', { owner: 'ravi' }),
    table(['experiments', 'checkout_button'], 'variant text, clicks int'),
    table(['experiments', 'free_shipping'], 'variant text, orders int'),
    view(['experiments', 'results'], 'select variant, clicks from experiments.checkout_button', { owner: 'ravi' }),
  ],
  drift: `
    drop schema if exists experiments cascade;
    drop table if exists events.searches;
    drop table if exists marts.churn_scores;
    drop view if exists marts.weekly_report;
    alter table if exists events.clicks rename to link_clicks;
    drop table if exists marts.customer_value;
    create table marts.customer_value (customer bigint primary key, value numeric, as_of date)`,
};
