import { z } from 'zod';
import { roles } from '../domain/permission.ts';
import { section, setting } from './setting.ts';
import { line, SecretReference, wholeNumber, yesOrNo } from './value-shapes.ts';

const oneOf = '`viewer` (reads), `approver` (decides as well) and `operator` (everything)';

/** Stored with every row that its bearer causes. */
const PrincipalName = line.max(200).regex(/^[^\p{Cc}\p{Cs}]+$/u);

const TokenGiven = z.strictObject({
  name: PrincipalName,
  token: SecretReference,
  roles: z.array(z.enum(roles)).readonly(),
});

export const authSettings = section(
  'Who may use the API. With nothing here it listens on loopback alone, and everybody who reaches it may do everything.',
  {
    tokens: setting(z.array(TokenGiven).readonly(), {
      about:
        'Bearer tokens. Two entries of one name are one principal with two tokens, so that one can replace the other.',
      expects: `a list of \`{name: …, token: {env: NAME} or {file: PATH}, roles: […]}\`; roles are ${oneOf}`,
      fallbackText: 'none',
      hidden: true,
    }),
    jwt: section(
      'Signed tokens (JWT) of an issuer. `issuer`, `audience` and one of the two key sets belong together.',
      {
        issuer: setting(line, {
          about: 'What claim `iss` must be.',
          expects: 'the name of the issuer, letter by letter',
        }),
        audience: setting(line, { about: 'What claim `aud` must be or hold.', expects: 'a text' }),
        jwksUrl: setting(line, {
          about: 'Where the issuer publishes its keys. Read again when a token names a key that is not known.',
          expects: 'an address with `https:`, or with `http:` on this machine',
        }),
        jwksFile: setting(line, { about: 'The same keys in a file, read at start.', expects: 'a path' }),
        clockSkewSecs: setting(wholeNumber(0, 600), {
          about: 'By how much the clock of the issuer may differ from ours.',
          expects: 'seconds, from 0 to 600',
          fallback: 60,
        }),
        principalClaim: setting(line, {
          about: 'The claim that names who acts. Take one that its bearer cannot choose.',
          expects: 'the name of a claim',
          fallback: 'sub',
        }),
        rolesClaim: setting(line, {
          about: 'The claim that holds the roles: a list, or words between spaces. Others than ours do not count.',
          expects: 'the name of a claim, or of one inside another: `realm_access.roles`',
          fallback: 'roles',
        }),
      },
    ),
    allowTemporalSignals: setting(yesOrNo, {
      about: 'Whether signal `approve` decides. Whoever may signal in the namespace may name anybody as the actor.',
      expects: '`true` or `false`',
      fallbackText: 'no, if there is any credential here',
    }),
  },
);
