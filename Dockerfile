# The service and its client. Nothing in the image is written at run time: start it with a read-only file system, a volume
# at /data and a small /tmp in memory. Settings are variables of the environment; see .env.example.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM ${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM ${NODE}
# MALLOC_ARENA_MAX keeps the C library from holding on to freed memory.
ENV NODE_ENV=production \
    PORT=3000 \
    DATA_DIR=/data \
    MALLOC_ARENA_MAX=2 \
    npm_config_cache=/tmp/npm \
    npm_config_update_notifier=false
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/client-dist ./client-dist
# For the commands: `npm run users -- list`.
COPY package.json package-lock.json LICENSE ./
COPY scripts/run.mjs scripts/start.mjs scripts/ensure.mjs ./scripts/
COPY questionnaires ./questionnaires
COPY locales ./locales
# The account `node` of the image, by its number, as Kubernetes asks for.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# A start that migrates many records takes minutes.
HEALTHCHECK --interval=15s --timeout=5s --start-period=300s --retries=4 \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
