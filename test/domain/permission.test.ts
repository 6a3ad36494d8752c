import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Action, type Role, may, roles } from '../../src/domain/permission.ts';

const actions = ['read', 'decide', 'reconcile', 'operate'] as const satisfies readonly Action[];

describe('who may do what', () => {
  test.each<[Role | 'nobody' | 'owner', readonly Action[]]>([
    ['nobody', []],
    ['viewer', ['read']],
    ['approver', ['read', 'decide']],
    ['operator', ['read', 'decide', 'reconcile', 'operate']],
    ['owner', ['read', 'decide', 'reconcile']],
  ])('%s: %j', (who, allowed) => {
    const principal = { name: 'ada', roles: roles.filter((role) => role === who) };
    const owners = who === 'owner' ? ['grace', 'ada'] : ['grace'];
    expect(actions.filter((action) => may(principal, action, owners))).toEqual(allowed);
  });

  test.each(['Ada', 'ada ', ' ada', 'ａda', 'ad', ''])(
    'an owner is named letter by letter, so %j is not ada',
    (name) => {
      expect(may({ name, roles: [] }, 'read', ['ada'])).toBe(false);
    },
  );

  const principals = fc.record({ name: fc.constantFrom('ada', 'grace', 'eve'), roles: fc.subarray([...roles]) });
  const owned = fc.array(fc.constantFrom('ada', 'grace', 'eve'));

  test('a role or an ownership more never takes anything away', () => {
    fc.assert(
      fc.property(
        principals,
        fc.constantFrom(...actions),
        owned,
        fc.constantFrom(...roles),
        (who, action, owners, role) => {
          const before = may(who, action, owners);
          expect(!before || may({ ...who, roles: [...who.roles, role] }, action, owners)).toBe(true);
          expect(!before || may(who, action, [...owners, who.name])).toBe(true);
        },
      ),
    );
  });

  test('what somebody else owns changes nothing', () => {
    fc.assert(
      fc.property(principals, fc.constantFrom(...actions), owned, (who, action, owners) => {
        const others = owners.filter((owner) => owner !== who.name);
        expect(may(who, action, others)).toBe(may(who, action, []));
      }),
    );
  });
});
