# One image for every command: `docker run IMAGE api`, `… worker`, `… schedules apply`. Debian, since the Temporal SDK's
# native part needs glibc.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:20-bookworm-slim
# Node brings its own certificates; the Temporal SDK reads those of the system. Debian's current ones are the ones to have.
# hadolint ignore=DL3008
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
# `node` of the image; as a number, so that orchestrators can see that it is not root
USER 1000:1000
EXPOSE 8080
# Of the API; a worker answers on metrics.port, and its own deployment says so. Restarting does not mend a ledger or a
# Temporal server that is away, so only the process itself is asked.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/livez').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the first process and listens for SIGTERM; it starts no others that would have to be reaped.
ENTRYPOINT ["node", "--enable-source-maps", "dist/main/cli.js"]
CMD ["api"]
