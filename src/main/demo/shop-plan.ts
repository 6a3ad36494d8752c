import { type CatalogPlan, materializedView, partitioned, schema, table, view } from './catalog-plan.ts';

const read = (principal: string) => ({ principal, privilege: 'SELECT' });
const write = (principal: string) => ({ principal, privilege: 'INSERT' });

/** A shop's own database. Eight absences in all: the guard holds a round only above ten. */
export const shopPlan: CatalogPlan = {
  name: 'shop',
  comment: 'What is sold, to whom, and what is in stock',
  owner: 'mia',
  objects: [
    schema('sales', { owner: 'mia' }),
    table(['sales', 'customers'], 'id bigint primary key, name text not null, email text', {
      owner: 'mia',
      tags: ['pii'],
      policies: ['mask-email'],
      grants: [read('support')],
    }),
    table(['sales', 'addresses'], 'id bigint primary key, customer bigint references sales.customers, city text', {
      tags: ['pii'],
    }),
    table(
      ['sales', 'orders'],
      'id bigint primary key, customer bigint references sales.customers, placed_on date, total numeric',
      { owner: 'mia', tags: ['gold'], grants: [read('analysts'), read('support')] },
    ),
    table(['sales', 'order_lines'], 'order_id bigint references sales.orders, product bigint, quantity int'),
    table(['sales', 'Order Items'], 'order_id bigint, line int, "Unit Price" numeric', {
      owner: 'mia',
      grants: [read('analysts')],
    }),
    table(['sales', 'payments'], 'id bigint primary key, order_id bigint references sales.orders, amount numeric', {
      owner: 'jonas',
      tags: ['audit'],
    }),
    table(['sales', 'refunds'], 'id bigint primary key, payment bigint references sales.payments, amount numeric', {
      owner: 'jonas',
      tags: ['audit'],
      grants: [read('analysts')],
    }),
    table(['sales', 'coupons'], 'code text primary key, percent int, valid_until date', {
      owner: 'lena',
      tags: ['marketing'],
      grants: [write('marketing'), read('marketing')],
    }),
    view(['sales', 'open_orders'], 'select o.id, o.placed_on from sales.orders o where o.total is null', {
      owner: 'mia',
      grants: [read('support')],
    }),
    materializedView(['sales', 'revenue_by_day'], 'select placed_on, sum(total) from sales.orders group by placed_on', {
      tags: ['gold'],
    }),

    schema('stock'),
    table(['stock', 'products'], 'id bigint primary key, name text not null', { owner: 'omar', tags: ['gold'] }),
    table(['stock', 'categories'], 'id bigint primary key, name text not null'),
    table(['stock', 'suppliers'], 'id bigint primary key, name text not null', { owner: 'omar' }),
    table(['stock', 'prices'], 'product bigint references stock.products, price numeric', {
      grants: [read('analysts')],
    }),
    partitioned(['stock', 'price_history'], {
      columns: 'product bigint, price numeric, since date not null',
      by: 'range (since)',
      partitions: {
        price_history_old: "from (minvalue) to ('2025-01-01')",
        price_history_new: "from ('2025-01-01') to (maxvalue)",
      },
    }),
    table(['stock', '50%off'], 'product bigint, until date', { tags: ['marketing'] }),
    view(
      ['stock', 'price_list'],
      'select p.name, c.price from stock.products p join stock.prices c on c.product = p.id',
    ),

    schema('legacy_import', { owner: 'migration-team' }),
    table(['legacy_import', 'old_customers'], 'id text primary key, name text, email text', {
      owner: 'migration-team',
      tags: ['pii'],
      policies: ['delete-after-2-years'],
    }),
    table(['legacy_import', 'old_orders'], 'id text primary key, customer text, total text', {
      owner: 'migration-team',
    }),
    table(['legacy_import', 'id_mapping'], 'old_id text primary key, new_id bigint'),
    view(['legacy_import', 'old_totals'], 'select customer, count(*) from legacy_import.old_orders group by customer'),
  ],
  drift: `
    drop schema if exists legacy_import cascade;
    drop table if exists sales.coupons;
    drop table if exists stock."50%off";
    drop view if exists sales.open_orders;
    alter table if exists sales.refunds rename to money_back;
    drop table if exists sales."Order Items";
    create table sales."Order Items" (order_id bigint, line int, "Unit Price" numeric, currency text)`,
};
