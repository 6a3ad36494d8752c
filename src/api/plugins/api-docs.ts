import swaggerUi from '@fastify/swagger-ui';
import type { ApiServer } from '../server.ts';

const base = '/api';
const prefix = '/docs';
const address = `${base}${prefix}`;

/** Only its own files, and no frame around it: the page holds a token once somebody entered one. */
const contentSecurityPolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "object-src 'none'",
].join('; ');

/**
 * The page's routes come from its package and say no action of ours: they are public, as the document that they show. To
 * be called before `authorize`, which lets no route pass that does not say.
 */
export function admitApiDocs(app: ApiServer): void {
  app.addHook('onRoute', (route) => {
    if (route.url === address || route.url.startsWith(`${address}/`)) {
      route.config = { ...route.config, action: 'public' };
    }
  });
}

/** `GET /docs`: the OpenAPI document as a page to read and to try out. Every file of it is served from here. */
export async function apiDocsRoutes(api: ApiServer): Promise<void> {
  await api.register(swaggerUi, {
    routePrefix: prefix,
    indexPrefix: base,
    staticCSP: contentSecurityPolicy,
    // nobody else is asked whether the document is right
    uiConfig: { validatorUrl: null, docExpansion: 'none', tryItOutEnabled: false },
  });
}
